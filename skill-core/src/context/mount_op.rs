//! Changes to the mounted skills, requested by an action, a hook or a server.

use crate::Origin;
use serde_json::Value;
use std::fmt;

/// A mount operation: a change to the mounted skills and documents, which are identified by their names in the registry.
#[derive(Clone)]
pub enum MountOp {
    /// Mount a skill or document with options.
    Mount {
        /// The name of the skill or document.
        skill: String,
        /// The mount options, as a JSON object.
        options: Value,
    },
    /// Mount several skills and documents with their requirements.
    MountAll {
        /// The names of the skills and documents.
        skills: Vec<String>,
        /// The mount options of each skill, by state key.
        options: Value,
    },
    /// Replace the skill or document mounted under the name.
    Replace {
        /// The name of the skill or document.
        skill: String,
        /// The mount options, as a JSON object.
        options: Value,
    },
    /// Unmount a skill or document and drop its state.
    Unmount {
        /// The name of the skill or document.
        skill: String,
    },
    /// Enable a disabled skill or document.
    Enable {
        /// The name of the skill or document.
        skill: String,
    },
    /// Disable a skill or document and keep its state.
    Disable {
        /// The name of the skill or document.
        skill: String,
    },
}

impl MountOp {
    /// Creates a `MountAll`.
    pub fn mount_all(skills: impl IntoIterator<Item = impl Into<String>>, options: Value) -> Self {
        let skills = skills.into_iter().map(Into::into).collect();
        Self::MountAll { skills, options }
    }

    /// Returns the name, or the first of several, for messages.
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

// not derived: the options may contain secrets, and the skill that knows their paths is looked up only later
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

/// A mount operation, performed after the action or hook that queued it has succeeded.
#[derive(Clone, Debug)]
pub struct QueuedMount {
    pub(crate) op: MountOp,
    pub(crate) origin: Origin,
}
