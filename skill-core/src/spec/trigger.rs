//! [`TriggerSpec`]: words and patterns of requests, and files, for which a skill is useful.

use serde::Serialize;

/// The words and patterns of requests, and files, for which a skill is useful. This is plain data for code that selects skills
/// for a model.
///
/// `#[skill(manifest = "…/SKILL.md")]` takes them from the document.
///
/// ```
/// use skill_core::spec::TriggerSpec;
/// const TRIGGERS: TriggerSpec = TriggerSpec::new().keywords(&["hello", "greeting"]).verbs(&["greet"]);
/// assert_eq!(TRIGGERS.verbs, ["greet"]);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TriggerSpec {
    /// The words and phrases, matched at word boundaries.
    pub keywords: &'static [&'static str],
    /// Verbs, matched at word boundaries.
    pub verbs: &'static [&'static str],
    /// Regular expressions, ignoring ASCII case.
    pub patterns: &'static [&'static str],
    /// Globs for whole paths, relative to the project and separated by `/`: `src/**/*.rs`.
    pub paths: &'static [&'static str],
}

impl TriggerSpec {
    /// Creates a spec without triggers.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            keywords: &[],
            verbs: &[],
            patterns: &[],
            paths: &[],
        }
    }

    crate::setters! {
        /// Sets the words and phrases.
        pub const fn keywords(keywords: &'static [&'static str]) { keywords = keywords }

        /// Sets the verbs.
        pub const fn verbs(verbs: &'static [&'static str]) { verbs = verbs }

        /// Sets the regular expressions.
        pub const fn patterns(patterns: &'static [&'static str]) { patterns = patterns }

        /// Sets the globs.
        pub const fn paths(paths: &'static [&'static str]) { paths = paths }
    }
}
