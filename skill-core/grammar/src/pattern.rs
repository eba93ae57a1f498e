//! Signal types, and patterns over them.

use crate::name::is_name_byte;

/// The mistakes in a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternFault {
    /// A segment is empty, or the whole pattern is.
    Empty,
    /// A character is not in `[a-zA-Z0-9_-]` and is neither `*` nor `.`.
    Character,
    /// A `*` is only a part of a segment, or there are more than two in a row.
    PartOfSegment,
    /// Two `**` follow each other.
    ManyTwice,
}

/// Returns whether `text` is a pattern over signal types: segments of `[a-zA-Z0-9_-]+`, `*` or `**`, separated by dots, without
/// two `**` in a row.
pub const fn is_pattern(text: &str) -> bool {
    pattern_fault(text).is_none()
}

/// Returns whether `text` is a signal type: a pattern without `*`.
pub const fn is_signal_type(text: &str) -> bool {
    is_pattern(text) && crate::text::position(text, b'*') == text.len()
}

/// Returns the first fault in a pattern and its byte position: the character, or the start of the segment.
pub const fn pattern_fault(text: &str) -> Option<(PatternFault, usize)> {
    let bytes = text.as_bytes();
    let (mut i, mut after_many) = (0, false);
    loop {
        let start = i;
        let mut stars = 0;
        while i < bytes.len() && bytes[i] != b'.' {
            if bytes[i] == b'*' {
                stars += 1;
            } else if !is_name_byte(bytes[i]) {
                return Some((PatternFault::Character, i));
            }
            i += 1;
        }
        let length = i - start;
        if length == 0 {
            return Some((PatternFault::Empty, start));
        }
        if stars > 2 || (stars > 0 && stars != length) {
            return Some((PatternFault::PartOfSegment, start));
        }
        if stars == 2 && after_many {
            return Some((PatternFault::ManyTwice, start));
        }
        after_many = stars == 2;
        if i == bytes.len() {
            return None;
        }
        i += 1;
    }
}
