//! Why a toolbox cannot be built.

use skill_core::policy::ForbiddenActions;
use std::fmt;

/// Why a toolbox cannot be built: all reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolboxError {
    problems: Vec<ToolboxProblem>,
}

/// A reason why a toolbox cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolboxProblem {
    /// Two sources have a tool of one name.
    #[error(
        "the tool `{tool}` of `{of}` is also one of `{by}`; leave one of them out, or give one another name"
    )]
    #[non_exhaustive]
    ToolTaken {
        /// The tool.
        tool: String,
        /// The source that comes first; `toolbox` for a tool of the toolbox itself.
        by: String,
        /// The source that comes later.
        of: String,
    },
    /// Two sources have one name.
    #[error(
        "two sources are called `{name}`; a server has the name of its agent, a catalog is `catalog`, and `toolbox` is reserved"
    )]
    #[non_exhaustive]
    SourceTaken {
        /// The name.
        name: String,
    },
    /// A name of a source is malformed.
    #[error("`{name}` cannot be the name of a source; write 1 to 64 letters, digits, `_` and `-`")]
    #[non_exhaustive]
    SourceName {
        /// The name.
        name: String,
    },
    /// An agent forbids hints of tools of another source.
    #[error("{0}")]
    Forbidden(ForbiddenActions),
    /// The tools of all sources together could leak data.
    #[error("{text}")]
    #[non_exhaustive]
    DataFlow {
        /// The tools, and what each of them does.
        text: String,
    },
    /// The reason to allow the data flow is empty.
    #[error("`.allow_data_flow` needs a reason, for those who read the program")]
    NoReason,
    /// The secret of approval requests is too short.
    #[error("the secret of approval requests has {bytes} bytes; it needs at least {min}")]
    #[non_exhaustive]
    ApprovalSecret {
        /// Its length.
        bytes: usize,
        /// The least length.
        min: usize,
    },
}

impl ToolboxError {
    /// The error with these problems; `None` if there are none.
    pub(super) fn new(problems: Vec<ToolboxProblem>) -> Option<Self> {
        (!problems.is_empty()).then_some(Self { problems })
    }

    /// The reasons; at least one.
    pub fn problems(&self) -> &[ToolboxProblem] {
        &self.problems
    }
}

impl fmt::Display for ToolboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &self.problems[..] {
            return only.fmt(f);
        }
        write!(f, "{} problems", self.problems.len())?;
        for problem in &self.problems {
            write!(f, "\n  {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ToolboxError {}
