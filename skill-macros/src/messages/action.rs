//! Messages about actions.

use super::{nearest, quoted};

pub(crate) fn action_without_description(name: &str) -> String {
    format!(
        "the action `{name}` has no doc comment; describe what it does, since a model chooses actions by their descriptions: `/// ...`"
    )
}

pub(crate) fn skill_attribute_on_action() -> String {
    "`#[skill(...)]` belongs on a struct and its fields; the options of an action are in `#[action(...)]`, those of an argument in `#[arg(...)]`".to_owned()
}

pub(crate) fn argument_attribute_on_action(name: &str) -> String {
    format!(
        "`#[{name}(...)]` does not belong on an action; its options are in `#[action(...)]`, such as `rename_all = \"camelCase\"`, those of an argument in `#[arg(...)]` on the parameter, such as `rename = \"...\"`"
    )
}

pub(crate) fn action_on(what: &str) -> String {
    format!("`#[action]` belongs on a function, and this is {what}")
}

pub(crate) fn action_without_body() -> String {
    "`#[action]` belongs on a function with a body; an action is a free function: `fn name(skill: &mut Skill, ...) { ... }`".to_owned()
}

pub(crate) fn derive_of_its_own(name: &str) -> String {
    format!("`#[action]` writes `{name}` itself; remove it from `derive(...)`")
}

pub(crate) fn action_by_function(function: &str, structure: &str) -> String {
    format!(
        "an action is listed by its struct, which `#[action]` makes of the function `{function}`; write `{structure}`"
    )
}

pub(crate) fn action_method() -> String {
    "an action is a free function, not a method; write `fn name(skill: &mut Skill, ...)`".to_owned()
}

pub(crate) fn action_qualified(word: &str) -> String {
    format!("an action cannot be `{word}`; remove it")
}

pub(crate) fn action_variadic() -> String {
    "an action takes a fixed number of arguments".to_owned()
}

pub(crate) fn action_where() -> String {
    "an action has no lifetimes and no type parameters: it borrows its skill for the call, and owns its arguments".to_owned()
}

pub(crate) fn no_first_parameter() -> String {
    "the first parameter of an action is its skill: `skill: &mut Skill`, or `skill: &Skill` when it changes nothing".to_owned()
}

pub(crate) fn skill_by_value(ty: &str) -> String {
    format!(
        "the first parameter of an action is its skill, by reference: `&mut {ty}`, or `&{ty}` when it changes nothing"
    )
}

pub(crate) fn skill_first(name: &str, ty: &str) -> String {
    format!("the skill of an action is its first parameter; put `{name}: {ty}` before the others")
}

pub(crate) fn context_by_value() -> String {
    "the context is taken by reference: `cx: &mut Context<Skill>`".to_owned()
}

pub(crate) fn context_place() -> String {
    "the context is the second parameter, after the skill".to_owned()
}

pub(crate) fn context_first() -> String {
    "the skill comes first and the context second: `fn name(skill: &mut Skill, cx: &mut Context<Skill>, ...)`".to_owned()
}

pub(crate) fn context_shared() -> String {
    "the context is taken by mutable reference: `cx: &mut Context<Skill>`".to_owned()
}

pub(crate) fn reference_argument(owned: &str) -> String {
    format!("an argument is owned, since it comes from JSON; write `{owned}`")
}

pub(crate) fn second_skill(owned: &str) -> String {
    format!(
        "an action has one skill, its first parameter; every other parameter is an argument, which is owned, since it comes from JSON: `{owned}`; a client or a pool is a resource, which needs `async fn`"
    )
}

pub(crate) fn impl_argument() -> String {
    "an argument has one type, which the schema shows; write it out".to_owned()
}

pub(crate) fn pattern_argument() -> String {
    "an argument has a name, which the model reads; write `name: Type` and take it apart in the body".to_owned()
}

pub(crate) fn argument_without_name() -> String {
    "an argument has a name, which the model reads; write `name: Type`".to_owned()
}

pub(crate) fn negative_length() -> String {
    "a length cannot be negative".to_owned()
}

