//! A skill's instructions and the references in them. Only rustc knows which structs are tools.

use super::skill_manifest::SkillManifest;
use crate::parse::values::Text;
use proc_macro2::Span;
use skill_agent_grammar::TextPieces;

/// The instructions of a skill.
pub(crate) struct Instructions {
    pub(crate) text: String,
    pub(crate) references: References,
}

/// The references in instructions, such as `{Record}`.
#[derive(Clone, Copy)]
pub(crate) enum References {
    /// No references. For example, all braces in a document are plain text.
    None,
    /// References to the skill's own tools. The check reports errors at the text.
    Own(Span),
    /// References to tools of the skill or its requirements, which `agent!` checks. Also used for text with only escaped braces.
    InAgent,
}

impl Instructions {
    /// Returns the attribute's instructions, or else the document's.
    pub(super) fn of(
        written: &Option<Text>,
        manifest: Option<&SkillManifest>,
        requires: &[String],
    ) -> Option<Self> {
        let Some(written) = written else {
            let text = manifest?.instructions.clone()?;
            let references = References::None;
            return Some(Self { text, references });
        };
        let pieces = TextPieces::of(&written.value);
        let references = if pieces.is_plain() {
            References::None
        } else if requires.is_empty() && pieces.clone().any(|piece| piece.is_reference) {
            References::Own(written.span)
        } else {
            References::InAgent
        };
        Some(Self {
            text: written.value.clone(),
            references,
        })
    }
}
