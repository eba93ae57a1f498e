//! "Did you mean": finds the known name that a misspelled name was probably meant to be.

/// The maximum length of a name to compare, in bytes. Longer names are not typing mistakes, and the time to compare two names is
/// proportional to the product of their lengths.
const LONGEST: usize = 128;

/// The minimum likeness for a suggestion; clap and darling use the same value.
pub const LIKELY: f64 = 0.8;

/// Returns the candidate most similar to `name`, if its [`likeness`] is above [`LIKELY`].
///
/// If several candidates are equally similar, the first one wins, so the result depends only on their order.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let mut best = None;
    let mut most = LIKELY;
    for candidate in candidates {
        let likeness = likeness(name, candidate);
        if likeness > most {
            most = likeness;
            best = Some(candidate);
        }
    }
    best
}

/// The maximum number of bytes of a name in which a known name is searched for.
const LONGEST_AROUND: usize = 512;

/// Returns the candidate that occurs inside `name` between other characters, or else the nearest candidate. A model may write
/// `functions.add_note`, `notes_add_note` or `add_note<|channel|>commentary`.
pub fn nearest_within<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> Option<&'a str> {
    let candidates = candidates.into_iter();
    if is_bare(name) {
        let behind = candidates.clone().filter(|known| ends(name, known));
        return nearest(name, candidates).or_else(|| longest(behind));
    }
    let candidates: Vec<&str> = candidates.collect();
    let nearest_of = |name| nearest(name, candidates.iter().copied());
    let around = &name[..name.floor_char_boundary(LONGEST_AROUND)];
    let within = candidates.iter().filter(|known| is_within(around, known));
    longest(within.copied())
        .or_else(|| nearest_of(name))
        .or_else(|| {
            let parts = around.split(|c: char| !is_of_name(c));
            let mut parts = parts.filter(|part| !part.is_empty());
            parts.find_map(nearest_of)
        })
}

/// Returns the longest name, or the first of several.
fn longest<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names.reduce(|a, b| if b.len() > a.len() { b } else { a })
}

/// Returns whether `name` ends with `known` after `_` or `-`.
fn ends(name: &str, known: &str) -> bool {
    let before = name.strip_suffix(known).filter(|_| !known.is_empty());
    before.is_some_and(|before| before.ends_with(['_', '-']))
}

/// Returns whether `name` has only name characters and no `__`. Such a name is probably just misspelled.
fn is_bare(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.iter().all(|byte| is_of_name(char::from(*byte)))
        && !bytes.windows(2).any(|two| two == b"__")
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// Returns whether `name` occurs in `around` between non-name characters or doubled underscores.
fn is_within(around: &str, name: &str) -> bool {
    let found = around.match_indices(name).filter(|_| !name.is_empty());
    let mut ends = found.map(|(start, _)| (&around[..start], &around[start + name.len()..]));
    ends.any(|(before, after)| {
        let begins = before.chars().next_back().is_none_or(|c| !is_of_name(c));
        let ends = after.chars().next().is_none_or(|c| !is_of_name(c));
        (begins || before.ends_with("__")) && (ends || after.starts_with("__"))
    })
}

/// Like [`nearest`], but usable in const evaluation.
pub const fn nearest_of<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let mut best = None;
    let mut most = LIKELY;
    let mut i = 0;
    while i < candidates.len() {
        let likeness = likeness(name, candidates[i]);
        if likeness > most {
            most = likeness;
            best = Some(candidates[i]);
        }
        i += 1;
    }
    best
}

/// Returns the likeness of two names, from 0 to 1: the Jaro-Winkler similarity of their characters, ignoring ASCII case.
///
/// Returns 0 if a name is empty or has more than 128 bytes.
pub const fn likeness(a: &str, b: &str) -> f64 {
    if a.is_empty() || b.is_empty() || a.len() > LONGEST || b.len() > LONGEST {
        return 0.0;
    }
    let (mut a, mut b) = (Characters::of(a), Characters::of(b));
    let jaro = a.jaro(&mut b);
    if jaro <= 0.7 {
        return jaro;
    }
    let mut prefix = 0;
    while prefix < 4 && prefix < a.count && prefix < b.count && a.all[prefix] == b.all[prefix] {
        prefix += 1;
    }
    jaro + 0.1 * prefix as f64 * (1.0 - jaro)
}

/// A name's characters in lower case, with a flag for each that has a counterpart in the other name.
struct Characters {
    all: [u32; LONGEST],
    matched: [bool; LONGEST],
    count: usize,
}

