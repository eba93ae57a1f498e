//! The changes of the mounted skills that an action, a hook or a server asks for.

use crate::Origin;
use serde_json::Value;
use std::fmt;

/// A mount operation: a change of the mounted skills and documents, which it names as the registry does.
#[derive(Clone)]
pub enum MountOp {
    /// Mount one with options.
    Mount {
        /// The skill or document.
        skill: String,
        /// The mount options.
        options: Value,
    },
    /// Mount several with their requirements.
    MountAll {
        /// The skills and documents.
        skills: Vec<String>,
        /// The mount options by state key.
        options: Value,
    },
    /// Replace the one that is mounted under the name.
    Replace {
        /// The skill or document.
        skill: String,
        /// The mount options.
        options: Value,
    },
    /// Unmount one and drop its state.
    Unmount {
        /// The skill or document.
        skill: String,
    },
    /// Enable a disabled one.
    Enable {
        /// The skill or document.
        skill: String,
    },
    /// Disable one and keep its state.
    Disable {
        /// The skill or document.
        skill: String,
    },
}

impl MountOp {
    /// Creates a `MountAll`.
    pub fn mount_all(skills: impl IntoIterator<Item = impl Into<String>>, options: Value) -> Self {
        let skills = skills.into_iter().map(Into::into).collect();
        Self::MountAll { skills, options }
    }

    /// The name, for messages; the first one of several.
    pub(crate) fn skill(&self) -> &str {
        match self {
            Self::Mount { skill, .. }
            | Self::Replace { skill, .. }
            | Self::Unmount { skill }
            | Self::Enable { skill }
            | Self::Disable { skill } => skill,
            Self::MountAll { skills, .. } => skills.first().map_or("", String::as_str),
        }
    }
}

// not derived: the options may have secrets, and the skill is looked up later
impl fmt::Debug for MountOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut with_options = |kind: &str, skill: &dyn fmt::Debug, options: &Value| {
            let options = options.as_object().into_iter();
            let keys: Vec<_> = options.flat_map(|options| options.keys()).collect();
            f.debug_tuple(kind).field(skill).field(&keys).finish()
        };
        match self {
            Self::Mount { skill, options } => with_options("Mount", skill, options),
            Self::MountAll { skills, options } => with_options("MountAll", skills, options),
            Self::Replace { skill, options } => with_options("Replace", skill, options),
            Self::Unmount { skill } => f.debug_tuple("Unmount").field(skill).finish(),
            Self::Enable { skill } => f.debug_tuple("Enable").field(skill).finish(),
            Self::Disable { skill } => f.debug_tuple("Disable").field(skill).finish(),
        }
    }
}

/// A mount operation that is performed once the action or hook that asked for it has succeeded.
#[derive(Clone, Debug)]
pub struct QueuedMount {
    pub(crate) op: MountOp,
    pub(crate) origin: Origin,
}
