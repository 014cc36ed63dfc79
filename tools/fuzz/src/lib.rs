//! The fuzz targets of nymize: what each holds of any input.

pub mod checks;
