//! The limits that the Skills extension (SEP-2640) sets for a skill.

/// The maximum size of a skill's files together.
pub(crate) const MAX_SKILL_BYTES: usize = 16 << 20;
/// The maximum number of a skill's files.
pub(crate) const MAX_SKILL_FILES: usize = 512;
