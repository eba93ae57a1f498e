//! Recognizes regular expressions that mean the same in the regex engines of all providers.

use skill_agent_schema::is_regex;

/// Returns whether a pattern means the same in JavaScript, Python, Go and Rust. A provider that checks patterns rejects the whole
/// request if its engine does not support one of them.
pub(super) fn is_common(pattern: &str) -> bool {
    is_regex(pattern) && has_common_syntax(pattern)
}

/// Returns whether a common pattern matches whole texts: it begins with `^` and ends with `$`, and both hold for all of it.
pub(super) fn is_anchored(pattern: &str) -> bool {
    let Some(inner) = pattern.strip_prefix('^') else {
        return false;
    };
    let (mut depth, mut is_in_brackets) = (0_usize, false);
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            ']' => is_in_brackets = false,
            _ if is_in_brackets => {}
            '[' => is_in_brackets = true,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return false,
            '^' => return false,
            '$' => return chars.as_str().is_empty(),
            _ => {}
        }
    }
    false
}

/// Returns whether a pattern avoids syntax that [`is_regex`] accepts but other engines do not.
fn has_common_syntax(pattern: &str) -> bool {
    let mut chars = pattern.chars().peekable();
    let mut is_in_brackets = false;
    // counts `a*` and the lazy `a*?`; other engines accept no more `*` after them
    let mut repetitions = 0;
    while let Some(char) = chars.next() {
        let next = chars.peek().copied();
        let is_common = match char {
            '\\' => {
                let escaped = chars.next();
                escaped.is_some_and(|escaped| match escaped {
                    'x' | 'u' => chars.peek() != Some(&'{'),
                    _ => !escaped.is_ascii_alphanumeric() || "bBdDfnrsStvwW".contains(escaped),
                })
            }
            '[' if is_in_brackets => false,
            '[' => {
                is_in_brackets = true;
                chars.next_if_eq(&'^');
                chars.peek() != Some(&']')
            }
            ']' => {
                is_in_brackets = false;
                true
            }
            _ if is_in_brackets => true,
            '(' if next == Some('?') => {
                chars.next();
                chars.next() == Some(':')
            }
            '{' => {
                let _ = chars.find(|char| *char == '}');
                repetitions == 0
            }
            '*' | '+' => repetitions == 0,
            '?' => repetitions < 2,
            _ => true,
        };
        if !is_common {
            return false;
        }
        repetitions = match char {
            '*' | '+' | '?' | '{' if !is_in_brackets => repetitions + 1,
            _ => 0,
        };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{is_anchored, is_common};

    #[test]
    fn patterns_that_all_engines_read_are_common() {
        for pattern in [
            "",
            "^[a-z]+$",
            r"^\d{3}-\d{4}$",
            r"^(?:a|b)*?\.(c)$",
            r"[^\]\[\-\\]{2,}?",
            "^[?*+{}().|]$",
            r"\x41\u0041",
            "é|日本",
            "a{2}b?c+",
        ] {
            assert!(is_common(pattern), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_some_engine_refuses_are_not_common() {
        for pattern in [
            // lookaround
            "^(?=a)b",
            "^(?!a)b",
            "(?<=a)b",
            "(?<!a)b",
            // backreferences
            r"(a)\1",
            r"(?<n>a)\k<n>",
            "(?<n>a)",
            "(?P<n>a)",
            // flags and modes
            "(?i)a",
            "a(?-i:b)",
            "(?>a)",
            // Unicode classes, and escapes that only one engine has
            r"\p{L}",
            r"[^\P{L}]",
            r"\0",
            r"[^\0]",
            r"\u{1F600}",
            r"\Aa\z",
            r"\cA",
            // brackets
            "[a[b]]",
            "[]a]",
            "[^]",
            "[]",
            r"[\w-.]",
            "[b-a]",
            // repetitions
            "a**",
            "a*+",
            "a+??",
            "a{2}{3}",
            "*a",
            "a{3,2}",
            // invalid patterns
            "(",
            "[",
            "a\\",
        ] {
            assert!(!is_common(pattern), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_of_whole_texts_has_anchors_that_hold_for_all_of_it() {
        for pattern in ["^$", "^a$", "^(?:a|b)$", r"^[$^|]\$$", r"^\^\|$"] {
            assert!(is_anchored(pattern), "{pattern}");
        }
        for pattern in [
            "", "^", "$", "a$", "^a", "^a|b$", r"^a\$", "^a$b$", "^^a$", "^(a$|b)$",
        ] {
            assert!(!is_anchored(pattern), "{pattern}");
        }
    }
}
