//! Compiles trigger patterns. The check and the search use the same function, so a pattern that loads also compiles.

use regex_lite::{Regex, RegexBuilder};

/// The maximum size of a compiled pattern or glob, in bytes. A search takes at most one step per state and byte of text, so the
/// size limits the time of a search. Every literal of 256 bytes fits. Searching 16 KiB takes at most about 40 ms, or 0.6 s if
/// regex-lite is compiled without optimizations. With a limit of 64 KiB, it took 160 ms and 5 s.
const MAX_SIZE: usize = 12_800;

/// Compiles a pattern of [`Triggers::patterns`](crate::Triggers::patterns). The pattern ignores the case of ASCII letters.
///
/// # Errors
/// Fails if the pattern is not a regular expression or is too large.
pub fn compile_pattern(pattern: &str) -> Result<Regex, regex_lite::Error> {
    compile(pattern, true)
}

/// Compiles a regular expression of limited size.
pub(crate) fn compile(pattern: &str, ignore_case: bool) -> Result<Regex, regex_lite::Error> {
    let mut builder = RegexBuilder::new(pattern);
    builder.case_insensitive(ignore_case).size_limit(MAX_SIZE);
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DocumentLimits;

    #[test]
    fn a_pattern_ignores_case() {
        let pattern = compile_pattern(r"greet\s+\w+").unwrap();
        assert!(pattern.is_match("Please GREET Ada"));
        assert!(!pattern.is_match("Please greet"));
        assert!(!compile_pattern("(?-i)greet").unwrap().is_match("GREET"));
    }

    #[test]
    fn every_literal_of_the_allowed_length_is_a_pattern() {
        let literal = "q".repeat(DocumentLimits::DEFAULT.pattern);
        assert!(compile_pattern(&literal).unwrap().is_match(&literal));
    }

    #[test]
    fn a_pattern_with_many_states_is_too_large() {
        for pattern in [
            "(?:(?:a?){20}){20}b",
            ".{0,200}!",
            r"\w{200}",
            "(?:a*)*{90}",
        ] {
            assert!(compile_pattern(pattern).is_err(), "{pattern}");
        }
        assert!(compile_pattern(".{0,100}!").is_ok());
    }
}
