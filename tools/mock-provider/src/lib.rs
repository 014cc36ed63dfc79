//! A stand-in for an LLM provider, for tests and examples.
//!
//! It listens on loopback, records every request whole, one JSON line each, and answers in the
//! shape of the API that was asked: OpenAI chat completions and responses, Anthropic messages,
//! Gemini generate content; plain or streamed. So a test sees what really reached the provider.
//!
//! The same request always gets the same answer, ids and signatures included: nothing comes from
//! a clock or a random source. It refuses on purpose to listen anywhere but on loopback, and it
//! checks no credentials.
//!
//! ```
//! use mock_provider::{Config, MockProvider};
//!
//! let provider = MockProvider::start(Config::default())?;
//! println!("POST to {}/v1/chat/completions", provider.url());
//! assert!(provider.requests()?.is_empty());
//! # Ok::<(), std::io::Error>(())
//! ```

mod api;
mod record;
mod server;
mod sse;

pub use record::{Log, Recorded};
pub use server::{Config, Handle, MockProvider};
