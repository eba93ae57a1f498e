//! Messages about agents.

use super::{nearest, quoted};

pub(crate) const AGENT_FORM: &str =
    "an agent is written `agent! { pub struct Name { name: \"name\", skills: [...] } }`";
pub(crate) const STATE_FORM: &str =
    "the base fields of the state are written `state: { name: Type = value, ... }`";
pub(crate) const SKILLS_FORM: &str =
    "the skills are written `skills: [Skill, Other as name, Third { key: value }]`";
pub(crate) const DEFERRED_FORM: &str =
    "the skills that a chat loads on demand are written `deferred: [Skill, Other as name]`";
pub(crate) const MOUNTED_FORM: &str =
    "the skills that may be mounted at run time are written `mounted: [Skill, Other]`";
pub(crate) const DOCUMENTS_FORM: &str =
    "the documents are written `documents: [PLAN, path::OTHER, ..FOLDER]`";
pub(crate) const DOCUMENT_FORM: &str = "a document is listed by the name of its `static` or `const`: `PLAN`, or `..FOLDER` for a list of documents";
pub(crate) const DOCUMENT_FILE: &str = "a document is listed by the name of its `static`, not by its file; write `static PLAN: SkillDoc = include_skill!(\"...\");` and list `PLAN`";
pub(crate) const DOCUMENT_MACRO: &str = "a document is listed by the name of its `static`; write `static PLAN: SkillDoc = include_skill!(\"...\");` and list `PLAN`";
pub(crate) const ALLOW_SKILLS_FORM: &str =
    "`allow_skills` takes `true` or `false`: `allow_skills: true`";
pub(crate) const FORBID_FORM: &str = "`forbid` takes names of hints in brackets, without quotes: `forbid: [destructive, open_world]`";
pub(crate) const SCHEDULES_FORM: &str =
    "the schedules are written `schedules: [hourly = every(HOUR) => \"feed.fetch\"]`";
pub(crate) const SCHEDULE_FORM: &str = "a schedule is written `name = every(INTERVAL) => \"signal.type\"` or `name = cron(\"0 9 * * *\", \"Europe/Berlin\") => \"signal.type\"`";
pub(crate) const ENTRY_FORM: &str = "a skill is listed as `Skill`, `Skill as name`, `Skill { key: value }` or `Skill as name { key: value }`";

pub(crate) fn keys_end_in_commas() -> String {
    "expected `,` between the keys of an agent".to_owned()
}

pub(crate) fn one_agent() -> String {
    "one `agent!` makes one agent; write another `agent!` for the next".to_owned()
}

pub(crate) fn agent_key_expected(known: &[&str]) -> String {
    format!("expected a key of an agent: {}", quoted(known))
}

pub(crate) fn no_attribute_on_a_key() -> String {
    "a key of `agent!` has no attributes; a condition stands before an entry, as in `skills: [#[cfg(...)] Notes]`, and a description above `struct`".to_owned()
}

/// Names that other libraries give to parts of an agent, and the place of such a part.
const KEYS_ELSEWHERE: [(&[&str], &str); 3] = [
    (
        &[
            "instructions",
            "instruction",
            "system",
            "system_prompt",
            "prompt",
            "preamble",
        ],
        "write text for the model as `#[skill(instructions = \"...\")]` on a skill, or as `.system(\"...\")` of a chat",
    ),
    (
        &["tools", "functions"],
        "list actions of a skill in its `#[skill(actions(...))]`, and actions of the agent in `actions: [...]`",
    ),
    (
        &["model", "models", "llm", "provider", "temperature"],
        "give the model to the chat: `Chat::builder(model, toolbox)`",
    ),
];

pub(crate) fn unknown_key(name: &str, known: &[&str]) -> String {
    let elsewhere = KEYS_ELSEWHERE
        .iter()
        .find(|(names, _)| names.contains(&name));
    if let Some((_, place)) = elsewhere {
        return format!("`agent!` has no key `{name}`; {place}");
    }
    match nearest(name, known) {
        Some(near) => format!("`agent!` has no key `{name}`; did you mean `{near}`?"),
        None => format!("`agent!` has no key `{name}`; it has {}", quoted(known)),
    }
}

pub(crate) fn agent_key_value(key: &str, form: &str) -> String {
    format!("`{key}` needs a value: `{form}`")
}

pub(crate) fn agent_key_colon(form: &str) -> String {
    format!("a key of an agent is written with `:`: `{form}`")
}

pub(crate) fn agent_takes_text(key: &str, form: &str) -> String {
    format!("`{key}` takes text in quotes: `{form}`")
}

pub(crate) fn takes_text_array(key: &str, form: &str) -> String {
    format!("`{key}` takes text in quotes, in brackets: `{form}`")
}

pub(crate) fn takes_path_array(key: &str, form: &str) -> String {
    format!("`{key}` takes types in brackets: `{form}`")
}

pub(crate) fn agent_takes_path() -> String {
    "`crate` takes a path without quotes: `crate: renamed`".to_owned()
}

pub(crate) fn agent_takes_config() -> String {
    "`config` takes a type, and values for its fields: `config: Type { key: value }`".to_owned()
}

pub(crate) fn config_form() -> String {
    "a configuration is written `{ key: value, ... }`".to_owned()
}

pub(crate) fn config_rest() -> String {
    "fields that are left out keep their defaults; remove `..`".to_owned()
}

pub(crate) fn alias_form(path: &str) -> String {
    format!("`as` takes a name, without quotes: `{path} as name`")
}

