//! Reads signals from lines of input.

use serde_json::{Map, Value};
use skill_agent::prelude::Signal;
use std::io::{self, BufRead, Read};
use tokio::sync::mpsc::Sender;

/// The maximum length of a line in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// A line of input without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A complete line.
    Whole(Vec<u8>),
    /// A line with more than [`MAX_LINE`] bytes, whose content was dropped.
    TooLong,
}

/// Reads until the end of the input or until the receiver is dropped. Blocks, so it needs its own thread.
pub fn read_lines(mut input: impl BufRead, lines: &Sender<io::Result<Line>>) {
    while let Some(line) = read_line(&mut input).transpose() {
        let failed = line.is_err();
        if lines.blocking_send(line).is_err() || failed {
            return;
        }
    }
}

fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let limit = MAX_LINE as u64 + 1;
    if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() > MAX_LINE {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Whole(line)))
}

/// The reason why a line is not a signal.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The line is too long.
    #[error("line {line}: it has more than {MAX_LINE} bytes")]
    TooLong {
        /// The number of the line, from 1.
        line: u64,
    },
    /// The line is not JSON, or not a signal.
    #[error("line {line}, column {column}: {reason}")]
    NoSignal {
        /// The number of the line, from 1.
        line: u64,
        /// The byte at which the error was found, from 1.
        column: usize,
        /// The reason.
        reason: String,
    },
}

/// Reads the signal in a line; `None` if the line is blank. A missing `specversion` is taken as `1.0`.
///
/// ```
/// use skill_examples::lines::{Line, read_signal};
/// let read = |text: &str| read_signal(7, &Line::Whole(text.into()));
/// assert_eq!(read(r#"{"type":"a.b","data":1}"#)?.unwrap().ty(), "a.b");
/// assert_eq!(read("  ")?, None);
/// assert_eq!(read("{]").unwrap_err().to_string(), "line 7, column 2: key must be a string");
/// # Ok::<(), skill_examples::lines::LineError>(())
/// ```
///
/// # Errors
/// If the line is too long, or not a signal; with its number and the column.
pub fn read_signal(number: u64, line: &Line) -> Result<Option<Signal>, LineError> {
    let Line::Whole(text) = line else {
        return Err(LineError::TooLong { line: number });
    };
    let text = text.trim_ascii_end();
    if text.is_empty() {
        return Ok(None);
    }
    let read = match versioned(text) {
        Some(text) => serde_json::from_slice(&text),
        None => serde_json::from_slice(text),
    };
    read.map(Some).map_err(|error| {
        let message = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        LineError::NoSignal {
            line: number,
            column: error.column().max(1),
            reason: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
        }
    })
}

/// Appends a `specversion` to the object, which keeps the columns of the text before it. `None` if the text has a version or
/// is not an object.
fn versioned(text: &[u8]) -> Option<Vec<u8>> {
    let object: Map<String, Value> = serde_json::from_slice(text).ok()?;
    if object.is_empty() || object.contains_key("specversion") {
        return None;
    }
    let open = text.strip_suffix(b"}")?;
    Some([open, br#","specversion":"1.0"}"#].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_dropped_and_the_next_one_is_read() {
        let mut text = vec![b'x'; MAX_LINE];
        text.extend_from_slice(b"\n");
        text.extend(vec![b'y'; 3 * MAX_LINE]);
        text.extend_from_slice(b"\nlast");
        let mut input = &text[..];
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), Some(Line::Whole(vec![b'x'; MAX_LINE])));
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), Some(Line::Whole(b"last".to_vec())));
        assert_eq!(next(), None);
    }

    #[test]
    fn a_line_that_is_not_a_signal_is_reported_with_its_position() {
        let read = |text: &[u8]| read_signal(3, &Line::Whole(text.to_vec()));
        let message_of = |text: &[u8]| read(text).unwrap_err().to_string();
        for (text, message) in [
            (&b"{\"type\":"[..], "line 3, column 8: EOF while parsing"),
            (b"7", "line 3, column 1: invalid type"),
            (b"[]", "line 3, column 1: invalid type"),
            (b"{}", "missing field `specversion`"),
            (b"{\"data\":{}}", "missing field `type`"),
            (b"{\"type\":7}", "line 3, column 9: invalid type"),
            (b"{\"type\":\"a\",\"type\":\"b\"}", "duplicate field `type`"),
            (b"{\"type\":\"\xff\"}", "line 3, column"),
        ] {
            assert!(message_of(text).contains(message), "{}", message_of(text));
        }
        let signal = read(b"{\"specversion\":\"1.0\",\"type\":\"a\",\"id\":\"1\"}\r");
        assert_eq!(signal.unwrap().unwrap().id(), Some("1"));
    }
}
