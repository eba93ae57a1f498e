//! Searches of short texts, where setting up those of the standard library takes longer than the search.

/// Whether there is such a byte: eight are looked at at a time.
pub(super) fn has_byte(bytes: &[u8], byte: u8) -> bool {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    let is_in = |word: &[u8; 8]| {
        let zero_where_it_is = u64::from_ne_bytes(*word) ^ (EACH * u64::from(byte));
        zero_where_it_is.wrapping_sub(EACH) & !zero_where_it_is & (EACH << 7) != 0
    };
    match bytes.last_chunk() {
        Some(last) => bytes.as_chunks().0.iter().any(is_in) || is_in(last),
        None => bytes.contains(&byte),
    }
}
