//! Check digits: pure functions over bare digits.

mod gtin;
mod luhn;
mod mod11;
mod mod97;
mod verhoeff;

pub(crate) use self::gtin::gtin;
pub(crate) use self::luhn::luhn;
pub(crate) use self::mod11::mod11_2;
pub(crate) use self::mod97::mod97;
pub(crate) use self::verhoeff::verhoeff;
