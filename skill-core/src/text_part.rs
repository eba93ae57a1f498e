//! A part of a long text, small enough for a model.

use std::ops::Range;

/// The most bytes of a text for a model.
pub const MAX_TEXT: usize = 64 << 10;

/// The room for the note at the end of a part.
const NOTE_ROOM: usize = 192;

/// Why a text has no part at an offset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPart {
    /// The text is shorter.
    #[error("the offset {offset} is beyond its end; it has {bytes} bytes")]
    BeyondEnd {
        /// The offset that was asked for, in bytes.
        offset: u64,
        /// The length of the text.
        bytes: usize,
    },
    /// A character lies across the offset.
    #[error("the offset {offset} is within a character, which begins at {begin}")]
    WithinCharacter {
        /// The offset that was asked for, in bytes.
        offset: usize,
        /// The offset of the character.
        begin: usize,
    },
}

/// Returns the part of a text from an offset on that leaves room for a note.
pub fn part_at(text: &str, offset: u64) -> Result<Range<usize>, NoPart> {
    let bytes = text.len();
    let begin = match usize::try_from(offset) {
        Ok(begin) if begin < bytes => begin,
        _ => return Err(NoPart::BeyondEnd { offset, bytes }),
    };
    if !text.is_char_boundary(begin) {
        return Err(NoPart::WithinCharacter {
            offset: begin,
            begin: text.floor_char_boundary(begin),
        });
    }
    Ok(begin..text.floor_char_boundary(begin + (MAX_TEXT - NOTE_ROOM)))
}
