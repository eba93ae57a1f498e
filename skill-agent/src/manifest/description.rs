//! The description of a document that a model sees.

use super::{SkillDoc, escape};

/// Returns the description that a model sees, or the summary if there is no description.
pub(crate) fn description(doc: &SkillDoc) -> String {
    description_within(doc, escape::MAX_DESCRIPTION_LENGTH)
}

/// Returns the description that a model sees, cut to so many characters.
pub(crate) fn description_within(doc: &SkillDoc, max: usize) -> String {
    let text = match doc.description.trim() {
        "" => &doc.summary,
        _ => &doc.description,
    };
    escape::description(text, max)
}
