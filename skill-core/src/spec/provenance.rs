//! The origin of a spec, and the state of the references in its instructions.

/// The state of the references in a spec's instructions.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    /// The instructions are unchanged and may contain references.
    Possible,
    /// There are no references, or tool names have replaced them.
    None,
    /// A reference does not resolve to exactly one tool. The instructions are unchanged.
    Unresolved,
}

/// The creator of a spec. It determines which mistakes were already reported at the user's tokens.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// Written by hand.
    Hand,
    /// `#[derive(Skill)]`, which has checked the skill.
    Derive,
    /// `#[derive(Skill)]` for a skill with mistakes. Such a spec causes no more errors.
    Stub,
    /// `agent!`, for the base fields.
    Agent,
}

impl Provenance {
    pub(crate) const fn is(self, other: Self) -> bool {
        self as u8 == other as u8
    }
}
