//! Errors from mounting and unmounting.

use crate::mounted::rules::entry_meta::DOCUMENT;
use crate::policy::{DataFlowError, ForbiddenActions};
use skill_agent_schema::{StateError, shorten, shorten_name, suggest};
use std::borrow::Cow;

/// The name of a skill, an action or a key.
pub(super) type Name = Cow<'static, str>;

/// The error returned when a skill or document cannot be mounted or unmounted. Nothing has changed.
///
/// ```
/// use skill_core::MountError;
/// let error = MountError::MissingDependency { skill: "search".into(), required: "auth".into() };
/// assert_eq!(
///     error.to_string(),
///     "`search` requires `auth`, which is not mounted; mount `auth` first",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MountError {
    /// A required skill or document is neither mounted nor listed by the agent.
    #[error("`{skill}` requires `{required}`, which is not mounted; mount `{required}` first")]
    MissingDependency {
        /// The skill or document with the requirement.
        skill: Name,
        /// The name of the required skill or document.
        required: Name,
    },
    /// Neither a mounted skill nor the agent has a tool that the document requires.
    #[error(
        "the document `{skill}` requires the tool `{tool}`, which neither the agent nor a mounted skill offers{}",
        tool_help(.by, .suggestion)
    )]
    #[non_exhaustive]
    MissingTool {
        /// The name of the document.
        skill: Name,
        /// The name of the tool.
        tool: Name,
        /// A skill in the registry that has the tool.
        by: Option<Name>,
        /// The most similar tool name.
        suggestion: Option<Name>,
    },
    /// A toolset required by the document is neither mounted nor listed by the agent.
    #[error(
        "the document `{skill}` names the toolset `{required}`, and no skill of that type is mounted; mount `{required}` first"
    )]
    #[non_exhaustive]
    MissingToolset {
        /// The name of the document.
        skill: Name,
        /// The name of the Rust type.
        required: Name,
    },
    /// A required skill or document has a version that does not satisfy the requirement.
    #[error(
        "`{skill}` requires `{required}` in a version that satisfies `{wanted}`, but the available one has {}",
        .found.as_deref().unwrap_or("no version")
    )]
    #[non_exhaustive]
    WrongVersion {
        /// The skill or document with the requirement.
        skill: Name,
        /// The name of the required skill or document.
        required: Name,
        /// The version requirement.
        wanted: Name,
        /// The version of the available skill or document.
        found: Option<Name>,
    },
    /// A reference in a skill's instructions, such as `{Record}`, does not mean exactly one tool of the skill and its requirements.
    #[error("{reason}")]
    #[non_exhaustive]
    UnresolvedReference {
        /// The name of the skill.
        skill: Name,
        /// The reference, without braces.
        reference: Name,
        /// The struct of the tool that the reference probably means.
        suggestion: Option<Name>,
        /// The message, the same as at compile time.
        reason: String,
    },
    /// A mounted skill or document requires the one to unmount.
    #[error("`{skill}` cannot be unmounted, because `{by}` requires it; unmount `{by}` first")]
    #[non_exhaustive]
    Required {
        /// The skill or document to unmount.
        skill: Name,
        /// The mounted skill or document with the requirement.
        by: Name,
    },
    /// A skill or document with the same name but a different type is mounted.
    #[error(
        "the name `{skill}` belongs to the mounted {}, not to {}; unmount that one first, or `replace` it",
        quoted_type(.mounted).unwrap_or_else(|| DOCUMENT.to_owned()),
        type_or_document(.refused)
    )]
    #[non_exhaustive]
    AnotherType {
        /// The shared name.
        skill: Name,
        /// The mounted type, or `document` for a document.
        mounted: Name,
        /// The type that was not mounted, or `document` for a document.
        refused: Name,
    },
    /// A document with different content is mounted under the same name, or under a name that differs only in form, such as case.
    #[error("{}", another_document(.skill, .mounted))]
    #[non_exhaustive]
    AnotherDocument {
        /// The document that was not mounted.
        skill: Name,
        /// The name of the mounted document.
        mounted: Name,
    },
    /// The agent has a document with that name in `documents: [...]`.
    #[error(
        "the agent already lists a document `{skill}`; remove one of them, or give one of them another name"
    )]
    #[non_exhaustive]
    Listed {
        /// The name of the document.
        skill: Name,
    },
    /// The document's id is not valid.
    #[error("the document has no valid id: {reason}")]
    #[non_exhaustive]
    WrongName {
        /// Why the id is not valid.
        reason: String,
    },
    /// The agent lists a skill with that name.
    #[error(
        "the agent already has a skill `{skill}`, `{owner}`; remove one of them, or list the agent's under another name: `{owner} as ...`"
    )]
    #[non_exhaustive]
    NameTaken {
        /// The shared name.
        skill: Name,
        /// The type of the listed skill.
        owner: Name,
    },
    /// The state key belongs to a different skill, or to one of the agent's base fields.
    #[error(
        "the state key `{key}` of the skill `{skill}` is already used by {owner}; give one of them another `state_key`"
    )]
    #[non_exhaustive]
    StateKeyTaken {
        /// The name of the skill that was not mounted.
        skill: Name,
        /// The state key of that skill.
        key: Name,
        /// The owner of the key, as a phrase for messages: ``the skill `search` ``.
        owner: Name,
    },
    /// Two actions have the same name.
    #[error(
        "the action `{action}` of the skill `{skill}` has the same name as an action of `{owner}`; give one of them another `name`"
    )]
    #[non_exhaustive]
    ActionTaken {
        /// The name of the skill that was not mounted.
        skill: Name,
        /// The shared action name.
        action: Name,
        /// The skill that already has an action with that name.
        owner: Name,
    },
    /// The skill has an async action. Async actions need resources, which a server provides to listed skills only.
    #[error(
        "the action `{action}` of the skill `{skill}` is async, and only listed skills have resources; list the skill in `skills: [...]`"
    )]
    #[non_exhaustive]
    Async {
        /// The name of the skill.
        skill: Name,
        /// The name of the async action.
        action: Name,
    },
    /// The agent forbids a hint of one of the skill's actions.
    #[error("{actions}")]
    #[non_exhaustive]
    Forbidden {
        /// The name of the skill.
        skill: Name,
        /// The skill's actions that the agent forbids.
        actions: ForbiddenActions,
    },
    /// Together with the skill, the agent's actions could leak data, and the agent does not allow this with `allow_data_flow`.
    #[error("{flow}")]
    #[non_exhaustive]
    DataFlow {
        /// The name of the skill.
        skill: Name,
        /// The actions that together could leak data.
        flow: DataFlowError,
    },
    /// The mount options are invalid for the skill's configuration.
    #[error("the options of `{skill}` are wrong: {source}")]
    #[non_exhaustive]
    Options {
        /// The name of the skill.
        skill: Name,
        /// The problems, with their paths.
        r#source: StateError, // printed, so not chained
    },
    /// The object with the options of several skills is not valid.
    #[error("the options are wrong: {source}")]
    #[non_exhaustive]
    OptionsOfAll {
        /// The problems, with their paths.
        r#source: StateError, // printed, so not chained
    },
    /// Skills or documents require each other in a cycle.
    #[error("skills require each other in a cycle: {}; remove one of the `requires`", .path.join(" -> "))]
    #[non_exhaustive]
    Cycle {
        /// The names along the cycle; the last is the same as the first.
        path: Vec<Name>,
    },
    /// No skill or document with that name is mounted.
    #[error("no skill or document `{}` is mounted{}", shorten_name(.name), suggest(.suggestion.as_deref()))]
    #[non_exhaustive]
    NotMounted {
        /// The requested name.
        name: String,
        /// The most similar name of a mounted skill or document.
        suggestion: Option<Name>,
    },
    /// No skill or document with that name is in the registry.
    #[error("no skill or document `{}` is in the registry{}", shorten_name(.name), suggest(.suggestion.as_deref()))]
    #[non_exhaustive]
    Unregistered {
        /// The requested name.
        name: String,
        /// The most similar name in the registry.
        suggestion: Option<Name>,
    },
    /// The agent lists the skill or document, so it cannot be mounted or unmounted.
    #[error(
        "`{name}` is in `{list}: [...]` of `{agent}`, so it is always there; only those in `mounted: [...]` are mounted and unmounted"
    )]
    #[non_exhaustive]
    AlwaysThere {
        /// The requested name.
        name: String,
        /// The list that contains the skill or document: `skills` or `documents`.
        list: &'static str,
        /// The agent's name.
        agent: Name,
    },
    /// The skill is mounted with different options.
    #[error(
        "`{skill}` is mounted with other options; use `replace`, which gives it a new state, or mount it with `{{}}` to keep it as it is"
    )]
    #[non_exhaustive]
    OtherOptions {
        /// The name of the skill.
        skill: Name,
    },
    /// The agent has no `mounted: [...]`.
    #[error(
        "the agent `{agent}` has no mountable skills, so `{}` cannot be mounted or unmounted; write `mounted: [...]` in its `agent!`",
        shorten_name(.skill)
    )]
    #[non_exhaustive]
    MountsNone {
        /// The agent's name.
        agent: Name,
        /// The requested name.
        skill: String,
    },
    /// The registry has two skills or documents with the same name.
    #[error(
        "two entries of the registry have the name `{skill}`: {} and {}; remove one of them",
        type_or_document(.one), type_or_document(.other)
    )]
    #[non_exhaustive]
    Ambiguous {
        /// The shared name.
        skill: Name,
        /// The first type, or `document` for a document.
        one: Name,
        /// The second type, or `document` for a document.
        other: Name,
    },
    /// The registry has two skills with the same state key.
    #[error(
        "two skills of the registry have the state key `{key}`: `{one}` and `{other}`; remove one of them"
    )]
    #[non_exhaustive]
    AmbiguousKey {
        /// The shared state key.
        key: Name,
        /// The type of the first skill.
        one: Name,
        /// The type of the second skill.
        other: Name,
    },
}

