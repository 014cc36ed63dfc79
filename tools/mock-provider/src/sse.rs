//! Streamed answers: server-sent events, the cutting of a text into deltas, and a body that
//! hands out its frames one by one.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame};
use serde_json::Value;

/// Shortest delta, in characters: about two tokens, so that a placeholder is cut in several.
const DELTA_CHARS: usize = 8;
/// The most deltas for one text, whatever its length.
const MAX_DELTAS: usize = 64;

/// One event with LF line ends: an `event:` line where there is a name, then the data.
pub(crate) fn event(name: Option<&str>, data: &Value) -> Bytes {
    let name = name.map_or_else(String::new, |name| format!("event: {name}\n"));
    Bytes::from(format!("{name}data: {data}\n\n"))
}

/// One event without a name and with CRLF line ends, as Gemini writes them.
pub(crate) fn event_crlf(data: &Value) -> Bytes {
    Bytes::from(format!("data: {data}\r\n\r\n"))
}

/// `text` cut at character borders into at most [`MAX_DELTAS`] pieces of at least
/// [`DELTA_CHARS`] characters (the last may be shorter). Joined they are `text` again.
pub(crate) fn deltas(text: &str) -> Vec<&str> {
    let step = text.chars().count().div_ceil(MAX_DELTAS).max(DELTA_CHARS);
    let mut starts: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .step_by(step)
        .collect();
    starts.push(text.len());
    starts
        .windows(2)
        .filter_map(|pair| text.get(*pair.first()?..*pair.last()?))
        .collect()
}

/// A body of known frames. Between two frames it pretends to wait once, so that the server
/// writes each out by itself and a client really reads a stream.
pub(crate) struct Frames {
    frames: VecDeque<Bytes>,
    pause: bool,
}

impl Frames {
    pub(crate) fn new(frames: impl IntoIterator<Item = Bytes>) -> Self {
        Frames {
            frames: frames.into_iter().collect(),
            pause: false,
        }
    }
}

impl Body for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if std::mem::take(&mut self.pause) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.pause = true;
        Poll::Ready(self.frames.pop_front().map(|bytes| Ok(Frame::data(bytes))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deltas_join_to_the_text_and_stay_few() {
        for text in [
            "",
            "a",
            "12345678",
            "123456789",
            "Grüße, 電話, 🦀🦀🦀🦀🦀🦀🦀",
            &"x".repeat(100_000),
        ] {
            let pieces = deltas(text);
            assert_eq!(pieces.concat(), text);
            assert!(pieces.len() <= MAX_DELTAS, "{}", pieces.len());
            assert!(pieces.iter().all(|piece| !piece.is_empty()));
        }
        assert_eq!(deltas("[[EMAIL_6c1f0a9e]]"), ["[[EMAIL_", "6c1f0a9e", "]]"]);
    }
}
