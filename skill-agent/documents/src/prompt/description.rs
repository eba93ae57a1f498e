//! Descriptions of a document for a model.

use crate::{DocText, SkillDoc, escape};

/// Returns the description for a model, or the summary if there is no description.
pub(crate) fn description(doc: &SkillDoc) -> String {
    description_within(doc, escape::MAX_DESCRIPTION_LENGTH)
}

/// Returns the description for a model, truncated to `max` characters.
pub(crate) fn description_within(doc: &SkillDoc, max: usize) -> String {
    escape::description(purpose(doc), max)
}

/// Returns the brief description for a model.
pub(crate) fn brief_description(doc: &SkillDoc) -> String {
    escape::description(&doc.brief_description, escape::MAX_DESCRIPTION_LENGTH)
}

/// Returns a document's description as written, or the summary if there is no description.
pub fn purpose(doc: &SkillDoc) -> &DocText {
    match doc.description.trim() {
        "" => &doc.summary,
        _ => &doc.description,
    }
}
