//! Recognizes requests that are about the skills themselves.

use super::text::words::{Boundary, occurs};
use regex_lite::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A request about the skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    /// The request asks which skills exist.
    Registry,
    /// The request asks to show all skills in full.
    All,
}

static REGISTRY: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compile(&[
        r"\bwhat\b[^.?!]{0,30}\b(?:can|could)\b[^.?!]{0,30}\b(?:you|u)\b[^.?!]{0,30}\bdo\b",
        r"\b(?:show|list)\b[^.?!]{0,30}\bcapabilities\b",
        r"\bwhat\b[^.?!]{0,30}\bskills?\b",
        r"\b(?:list|show)\s+(?:me\s+)?(?:(?:the|your|my|available)\s+)*skills\b",
    ])
});

static ALL: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compile(&[
        r"\b(?:show|list)\b[^.?!]{0,30}\ball\b[^.?!]{0,30}\bskills?\b",
        r"\ball\b[^.?!]{0,30}\bskills?\b[^.?!]{0,30}\b(?:documentation|docs)\b",
    ])
});

fn compile(patterns: &[&str]) -> Vec<Regex> {
    patterns
        .iter()
        .filter_map(|pattern| Regex::new(pattern).ok())
        .collect()
}

impl Intent {
    /// Returns the intent of case-folded text, or `None` if it is not about the skills. `questions` are a program's own phrases.
    pub(super) fn of(folded: &str, questions: &[Cow<'_, str>]) -> Option<Self> {
        let matches = |list: &[Regex]| list.iter().any(|regex| regex.is_match(folded));
        let mut questions = questions.iter();
        if matches(&REGISTRY) || questions.any(|phrase| occurs(phrase, folded, Boundary::Word)) {
            Some(Self::Registry)
        } else {
            matches(&ALL).then_some(Self::All)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_about_the_skills_is_recognized() {
        assert_eq!((REGISTRY.len(), ALL.len()), (4, 2)); // all of them compile
        for (text, expected) in [
            ("what can you do?", Some(Intent::Registry)),
            ("list skills", Some(Intent::Registry)),
            ("show me your skills", Some(Intent::Registry)),
            ("what skills do you have", Some(Intent::Registry)),
            ("show capabilities", Some(Intent::Registry)),
            ("show all skills", Some(Intent::All)),
            ("list all the skills", Some(Intent::All)),
            ("all skill documentation", Some(Intent::All)),
            ("what is the capital of france?", None),
            ("list the files", None),
            ("whatever you candy", None),
            (
                "what a mess. could you clean orders.csv? i do not know how",
                None,
            ),
        ] {
            assert_eq!(Intent::of(text, &[]), expected, "{text}");
        }
    }
}
