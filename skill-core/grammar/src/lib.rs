//! Implementation detail of `skill-core`, `skill-macros`, `skill-manifest` and `skill-agent`. This crate is not part of their
//! public API and may change with any release.
//!
//! This is the only implementation of the rules for names, versions and patterns. Macros use it to check the user's tokens, const
//! evaluation to check hand-written specs, and run-time code to check text from outside. The functions are `const` wherever
//! composition checks need them at compile time.
#![forbid(unsafe_code)]
#![doc(hidden)]

mod hash;
mod name;
pub mod names;
mod path;
mod pattern;
mod reference;
mod requirement;
mod suggest;
mod text;
mod version;
mod version_error;

pub use hash::{fnv1a, fnv1a_on, name_hash, same_name};
pub use name::{
    LONGEST_NAME, is_argument_name, is_name, is_reserved_state_key, is_state_key, is_tool_name,
};
pub use path::{LONGEST_KEY, join, push_key, shorten};
pub use pattern::{PatternFault, is_pattern, is_signal_type, pattern_fault};
pub use reference::{TextPiece, TextPieces};
pub use requirement::{check_requirement, is_requirement, satisfied, satisfies, split};
pub use suggest::{LIKELY, likeness, nearest, nearest_of, nearest_within};
pub use text::{contains, position, same, short};
pub use version::{check_version, compatible, is_higher, is_version};
pub use version_error::VersionError;
