//! The description of a document that a model sees.

use super::{DocText, SkillDoc, escape};

/// Returns the description that a model sees, or the summary if there is no description.
pub(crate) fn description(doc: &SkillDoc) -> String {
    description_within(doc, escape::MAX_DESCRIPTION_LENGTH)
}

/// Returns the description that a model sees, cut to so many characters.
pub(crate) fn description_within(doc: &SkillDoc, max: usize) -> String {
    escape::description(purpose(doc), max)
}

/// Returns the brief description that a model sees.
pub(crate) fn brief_description(doc: &SkillDoc) -> String {
    escape::description(&doc.brief_description, escape::MAX_DESCRIPTION_LENGTH)
}

/// Returns the description of a document as written, or its summary if there is no description.
pub(crate) fn purpose(doc: &SkillDoc) -> &DocText {
    match doc.description.trim() {
        "" => &doc.summary,
        _ => &doc.description,
    }
}