impl Characters {
    const fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut characters = Self {
            all: [0; LONGEST],
            matched: [false; LONGEST],
            count: 0,
        };
        let mut i = 0;
        while i < bytes.len() {
            // the bytes of one character, packed into a number that identifies it
            let mut character = bytes[i].to_ascii_lowercase() as u32;
            i += 1;
            while i < bytes.len() && bytes[i] & 0xc0 == 0x80 {
                character = character << 8 | bytes[i] as u32;
                i += 1;
            }
            characters.all[characters.count] = character;
            characters.count += 1;
        }
        characters
    }

    /// Returns the Jaro similarity.
    const fn jaro(&mut self, other: &mut Self) -> f64 {
        let longer = if self.count > other.count {
            self.count
        } else {
            other.count
        };
        let reach = (longer / 2).saturating_sub(1);
        let mut matches = 0;
        let mut i = 0;
        while i < self.count {
            let mut j = i.saturating_sub(reach);
            while j < other.count && j <= i + reach {
                if !other.matched[j] && self.all[i] == other.all[j] {
                    self.matched[i] = true;
                    other.matched[j] = true;
                    matches += 1;
                    break;
                }
                j += 1;
            }
            i += 1;
        }
        if matches == 0 {
            return 0.0;
        }
        let transpositions = self.out_of_order(other) / 2;
        let m = matches as f64;
        (m / self.count as f64 + m / other.count as f64 + (matches - transpositions) as f64 / m)
            / 3.0
    }

    /// Counts the matched characters that differ from the matched character at the same position in the other name.
    const fn out_of_order(&self, other: &Self) -> usize {
        let mut different = 0;
        let (mut i, mut j) = (0, 0);
        while i < self.count {
            if self.matched[i] {
                while !other.matched[j] {
                    j += 1;
                }
                if self.all[i] != other.all[j] {
                    different += 1;
                }
                j += 1;
            }
            i += 1;
        }
        different
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_nearest_name_is_offered_only_when_it_is_near() {
        let known = ["precision", "mode", "last_result"];
        assert_eq!(nearest("presicion", known), Some("precision"));
        assert_eq!(nearest("Mode", known), Some("mode"));
        assert_eq!(nearest("last-result", known), Some("last_result"));
        assert_eq!(nearest("nonsense", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest(&"a".repeat(1_000_000), ["a"]), None);
        assert_eq!(nearest("ab", ["abx", "aby"]), Some("abx"));
    }

    #[test]
    fn a_name_with_something_around_it_is_offered() {
        let known = ["add", "add_note", "list_notes", "channel"];
        for (name, expected) in [
            ("functions.add_note", Some("add_note")),
            ("add_note<|channel|>commentary", Some("add_note")),
            ("default_api:add_note", Some("add_note")),
            ("mcp__notes__list_notes", Some("list_notes")),
            ("add_note()", Some("add_note")),
            ("`add_note`", Some("add_note")),
            ("notes/add_note ", Some("add_note")),
            ("tools.ad_note", Some("add_note")),
            ("functions.add", Some("add")),
            ("öadd_noteö", Some("add_note")),
            ("ad_note", Some("add_note")),
            ("notes_add_note", Some("add_note")),
            ("assistant-list_notes", Some("list_notes")),
            ("functions.delete", None),
            ("functions_of_addition", None),
            ("", None),
            ("...", None),
        ] {
            assert_eq!(nearest_within(name, known), expected, "{name}");
        }
        let long = format!("add_note{}", "<|x|>".repeat(200_000));
        assert_eq!(nearest_within(&long, known), Some("add_note"));
        assert_eq!(nearest_within("a.b", [""]), None);
    }

    #[test]
    fn the_nearest_name_is_the_same_while_compiling() {
        let known = ["precision", "mode", "last_result", "mod"];
        for name in ["presicion", "Mode", "last-result", "nonsense", ""] {
            assert_eq!(nearest_of(name, &known), nearest(name, known), "{name}");
        }
    }

    #[test]
    fn the_likeness_is_known_while_compiling() {
        const LIKENESS: f64 = likeness("Calculater", "calculator");
        const { assert!(LIKENESS > LIKELY) };
    }

    proptest! {
        #[test]
        fn the_likeness_is_the_one_of_strsim(a in "[a-c_äöと]{1,12}", b in "[A-Ca-c_äöと]{1,12}") {
            let expected = strsim::jaro_winkler(&a, &b.to_ascii_lowercase());
            prop_assert!((likeness(&a, &b) - expected).abs() < 1e-12);
        }
    }
}
