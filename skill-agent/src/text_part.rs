//! A part of a long text, small enough for a model.

use std::ops::Range;

/// The most bytes of a text for a model.
pub(crate) const MAX_TEXT: usize = 64 << 10;

/// The room for the note at the end of a part.
const NOTE_ROOM: usize = 192;

/// Why a text has no part at an offset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoPart {
    #[error("the offset {offset} is beyond its end; it has {bytes} bytes")]
    BeyondEnd { offset: u64, bytes: usize },
    #[error("the offset {offset} is within a character, which begins at {begin}")]
    WithinCharacter { offset: usize, begin: usize },
}

/// Returns the part of a text from an offset on that leaves room for a note.
pub(crate) fn part_at(text: &str, offset: u64) -> Result<Range<usize>, NoPart> {
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
