//! Searches in short strings, where the standard library's functions take longer to set up than to search.

/// Returns whether `bytes` contain `byte`. Compares sixteen bytes at a time.
pub(crate) fn has_byte(bytes: &[u8], byte: u8) -> bool {
    // no early return, so that the loop compiles to a vector instruction
    let is_in = |part: &[u8; 16]| {
        part.iter()
            .fold(false, |found, other| found | (*other == byte))
    };
    match bytes.last_chunk() {
        Some(last) => bytes.as_chunks().0.iter().any(is_in) || is_in(last),
        None => bytes.contains(&byte),
    }
}
