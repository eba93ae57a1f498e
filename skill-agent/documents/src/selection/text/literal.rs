//! Extracts literal strings from a pattern, so that every match of the pattern contains at least one of them.
//!
//! A pattern runs only if one of its literals occurs in the request. Literals and trigger words are searched together, so even
//! ten thousand patterns need only one pass over the request.

use crate::selection::text::words::fold_case;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// The maximum number of alternative literals of a pattern. A pattern with more alternatives always runs.
const MAX_ALTERNATIVES: usize = 16;

/// Returns case-folded literals. Every string that the pattern matches contains at least one of them after case folding. Returns
/// `None` if there are no such literals.
pub(crate) fn required_literals(pattern: &str) -> Option<Vec<String>> {
    if [r"\x", r"\u", r"\U"]
        .iter()
        .any(|escape| pattern.contains(escape))
    {
        // this parser reads such an escape as a byte, but `regex-lite` reads it as a character
        return None;
    }
    // `regex-lite` has no Unicode classes; a pattern that only `regex-lite` can parse is treated as a pattern without literals
    let mut parser = ParserBuilder::new().unicode(false).utf8(false).build();
    required(&parser.parse(pattern).ok()?)
}

fn required(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Alternation(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                all.extend(required(branch)?);
            }
            (all.len() <= MAX_ALTERNATIVES).then_some(all)
        }
        HirKind::Concat(parts) => concat(parts),
        _ => folded(&literal(hir)?),
    }
}

/// Returns the best literals of a sequence: its longest literal, or the literals of one of its parts.
fn concat(parts: &[Hir]) -> Option<Vec<String>> {
    let mut best = None;
    let mut run = Vec::new();
    for part in parts {
        match literal(part) {
            Some(bytes) => run.extend(bytes),
            None => {
                best = longer(best, folded(&run));
                best = longer(best, required(part));
                run.clear();
            }
        }
    }
    longer(best, folded(&run))
}

/// Returns the bytes that an expression matches, if the case of letters is all that can vary.
fn literal(hir: &Hir) -> Option<Vec<u8>> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(literal.0.to_vec()),
        HirKind::Class(Class::Bytes(class)) => {
            let mut bytes = class.iter().flat_map(|range| range.start()..=range.end());
            let (upper, lower) = (bytes.next()?, bytes.next()?);
            let is_pair = upper.is_ascii_alphabetic() && upper.to_ascii_lowercase() == lower;
            (is_pair && bytes.next().is_none()).then(|| vec![lower])
        }
        _ => None,
    }
}

fn folded(bytes: &[u8]) -> Option<Vec<String>> {
    let text = str::from_utf8(bytes).ok()?;
    (!text.is_empty()).then(|| vec![fold_case(text)])
}

/// Returns the list whose shortest string is longer, because a longer string occurs less often.
fn longer(a: Option<Vec<String>>, b: Option<Vec<String>>) -> Option<Vec<String>> {
    let shortest = |list: &Option<Vec<String>>| list.iter().flatten().map(String::len).min();
    if shortest(&b) > shortest(&a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex_lite::RegexBuilder;

    #[test]
    fn the_longest_required_text_is_found() {
        let cases: [(&str, Option<&[&str]>); 15] = [
            ("say .* in (?:french|spanish)", Some(&["french", "spanish"])),
            ("https?://", Some(&["http"])),
            (r"www\.", Some(&["www."])),
            (r"\d+\s*[+*/-]\s*\d+", None),
            ("(?i)Hello", Some(&["hello"])),
            ("(ab)+c", Some(&["ab"])),
            ("(ab)*c", Some(&["c"])),
            ("a|", None),
            ("a|bc", Some(&["a", "bc"])),
            (r"\bgreet\b\s+\w+", Some(&["greet"])),
            ("查询.*天气预报", Some(&["天气预报"])),
            ("[Hh][Ee]y", Some(&["hey"])),
            ("STRAßE", Some(&["strasse"])),
            ("", None),
            (r"\xC3\xA9 now", None),
        ];
        for (pattern, expected) in cases {
            let found = required_literals(pattern);
            let found = found
                .as_ref()
                .map(|list| list.iter().map(|text| &**text).collect::<Vec<_>>());
            assert_eq!(found.as_deref(), expected, "{pattern}");
        }
    }

    /// Generates patterns from a few pieces.
    fn pattern() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            "[a-cA-Cé ]{1,4}",
            Just(r"\d".to_owned()),
            Just(".".to_owned()),
            Just("[ab]".to_owned()),
            Just(r"\b".to_owned()),
            Just("(?i)".to_owned()),
            Just(r"\xC3\xA9".to_owned()),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
                prop::collection::vec(inner.clone(), 1..4)
                    .prop_map(|parts| format!("({})", parts.join("|"))),
                (
                    inner,
                    prop_oneof![Just("?"), Just("*"), Just("+"), Just("{2}")]
                )
                    .prop_map(|(part, times)| format!("({part}){times}")),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_text_without_the_literals_is_not_matched(pattern in pattern(), text in "[a-cA-Cé 1]{0,12}") {
            let Ok(regex) = RegexBuilder::new(&pattern).case_insensitive(true).build() else {
                return Ok(());
            };
            if let (true, Some(literals)) = (regex.is_match(&text), required_literals(&pattern)) {
                let text = fold_case(&text);
                prop_assert!(literals.iter().any(|literal| text.contains(literal)), "{literals:?}");
            }
        }
    }
}
