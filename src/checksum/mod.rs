//! Check digits: pure functions over bare digits.

mod luhn;
mod mod97;

pub(crate) use self::luhn::luhn;
pub(crate) use self::mod97::mod97;
