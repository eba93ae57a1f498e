//! Searches of short texts, where setting up those of the standard library takes longer than the search.

/// Whether there is such a byte: sixteen are looked at at a time.
pub(super) fn has_byte(bytes: &[u8], byte: u8) -> bool {
    // without a way out in the middle, so that it becomes a vector instruction
    let is_in = |part: &[u8; 16]| part.iter().fold(false, |found, it| found | (*it == byte));
    match bytes.last_chunk() {
        Some(last) => bytes.as_chunks().0.iter().any(is_in) || is_in(last),
        None => bytes.contains(&byte),
    }
}
