//! Where a spec comes from, and what is known of its instructions.

/// The references in the instructions of a spec.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    /// As they were written.
    Possible,
    /// None, or they were replaced by the names of tools.
    None,
    /// One of them leads to no tool, or to two; the text is as it was written.
    Unresolved,
}

/// The creator of a spec, which determines the mistakes that have already been reported at the user's tokens.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// Written by hand.
    Hand,
    /// `#[derive(Skill)]`, which has checked the skill.
    Derive,
    /// `#[derive(Skill)]` for a skill with mistakes. It causes no further errors.
    Stub,
    /// `agent!`, for the base fields.
    Agent,
}

impl Provenance {
    pub(crate) const fn is(self, other: Self) -> bool {
        self as u8 == other as u8
    }
}
