//! Cuts a part out of long text, small enough for a model.

use std::ops::Range;

/// The maximum number of bytes of text for a model: 64 KiB.
pub const MAX_TEXT: usize = 64 << 10;

/// The number of bytes reserved for the note at the end of a part.
const NOTE_ROOM: usize = 192;

/// Explains why text has no part at an offset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPart {
    /// The offset is at or beyond the end of the text.
    #[error("the offset {offset} is beyond its end; it has {bytes} bytes")]
    BeyondEnd {
        /// The requested offset, in bytes.
        offset: u64,
        /// The length of the text, in bytes.
        bytes: usize,
    },
    /// The offset is inside a character.
    #[error("the offset {offset} is within a character, which begins at {begin}")]
    WithinCharacter {
        /// The requested offset, in bytes.
        offset: usize,
        /// The offset of the character, in bytes.
        begin: usize,
    },
}

/// Returns the range of the part that begins at `offset` and leaves room for a note.
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
