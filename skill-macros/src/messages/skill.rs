//! Messages about skills.

use super::{nearest, quoted};

pub(crate) fn requires_itself(name: &str) -> String {
    format!("the skill requires itself; remove `{name}` from `requires(...)`")
}

pub(crate) fn skill_without_name(suggestion: &str) -> String {
    format!("a skill needs a name; write `#[skill(name = \"{suggestion}\")]`")
}

pub(crate) fn generic(what: &str, each: &str) -> String {
    format!(
        "{what} cannot be generic: its names and schemas are made once, while compiling; write {each} for each case"
    )
}

pub(crate) fn with_lifetime(what: &str) -> String {
    format!("{what} has no lifetimes: it is made from JSON, and owns what it holds")
}

pub(crate) fn skipped() -> String {
    "serde skips this field, so that the state could not be read back as it was; let serde write and read the field, or keep the value outside the state".to_owned()
}

pub(crate) fn left_out(field: &str) -> String {
    format!(
        "the field `{field}` may be left out when the state is written, and has no default when it is read, so that the state could not be read back; write `#[serde(default, skip_serializing_if = \"...\")]`, with the value that is left out as the default"
    )
}

pub(crate) fn option_of_option(inner: &str) -> String {
    format!(
        "both `None` and `Some(None)` are written as `null`, so that the state could not be read back as it was; write `{inner}`, or an enum with a variant for each case"
    )
}

pub(crate) fn one_way_name(field: &str, written: &str, read: &str) -> String {
    format!(
        "the field `{field}` is written as `{written}` and read as `{read}`, so that the state could not be read back; write `#[serde(rename = \"{written}\", alias = \"{read}\")]`, which reads both"
    )
}

pub(crate) fn one_way_rule(field: &str, written: &str, read: &str, rule: &str) -> String {
    format!(
        "the field `{field}` is written as `{written}` and read as `{read}`, so that the state could not be read back; write one rule for both directions, `#[serde(rename_all = \"{rule}\")]`"
    )
}

pub(crate) fn flattened(what: &str) -> String {
    format!(
        "`#[serde(flatten)]` hides keys of {what} from the schema and from collision checks; write the field without it"
    )
}

pub(crate) fn flattened_secret() -> String {
    "a secret needs a key of its own, and `#[serde(flatten)]` gives the field none; write the field without it".to_owned()
}

pub(crate) fn field_without_default(field: &str) -> String {
    format!(
        "the field `{field}` has no default, and others have one; write `#[skill(default)]`, `#[skill(default = ...)]` or `#[skill(from_config)]` on it"
    )
}

pub(crate) fn default_and_from_config() -> String {
    "a field begins with `default` or with `from_config`; remove one of them".to_owned()
}

pub(crate) fn from_config_without_config() -> String {
    "`from_config` takes the value from the configuration, and this skill has none; write `config = Type` in `#[skill(...)]` of the struct".to_owned()
}

pub(crate) fn always_without_from_config() -> String {
    "`always` repeats `from_config` at every start, and this field has no `from_config`; write `#[skill(from_config, always)]`, or remove `always`".to_owned()
}

pub(crate) fn takes_tools() -> String {
    "`tools` describes tools by their actions: `tools(Action(title = \"...\", description = \"...\", args(name = \"...\")))`".to_owned()
}

pub(crate) fn takes_argument_texts() -> String {
    "`args` takes a description for each argument: `args(first = \"...\", second = \"...\")`"
        .to_owned()
}

pub(crate) fn tool_without_texts(action: &str) -> String {
    format!(
        "`{action}` is given no text; write `{action}(description = \"...\")`, or leave it out of `tools(...)`"
    )
}

pub(crate) fn tool_of_no_action(name: &str, listed: &[&str]) -> String {
    let list = "`actions(...)` of this skill";
    match nearest(name, listed) {
        Some(near) => format!("`{name}` is not in {list}; did you mean `{near}`?"),
        None if listed.is_empty() => format!("`{name}` is not in {list}; write `actions({name})`"),
        None => format!("`{name}` is not in {list}, which has {}", quoted(listed)),
    }
}

pub(crate) fn instructions_without_description() -> String {
    "a skill with instructions needs a description; write a doc comment on the struct, or `description = \"...\"`".to_owned()
}

pub(crate) fn shared_state(value: &str) -> String {
    format!(
        "copies of the state would share this value, so that a failed command could not be undone; write `{value}`, which actions change; \
         what several tasks share is a resource: `&Api` in an async action"
    )
}
