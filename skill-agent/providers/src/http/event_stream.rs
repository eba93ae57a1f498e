//! Events of a `text/event-stream` response.
//!
//! Other crates for this format do not limit the size of an event, so a server could fill the memory.

use reqwest::header::{CONTENT_TYPE, HeaderMap};

/// The maximum size of an event, in bytes. It is large because the last event in the Responses API repeats everything, including
/// images.
pub(crate) const MAX_EVENT_BYTES: usize = 16 << 20;

/// Returns whether the response is an event stream.
pub(crate) fn is_event_stream(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let kind = kind
        .and_then(|kind| kind.split(';').next())
        .unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("text/event-stream")
}

/// An event: its data, and its type, which is empty if the server sent none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) kind: String,
    pub(crate) data: String,
}

/// Why bytes cannot be read as events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventError {
    /// An event exceeds the size limit.
    TooLarge,
    /// A line is not UTF-8.
    NotUtf8,
}

/// Reads events from bytes that may be split anywhere.
#[derive(Debug)]
pub(crate) struct EventReader {
    /// The received part of the current line.
    line: Vec<u8>,
    /// Whether the last byte was a carriage return, which a line feed may follow.
    after_return: bool,
    is_first_line: bool,
    event: Event,
    has_data: bool,
    /// Lines that are not fields, such as plain text from a proxy after its server failed.
    words: String,
    limit: usize,
}

/// The names of fields. A comment is a line with an empty name.
const FIELDS: [&str; 5] = ["", "data", "event", "id", "retry"];

impl EventReader {
    /// Creates a reader that accepts events of up to `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            line: Vec::new(),
            after_return: false,
            is_first_line: true,
            event: Event::default(),
            has_data: false,
            words: String::new(),
            limit,
        }
    }

    /// Reads bytes and appends the events that they complete. An event that is incomplete at the end of the stream is dropped.
    pub(crate) fn push(&mut self, bytes: &[u8], events: &mut Vec<Event>) -> Result<(), EventError> {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let part = &rest[..end.unwrap_or(rest.len())];
            if self.line.len() + self.event.data.len() + part.len() > self.limit {
                return Err(EventError::TooLarge);
            }
            self.line.extend_from_slice(part);
            let Some(end) = end else { break };
            self.after_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            self.end_line(events)?;
        }
        Ok(())
    }

    fn end_line(&mut self, events: &mut Vec<Event>) -> Result<(), EventError> {
        let line = std::mem::take(&mut self.line);
        let line = std::str::from_utf8(&line).map_err(|_| EventError::NotUtf8)?;
        let is_first_line = std::mem::replace(&mut self.is_first_line, false);
        let line = match line.strip_prefix('\u{feff}') {
            Some(line) if is_first_line => line,
            _ => line,
        };
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            // the standard says not to dispatch an event without data
            if std::mem::replace(&mut self.has_data, false) {
                events.push(event);
            }
            return Ok(());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.event.kind),
            // ids are ignored, because streams are never resumed
            _ if FIELDS.contains(&field) => {}
            _ => add_words(&mut self.words, line, self.limit),
        }
        Ok(())
    }

    /// Returns the lines that are not fields. Call this at the end of the stream.
    pub(crate) fn words(&self) -> String {
        let mut words = self.words.clone();
        let line = String::from_utf8_lossy(&self.line);
        let name = line.split(':').next().unwrap_or_default();
        // a field may be cut off in the middle of its name
        if !FIELDS.iter().any(|field| field.starts_with(name)) {
            add_words(&mut words, &line, self.limit);
        }
        words
    }
}

fn add_words(words: &mut String, line: &str, limit: usize) {
    if words.len() + line.len() < limit {
        words.push_str(line);
        words.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let mut reader = EventReader::new(1 << 20);
        let mut events = Vec::new();
        for chunk in chunks {
            reader.push(chunk, &mut events).unwrap();
        }
        events
            .into_iter()
            .map(|event| (event.kind, event.data))
            .collect()
    }

    fn event(kind: &str, data: &str) -> (String, String) {
        (kind.to_owned(), data.to_owned())
    }

    #[test]
    fn fields_comments_and_line_ends_are_those_of_the_standard() {
        let text = "\u{feff}: a comment\nevent: add\ndata: 73\n\ndata\n\nid: 7\nretry: 1\nother: x\n\ndata:a\rdata:  b\r\ndata: \r\n\r\n\nevent: lost\n\nevent: late\ndata:x\n\ndata: cut";
        let expected = [
            event("add", "73"),
            event("", ""),
            event("", "a\n b\n"),
            event("late", "x"),
        ];
        assert_eq!(read(&[text.as_bytes()]), expected);
    }

    #[test]
    fn a_return_at_the_end_of_a_chunk_and_a_line_feed_in_the_next_are_one_line_end() {
        assert_eq!(
            read(&[b"data: a\r", b"\ndata: b\r", b"\n\r", b"\n"]),
            [event("", "a\nb")]
        );
        assert_eq!(
            read(&[b"data: a\r", b"\r", b"data: b\n\n"]),
            [event("", "a"), event("", "b")]
        );
    }

    proptest! {
        #[test]
        fn the_places_where_bytes_are_divided_make_no_difference(
            texts in prop::collection::vec("[aé𝄞 :\"]{0,6}", 1..6),
            line_end in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let lines: Vec<String> = texts.iter().map(|text| format!("data: {text}{line_end}{line_end}")).collect();
            let bytes = lines.concat().into_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
            let expected: Vec<_> = texts.iter().map(|text| event("", text)).collect();
            prop_assert_eq!(read(&chunks), expected);
        }
    }

    #[test]
    fn an_event_that_is_too_large_is_an_error_after_the_events_before_it() {
        for text in [
            "data: a\n\ndata: 123456789",
            "data: a\n\ndata: 12\ndata: 34\ndata: 5",
        ] {
            let (mut reader, mut events) = (EventReader::new(11), Vec::new());
            assert_eq!(
                reader.push(text.as_bytes(), &mut events),
                Err(EventError::TooLarge)
            );
            assert_eq!(events.len(), 1);
        }
    }

    #[test]
    fn a_line_that_is_not_utf8_is_an_error() {
        let (mut reader, mut events) = (EventReader::new(99), Vec::new());
        assert_eq!(
            reader.push(b"data: \xff\n", &mut events),
            Err(EventError::NotUtf8)
        );
    }
}
