//! Hashes of strings. A string has the same hash in every build and on every machine.

/// Returns the 64-bit FNV-1a hash of `text`. Stores contain fingerprints that are computed with this hash.
pub const fn fnv1a(text: &str) -> u64 {
    fnv1a_on(0xcbf2_9ce4_8422_2325, text)
}

/// Continues the 64-bit FNV-1a hash `state` with `text`.
pub const fn fnv1a_on(mut state: u64, text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        state = (state ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    state
}

/// Returns a fast hash for action names, which are looked up at every call.
///
/// FNV-1a multiplies once per byte. This hash multiplies once for each end of the name (the ends may overlap) and once for each
/// eight bytes in between.
#[inline]
pub const fn name_hash(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let (first, last) = match (ends(bytes), ends(bytes)) {
        (Some((first, last)), _) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        (None, Some((first, last))) => (
            u32::from_le_bytes(*first) as u64,
            u32::from_le_bytes(*last) as u64,
        ),
        (None, None) => (0, up_to_three(bytes)),
    };
    let mut state = mix(bytes.len() as u64, first);
    let mut rest = bytes;
    while let Some((_, after)) = rest.split_first_chunk::<8>()
        && let Some((word, _)) = after.split_first_chunk()
        && after.len() > 8
    {
        state = mix(state, u64::from_le_bytes(*word));
        rest = after;
    }
    (mix(state, last) >> 32) as u32
}

/// Returns the first and the last `N` bytes, or `None` if there are fewer than `N` bytes.
#[inline]
const fn ends<const N: usize>(bytes: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => Some((first, last)),
        _ => None,
    }
}

/// Packs at most three bytes into one number.
#[inline]
const fn up_to_three(bytes: &[u8]) -> u64 {
    let [a, b, c] = match *bytes {
        [] => [0; 3],
        [a] => [a, 0, 0],
        [a, b] => [a, b, 0],
        [a, b, c, ..] => [a, b, c],
    };
    u32::from_le_bytes([a, b, c, 0]) as u64
}

#[inline]
const fn mix(state: u64, word: u64) -> u64 {
    (state.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Compares names like `==`. For names of up to sixteen bytes, which are almost all names, this avoids a call into the C library.
#[inline]
pub fn same_name(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    match one.len() {
        0..4 => up_to_three(one) == up_to_three(other),
        4..8 => ends::<4>(one) == ends::<4>(other),
        8..=16 => ends::<8>(one) == ends::<8>(other),
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fnv1a_gives_the_published_values() {
        for (text, hash) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            assert_eq!(fnv1a(text), hash, "{text}");
        }
        assert_eq!(fnv1a_on(fnv1a("foo"), "bar"), fnv1a("foobar"));
    }

    proptest! {
        #[test]
        fn names_that_differ_in_one_byte_are_not_the_same(name in "[ab_]{1,40}", at: usize) {
            prop_assert!(same_name(&name, &name.clone()));
            let at = at % name.len();
            let mut other = name.clone();
            other.replace_range(at..=at, "c");
            prop_assert!(!same_name(&name, &other));
            prop_assert!(name_hash(&name) != name_hash(&other));
            prop_assert!(!same_name(&name, &name[..at]));
        }
    }
}
