//! Hash tables of names, which const evaluation can build.

use crate::text::same;

/// A slot of a table: a name and its number. A table is a slice of slots, initially all `None`.
pub type Slot<'a> = Option<(&'a str, u32)>;

/// The hash seed at compile time, fixed so that every build creates the same tables.
pub const SEED: u64 = 0x0100_0193;

/// The largest prime below 2^31, so that the product of two residues fits in 64 bits.
pub const PRIME: u64 = 0x7fff_ffff;

/// Returns the number of slots for a table of `entries`: a power of two, so that at most half of the slots are used.
pub const fn capacity(entries: usize) -> usize {
    (entries * 2 + 2).next_power_of_two()
}

/// Inserts a name with its number. If the table already has the name, returns the earlier number instead.
pub const fn insert<'a>(
    table: &mut [Slot<'a>],
    seed: u64,
    any_case: bool,
    name: &'a str,
    number: usize,
) -> Option<usize> {
    let slot = slot(table, seed, any_case, name);
    if let Some((_, earlier)) = table[slot] {
        return Some(earlier as usize);
    }
    table[slot] = Some((name, number as u32));
    None
}

/// Like [`insert`], but the table gets the new number even if it has an earlier one.
pub const fn replace<'a>(
    table: &mut [Slot<'a>],
    seed: u64,
    any_case: bool,
    name: &'a str,
    number: usize,
) -> Option<usize> {
    let earlier = find(table, seed, any_case, name);
    table[slot(table, seed, any_case, name)] = Some((name, number as u32));
    earlier
}

/// Returns a name's number. If `any_case` is set, ignores ASCII case.
pub const fn find(table: &[Slot<'_>], seed: u64, any_case: bool, name: &str) -> Option<usize> {
    match table[slot(table, seed, any_case, name)] {
        Some((_, number)) => Some(number as usize),
        None => None,
    }
}

/// Returns a name's slot, or the free slot for it.
const fn slot(table: &[Slot<'_>], seed: u64, any_case: bool, name: &str) -> usize {
    let mask = table.len() - 1;
    let mut slot = hash(seed, name) as usize & mask;
    while let Some((stored, _)) = table[slot]
        && !(same(stored, name) || any_case && stored.eq_ignore_ascii_case(name))
    {
        slot = (slot + 1) & mask;
    }
    slot
}

/// Hashes the bytes as a polynomial, evaluated at `seed`. Two strings collide for at most as many seeds as they have bytes, even
/// if an attacker chooses the strings. ASCII letters are hashed in lower case, so that the same hash works for all kinds of
/// names. The loop calls no functions, because calls take most of the time in const evaluation.
pub const fn hash(seed: u64, text: &str) -> u64 {
    let bytes = text.as_bytes();
    // otherwise leading NULs would not change the hash
    let mut state = 1;
    let mut i = 0;
    while i < bytes.len() {
        let byte = bytes[i];
        let is_upper = b'A' <= byte && byte <= b'Z';
        state = (state * seed + (byte as u64 | (is_upper as u64) << 5)) % PRIME;
        i += 1;
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Generates short names, some of them equal. In small tables, many names share a slot, including the last slot.
    fn names() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec("[abA][ab0_]{0,2}", 0..7)
    }

    proptest! {
        #[test]
        fn each_name_is_found_with_its_first_number(
            names in names(),
            others in names(),
            any_case: bool,
            seed in 2..PRIME,
        ) {
            let is_same = |one: &str, other: &str| {
                one == other || any_case && one.eq_ignore_ascii_case(other)
            };
            let first = |name: &str| names.iter().position(|other| is_same(other, name));
            let mut table = [None; 16];
            for (index, name) in names.iter().enumerate() {
                let earlier = insert(&mut table, seed, any_case, name, index);
                prop_assert_eq!(earlier, first(name).filter(|first| *first < index), "{}", name);
            }
            for name in names.iter().chain(&others) {
                prop_assert_eq!(find(&table, seed, any_case, name), first(name), "{}", name);
            }
        }
    }
}
