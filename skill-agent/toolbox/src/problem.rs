//! Errors from building a toolbox.

use skill_core::policy::ForbiddenActions;
use std::fmt;

/// The error for a toolbox that cannot be built, with all reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolboxError {
    problems: Vec<ToolboxProblem>,
}

/// A reason why a toolbox cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolboxProblem {
    /// Two sources have a tool with the same name.
    #[error(
        "the tool `{tool}` of `{of}` is also one of `{by}`; leave one of them out, or give one another name"
    )]
    #[non_exhaustive]
    ToolTaken {
        /// The tool's name.
        tool: String,
        /// The earlier source, or `toolbox` if the tool is the toolbox's own.
        by: String,
        /// The later source.
        of: String,
    },
    /// Two sources have the same name.
    #[error(
        "two sources are called `{name}`; give one another name; a server has the name of its agent, and a catalog is `catalog`"
    )]
    #[non_exhaustive]
    SourceTaken {
        /// The name of both sources.
        name: String,
    },
    /// A source has the name of the toolbox's own tools.
    #[error(
        "`{name}` is reserved; give the source another name; a server has the name of its agent"
    )]
    #[non_exhaustive]
    SourceReserved {
        /// The reserved name.
        name: String,
    },
    /// The name of a source is malformed.
    #[error("`{name}` cannot be the name of a source; write 1 to 64 letters, digits, `_` and `-`")]
    #[non_exhaustive]
    SourceName {
        /// The malformed name.
        name: String,
    },
    /// An agent forbids a hint that another source's tool has.
    #[error("{0}")]
    Forbidden(ForbiddenActions),
    /// The tools of all sources together could leak data.
    #[error("{text}")]
    #[non_exhaustive]
    DataFlow {
        /// The tools, each with its part in the data flow.
        text: String,
    },
    /// The reason for allowing the data flow is empty.
    #[error("`.allow_data_flow` needs a reason, for those who read the program")]
    NoReason,
    /// `deferred` does not follow a server or a custom source.
    #[error(
        "`.deferred(...)` defers the source before it; write it after `.server(...)` or `.source(...)`; documents of a catalog are \
         loaded on demand anyway"
    )]
    DefersNothing,
    /// A deferred group has no description.
    #[error(
        "`{group}` is deferred and has no description, so that no model knows what it is for; write a doc comment for the skill, \
         or `.deferred(\"what the tools are for\")` for a source"
    )]
    #[non_exhaustive]
    GroupDescription {
        /// The group's name.
        group: String,
    },
    /// Two deferred groups have the same name.
    #[error(
        "`{group}` of `{of}` has the name of a deferred skill or source of `{by}`; a model could not tell them apart; rename one, \
         for example `Skill as name` in `agent!`"
    )]
    #[non_exhaustive]
    GroupTaken {
        /// The name of both groups.
        group: String,
        /// The earlier source.
        by: String,
        /// The later source.
        of: String,
    },
    /// The secret for approval requests is too short.
    #[error("the secret of approval requests has {bytes} bytes; it needs at least {min}")]
    #[non_exhaustive]
    ApprovalSecret {
        /// The secret's length in bytes.
        bytes: usize,
        /// The minimum length in bytes.
        min: usize,
    },
}

impl ToolboxError {
    /// Creates an error from the problems. Returns `None` if there are no problems.
    pub(super) fn new(problems: Vec<ToolboxProblem>) -> Option<Self> {
        (!problems.is_empty()).then_some(Self { problems })
    }

    /// Returns the problems, a list that is never empty.
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