impl MountError {
    /// Creates the error for a document with an invalid id. For crates that mount documents in some format.
    pub fn wrong_name(reason: &str) -> Self {
        Self::WrongName {
            reason: shorten(reason, 200).into_owned(),
        }
    }

    /// Creates the error for an agent without `mounted: [...]`.
    pub(crate) fn mounts_none(agent: &'static str, skill: &str) -> Self {
        Self::MountsNone {
            agent: agent.into(),
            skill: shorten_name(skill).into_owned(),
        }
    }
}

/// Returns the type name in backticks, or `None` for a document, which has no type.
fn quoted_type(name: &str) -> Option<String> {
    (name != DOCUMENT).then(|| format!("`{name}`"))
}

fn type_or_document(name: &str) -> String {
    quoted_type(name).unwrap_or_else(|| "a document".to_owned())
}

fn another_document(refused: &str, mounted: &str) -> String {
    if refused == mounted {
        return format!(
            "a different document `{mounted}` is already mounted; replace it, or unmount it first"
        );
    }
    format!(
        "the name `{refused}` is too similar to that of the mounted document `{mounted}`; give one of them another name"
    )
}

fn tool_help(by: &Option<Name>, suggestion: &Option<Name>) -> String {
    match (by, suggestion) {
        (Some(by), _) => format!("; mount `{by}` first"),
        (None, Some(name)) => suggest(Some(name)),
        (None, None) => "; mount a skill that has it first".to_owned(),
    }
}
