//! The instructions of a skill, and the references in them. Which structs are tools is known only to rustc.

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
    /// None, as in a document, where all braces are text.
    None,
    /// To tools of the skill, which is checked at the text.
    Own(Span),
    /// To tools of the skill or its requirements, which `agent!` checks; or only escaped braces.
    InAgent,
}

impl Instructions {
    /// Those in the attribute, else those in the document.
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
