//! HMAC.
