#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| nymize_fuzz::checks::chunks_json(input));