pub(crate) fn empty_range(range: &str) -> String {
    format!("the range `{range}` is empty; write the lower limit first")
}

pub(crate) fn outside_of_range(what: &str, value: &str, range: &str) -> String {
    format!("the {what} `{value}` is outside of `range({range})`; change one of them")
}

pub(crate) fn injected_with_options(what: &str) -> String {
    format!("{what} is given by the agent and is not an argument; remove `#[arg(...)]`")
}

pub(crate) fn reference_answer(owned: &str) -> String {
    format!("an answer is owned, since it leaves the state; write `{owned}`")
}

pub(crate) fn impl_answer() -> String {
    "an answer has one type, which the schema shows; write it out".to_owned()
}

pub(crate) fn read_only_mut() -> String {
    "`read_only` promises to change nothing, and the skill is taken as `&mut`; take it as `&`, or remove `read_only`".to_owned()
}

pub(crate) fn read_only_destructive() -> String {
    "an action is `read_only` or `destructive`, not both; remove one of them".to_owned()
}

pub(crate) fn destructive_shared() -> String {
    "`destructive` says that something may be lost, and the skill is taken as `&`, which changes nothing; take it as `&mut`, or remove `destructive`".to_owned()
}

pub(crate) fn serde_default_argument() -> String {
    "`#[serde(default)]` is not shown in the schema of an argument; write `#[arg(default)]` or `#[arg(default = ...)]`".to_owned()
}

pub(crate) fn serde_rename_argument() -> String {
    "`#[serde(rename)]` does not name an argument; write `#[arg(rename = \"...\")]`".to_owned()
}

/// `limits` is the range for `#[arg(...)]`, such as `1..=5`.
pub(crate) fn schemars_argument(option: &str, limits: &str) -> String {
    let write = match option {
        "range" | "length" => format!("write `#[arg({option}({limits}))]`"),
        "regex" | "pattern" => "write `#[arg(pattern(\"...\"))]`".to_owned(),
        "example" => "write `#[arg(example = ...)]`".to_owned(),
        "rename" => "write `#[arg(rename = \"...\")]`".to_owned(),
        "default" => "write `#[arg(default)]` or `#[arg(default = ...)]`".to_owned(),
        "description" | "title" => "describe it in a doc comment: `/// ...`".to_owned(),
        _ => "the options of an argument are `default`, `rename`, `range`, `length`, `pattern` and `example` of `#[arg(...)]`".to_owned(),
    };
    format!("`#[schemars(...)]` belongs on a field of a type, and this is an argument; {write}")
}

pub(crate) fn unknown_rename_rule(rule: &str, known: &[&str]) -> String {
    let rules = quoted(known);
    match nearest(rule, known) {
        Some(near) => format!(
            "`rename_all` has no rule `{rule}`; did you mean `{near}`? its rules are {rules}"
        ),
        None => format!("`rename_all` has no rule `{rule}`; its rules are {rules}"),
    }
}

pub(crate) fn same_argument(first: &str, second: &str, name: &str) -> String {
    format!(
        "the arguments `{first}` and `{second}` have the JSON name `{name}`; write another one in `#[arg(rename = \"...\")]`"
    )
}

pub(crate) fn same_argument_here(name: &str) -> String {
    format!("the JSON name `{name}` is given here first")
}

pub(crate) fn struct_is_skill(name: &str) -> String {
    format!(
        "the struct of this action would be `{name}`, the name of its skill; write `type = ...` in `#[action(...)]`"
    )
}

pub(crate) fn struct_is_in_signature(name: &str) -> String {
    format!(
        "the struct of this action would be `{name}`, the name of a type in its signature; write `type = ...` in `#[action(...)]`"
    )
}

pub(crate) fn struct_hides_type(name: &str) -> String {
    format!(
        "the struct of this action would be `{name}` and hide the other `{name}` in this module; give it another name: `#[action(type = {name}Action)]`"
    )
}

pub(crate) fn struct_is_function(name: &str) -> String {
    format!(
        "the struct of this action would be `{name}`, the name of the function; write `type = ...` in `#[action(...)]`"
    )
}
