//! "Did you mean" suggestions, in const evaluation.

use super::input::CheckInput;
use super::names::NameKind;

/// Names longer than this many bytes are not compared.
const MAX_LENGTH: usize = 64;
/// At most this many names are compared, as many as a person can still read through.
const MAX: usize = 256;
/// The threshold of the whole workspace, see `skill_core::__private::nearest`.
const LIKE: f64 = 0.8;

/// Returns the most similar name of a kind.
pub(super) const fn suggest<'a>(
    input: &CheckInput<'a>,
    names: NameKind,
    name: &str,
) -> Option<&'a str> {
    let mut best = None;
    let mut max = LIKE;
    let mut i = 0;
    while i < input.len(names) && i < MAX {
        if let Some(candidate) = input.key(names, i) {
            let likeness = jaro_winkler(name.as_bytes(), candidate.as_bytes());
            if likeness > max {
                max = likeness;
                best = Some(candidate);
            }
        }
        i += 1;
    }
    best
}

/// The Jaro-Winkler similarity over bytes, ignoring ASCII case.
const fn jaro_winkler(a: &[u8], b: &[u8]) -> f64 {
    let jaro = jaro(a, b);
    if jaro <= 0.7 {
        return jaro;
    }
    let mut prefix = 0;
    while prefix < 4 && prefix < a.len() && prefix < b.len() && same(a[prefix], b[prefix]) {
        prefix += 1;
    }
    jaro + 0.1 * prefix as f64 * (1.0 - jaro)
}

const fn jaro(a: &[u8], b: &[u8]) -> f64 {
    if a.is_empty() || b.is_empty() || a.len() > MAX_LENGTH || b.len() > MAX_LENGTH {
        return 0.0;
    }
    let longer = if a.len() > b.len() { a.len() } else { b.len() };
    let reach = (longer / 2).saturating_sub(1);
    let mut taken = [false; MAX_LENGTH];
    let mut matched = [0; MAX_LENGTH];
    let mut matches = 0;
    let mut i = 0;
    while i < a.len() {
        let mut j = i.saturating_sub(reach);
        while j < b.len() && j <= i + reach {
            if !taken[j] && same(a[i], b[j]) {
                taken[j] = true;
                matched[matches] = a[i];
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
    let mut moved = 0;
    let (mut m, mut j) = (0, 0);
    while j < b.len() {
        if taken[j] {
            if !same(matched[m], b[j]) {
                moved += 1;
            }
            m += 1;
        }
        j += 1;
    }
    let m = matches as f64;
    (m / a.len() as f64 + m / b.len() as f64 + (m - (moved / 2) as f64) / m) / 3.0
}

const fn same(a: u8, b: u8) -> bool {
    a.eq_ignore_ascii_case(&b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn suggestions_agree_with_the_rest_of_the_workspace(name in "[a-c_]{1,6}", other in "[a-cA-C_]{1,6}") {
            let tools = [&*other];
            let input = CheckInput { tools: Some(&tools), ..CheckInput::EMPTY };
            prop_assert_eq!(
                suggest(&input, NameKind::Tools, &name),
                skill_core::__private::nearest(&name, [&*other]),
            );
        }
    }
}