pub(crate) fn agent_without_name(suggestion: &str) -> String {
    format!("an agent needs a name; write `name: \"{suggestion}\"`")
}

pub(crate) fn agent_derives(name: &str) -> String {
    match name {
        "Serialize" | "Deserialize" => format!(
            "an agent is not `{name}`: `state_json()` writes its state as JSON, and `from_state_json` reads it; remove `{name}` from the derives"
        ),
        _ => format!(
            "`agent!` writes `{name}` itself, or has no use for it; remove it from the derives"
        ),
    }
}

pub(crate) fn agent_skill() -> String {
    "an agent is not a skill; its options are the keys of `agent!`: `name: \"...\"`".to_owned()
}

pub(crate) fn agent_serde() -> String {
    "`agent!` writes how the state is serialized; `#[serde(...)]` belongs on a skill or a base field".to_owned()
}

pub(crate) fn base_field_attribute() -> String {
    "the only attribute of serde on a base field is `#[serde(rename = \"...\")]`; a type of its own can have the others".to_owned()
}

pub(crate) fn base_field_without_type(form: &str) -> String {
    format!("a base field has a type before its value; write `{form}`")
}

pub(crate) fn base_field_twice(name: &str) -> String {
    format!("two base fields have the key `{name}`; rename one of them")
}

pub(crate) fn skill_twice(path: &str, alias: &str) -> String {
    format!(
        "the skill `{path}` is listed twice; remove one, or list it under another name: `{path} as {alias}_2`"
    )
}

pub(crate) fn skill_deferred_twice(path: &str) -> String {
    format!(
        "the skill `{path}` is in `skills` and in `deferred`; remove it from one of them: `skills` offers its tools to a chat at \
         once, `deferred` offers them after a load"
    )
}

pub(crate) fn skill_here(path: &str) -> String {
    format!("`{path}` is listed here first")
}

pub(crate) fn field_twice(field: &str, path: &str) -> String {
    format!(
        "two skills would be the field `{field}` of the state; list one under another name: `{path} as ...`"
    )
}

pub(crate) fn field_is_base(field: &str, path: &str) -> String {
    format!(
        "`{field}` is also a base field of the state; rename the field, or list the skill under another name: `{path} as ...`"
    )
}

pub(crate) fn field_is_reserved(field: &str, path: &str) -> String {
    format!(
        "the state of an agent keeps its base fields under `{field}`; list the skill under another name: `{path} as ...`"
    )
}

pub(crate) fn field_is_mounted(field: &str) -> String {
    format!("the state keeps the skills of `mounted: [...]` under `{field}`; choose another name")
}

pub(crate) fn schedule_twice(name: &str) -> String {
    format!("two schedules have the name `{name}`; rename one of them")
}

pub(crate) fn mounted_alias(path: &str) -> String {
    format!(
        "a skill in `mounted: [...]` cannot have another name: it is mounted under its own; write `{path}`, or list it in `skills: [...]`"
    )
}

pub(crate) fn mounted_config(path: &str) -> String {
    format!(
        "a skill in `mounted: [...]` gets its options when it is mounted: `cx.mount(\"...\", &options)`; write `{path}`"
    )
}

pub(crate) fn mounted_twice(path: &str) -> String {
    format!("the skill `{path}` is listed twice in `mounted: [...]`; remove one of them")
}

pub(crate) fn bad_alias(alias: &str) -> String {
    format!(
        "`{alias}` cannot name a skill: it becomes a field, a state key and the beginning of tool names; write a lower-case letter, and at most 31 more of `a-z`, `0-9`, `_`"
    )
}

pub(crate) fn reserved_alias(alias: &str) -> String {
    format!(
        "`{alias}` cannot name a skill: `agent.{alias}()` is a method that every agent has; take another name"
    )
}

pub(crate) fn alias_is_keyword(alias: &str) -> String {
    format!("`{alias}` cannot name a skill: it is a keyword; take another name")
}

pub(crate) fn entry_attribute() -> String {
    "the only attribute of a listed skill is `#[cfg(...)]`".to_owned()
}

pub(crate) fn module_as_skill(word: &str) -> String {
    format!("`{word}` is not the type of a skill: write the type, as in `skills: [Stats]`")
}

pub(crate) fn dyn_skill() -> String {
    "a skill is a type of its own, not a trait object: its state, names and schemas are known while compiling".to_owned()
}

pub(crate) fn config_twice(name: &str) -> String {
    format!("the configuration sets `{name}` twice; remove one of them")
}

pub(crate) fn document_attribute() -> String {
    "the only attribute of a listed document is `#[cfg(...)]`".to_owned()
}

pub(crate) fn key_of_skill_agent(key: &str) -> String {
    format!(
        "`{key}` needs the `agent!` of the crate `skill-agent`, and this is the `agent!` of `skill-core`; write `use skill_agent::agent;`"
    )
}

pub(crate) fn key_without_manifest(key: &str) -> String {
    format!(
        "`{key}` needs the feature `manifest` of the crate `skill-agent`; add `features = [\"manifest\"]` to it in `Cargo.toml`"
    )
}

pub(crate) fn unknown_hint(word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(near) => format!("no action has a hint `{word}`; did you mean `{near}`?"),
        None => {
            format!(
                "no action has a hint `{word}`; `forbid` takes {}",
                quoted(known)
            )
        }
    }
}

pub(crate) fn promise_forbidden(word: &str, known: &[&str]) -> String {
    format!(
        "`{word}` is a promise of an action, which no agent needs to forbid; `forbid` takes {}",
        quoted(known)
    )
}
