//! Who may choose a document: a model, a person, or both.

use super::SkillDoc;
use super::composition::dispatches;

/// Returns whether a model may choose a document. A document in `tool_dispatch` mode runs without a model, so a model never
/// chooses it.
pub(crate) fn is_for_models(doc: &SkillDoc) -> bool {
    !doc.disable_model_invocation && !dispatches(doc)
}

/// Returns whether a person may invoke a document.
pub(crate) fn is_for_people(doc: &SkillDoc) -> bool {
    doc.user_invocable
}
