//! Every text the macros say, so that they sound alike: lower case, no full stop, what is wrong, what to write instead.

use std::fmt::Display;

pub(crate) const AGENT_FORM: &str =
    "an agent is written `agent! { pub struct Name { name: \"name\", skills: [...] } }`";
pub(crate) const STATE_FORM: &str =
    "the base fields of the state are written `state: { name: Type = value, ... }`";
pub(crate) const SKILLS_FORM: &str =
    "the skills are written `skills: [Skill, Other as name, Third { key: value }]`";
pub(crate) const ENTRY_FORM: &str = "a skill is listed as `Skill`, `Skill as name`, `Skill { key: value }` or `Skill as name { key: value }`";

// --- options -------------------------------------------------------------------------------------------------------

pub(crate) fn unknown_option(name: &str, place: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(near) => format!("{place} has no option `{name}`; did you mean `{near}`?"),
        None => format!("{place} has no option `{name}`; it has {}", quoted(known)),
    }
}

pub(crate) fn elsewhere(name: &str, place: &str, cure: &str) -> String {
    format!("`{name}` does not belong in {place}; {cure}")
}

pub(crate) fn repeated(name: &str) -> String {
    format!("`{name}` is given twice; take one of them out")
}

pub(crate) fn repeated_here(name: &str) -> String {
    format!("`{name}` is given here first")
}

pub(crate) fn stray_literal(place: &str, known: &[&str]) -> String {
    format!("{place} takes options with names: {}", quoted(known))
}

pub(crate) fn not_an_expression(name: &str) -> String {
    format!("the value of `{name}` cannot be read as an expression")
}

pub(crate) fn attribute_without_list(name: &str) -> String {
    format!("write the options of `{name}` in parentheses: `#[{name}(...)]`")
}

pub(crate) fn takes_text(name: &str) -> String {
    format!("`{name}` takes text in quotes: `{name} = \"...\"`")
}

pub(crate) fn takes_path(name: &str) -> String {
    match name {
        "crate" => "`crate` takes a path without quotes: `crate = renamed`".to_owned(),
        "type" => "`type` takes the name of the struct without quotes: `type = Name`".to_owned(),
        _ => format!("`{name}` takes a type without quotes: `{name} = Type`"),
    }
}

pub(crate) fn takes_paths(name: &str) -> String {
    format!("`{name}` takes types in parentheses, without quotes: `{name}(First, Second)`")
}

pub(crate) fn takes_texts(name: &str) -> String {
    format!("`{name}` takes text in quotes, in parentheses: `{name}(\"first\", \"second\")`")
}

pub(crate) fn takes_nothing(name: &str) -> String {
    format!("`{name}` takes no value; write `{name}` alone, or leave it out")
}

pub(crate) fn takes_value(name: &str) -> String {
    format!("`{name}` takes a value: `{name} = ...`")
}

pub(crate) fn takes_range(name: &str) -> String {
    format!("`{name}` takes a range in parentheses: `{name}(1..=5)`")
}

pub(crate) fn takes_regex(name: &str) -> String {
    format!("`{name}` takes a regular expression in quotes, in parentheses: `{name}(\"^[a-z]+$\")`")
}

pub(crate) fn takes_signals() -> String {
    "`on` takes signal types, and a priority: `on(\"calculator.add\", priority = 5)`".to_owned()
}

pub(crate) fn agent_key_expected(known: &[&str]) -> String {
    format!("expected a key of an agent: {}", quoted(known))
}

pub(crate) fn agent_key_value(key: &str) -> String {
    format!("`{key}` needs a value: `{key}: ...`")
}

pub(crate) fn agent_takes_text(key: &str) -> String {
    format!("`{key}` takes text in quotes: `{key}: \"...\"`")
}

pub(crate) fn takes_text_array(key: &str) -> String {
    format!("`{key}` takes text in quotes, in brackets: `{key}: [\"first\", \"second\"]`")
}

pub(crate) fn takes_path_array(key: &str) -> String {
    format!("`{key}` takes types in brackets: `{key}: [First, Second]`")
}

// --- grammar -------------------------------------------------------------------------------------------------------

pub(crate) fn empty(what: &str) -> String {
    format!("{what} is empty; write some text, or leave it out")
}

pub(crate) fn bad_name(what: &str, name: &str) -> String {
    format!(
        "`{name}` cannot be the name of {what}: it begins with a lower-case letter and goes on with at most 63 of `a-z`, `0-9`, `_`, `-`"
    )
}

pub(crate) fn bad_state_key(key: &str) -> String {
    format!(
        "`{key}` cannot be a state key: it is a Rust identifier of ASCII letters, digits and `_`, at most 64 of them"
    )
}

pub(crate) fn reserved_state_key(key: &str) -> String {
    format!("`{key}` cannot be a state key: it is reserved; take another one")
}

pub(crate) fn bad_tool_name(name: &str) -> String {
    format!(
        "`{name}` cannot be the name of a tool: model providers take 1 to 64 of `a-z`, `A-Z`, `0-9`, `_`, `-`"
    )
}

pub(crate) fn bad_argument_name(name: &str) -> String {
    format!(
        "`{name}` cannot be the name of an argument: model providers take 1 to 64 of `a-z`, `A-Z`, `0-9`, `_`, `.`, `-`"
    )
}

pub(crate) fn bad_version(version: &str, why: &dyn Display) -> String {
    format!("`{version}` is not a semantic version ({why}); write it like `1.2.0`")
}

pub(crate) fn bad_requirement(requirement: &str, why: &dyn Display) -> String {
    format!("`{requirement}` is not a requirement ({why}); write `name` or `name@^1.2`")
}

pub(crate) fn bad_pattern(pattern: &str, why: &str) -> String {
    format!(
        "`{pattern}` is not a signal pattern: {why}; write it like `order.*.paid` or `order.**`"
    )
}

pub(crate) fn bad_regex(why: &dyn Display) -> String {
    format!("this regular expression does not compile: {why}")
}

pub(crate) fn bad_priority() -> String {
    "a priority is a whole number from -100 to 100".to_owned()
}

pub(crate) fn listed_twice(what: &str, name: &str) -> String {
    format!("{what} `{name}` is listed twice; take one of them out")
}

pub(crate) fn priority_twice() -> String {
    "`priority` is given twice; it holds for every signal type of this `on(...)`".to_owned()
}

pub(crate) fn listed_here(name: &str) -> String {
    format!("`{name}` is listed here first")
}

// --- skills --------------------------------------------------------------------------------------------------------

pub(crate) fn skill_without_name(suggestion: &str) -> String {
    format!("a skill needs a name; write `#[skill(name = \"{suggestion}\")]`")
}

pub(crate) fn not_a_struct(what: &str) -> String {
    format!(
        "a skill is a struct with named fields, and this is {what}; its state has to be a JSON object"
    )
}

pub(crate) fn tuple_skill(name: &str) -> String {
    format!(
        "a skill is a struct with named fields, so that its state is a JSON object; write `struct {name} {{ field: Type }}`"
    )
}

pub(crate) fn unit_skill(name: &str) -> String {
    format!(
        "a skill is a struct with named fields, so that its state is a JSON object; write `struct {name} {{}}`"
    )
}

pub(crate) fn generic(what: &str) -> String {
    format!(
        "{what} cannot be generic: its names and schemas are made once, while compiling; write a type for each case"
    )
}

pub(crate) fn flattened(what: &str) -> String {
    format!(
        "`#[serde(flatten)]` hides keys of {what} from the schema and from collision checks; write the field without it"
    )
}

pub(crate) fn default_without_serde() -> String {
    "a field has `#[skill(default)]` or `#[skill(from_config)]`, so the struct needs `#[serde(default)]`: partial JSON takes the same defaults".to_owned()
}

pub(crate) fn field_without_default(field: &str) -> String {
    format!(
        "the field `{field}` has no default, and others have one; write `#[skill(default)]`, `#[skill(default = ...)]` or `#[skill(from_config)]` on it"
    )
}

pub(crate) fn default_and_from_config() -> String {
    "a field begins with `default` or with `from_config`; take one of them out".to_owned()
}

pub(crate) fn from_config_without_config() -> String {
    "`from_config` takes the value from the configuration, and this skill has none; write `config = Type` in `#[skill(...)]` of the struct".to_owned()
}

pub(crate) fn instructions_without_description() -> String {
    "a skill with instructions needs a description; write a doc comment on the struct, or `description = \"...\"`".to_owned()
}

// --- actions -------------------------------------------------------------------------------------------------------

pub(crate) fn action_without_description(name: &str) -> String {
    format!(
        "the action `{name}` has no doc comment; write what it does, a model picks by it: `/// ...`"
    )
}

pub(crate) fn action_on(what: &str) -> String {
    format!("`#[action]` goes on a function, and this is {what}")
}

pub(crate) fn action_method() -> String {
    "an action is a free function, not a method; write `fn name(skill: &mut Skill, ...)`".to_owned()
}

pub(crate) fn action_async(name: &str) -> String {
    format!(
        "the action `{name}` is `async`: effectful actions need a server, which this version does not have; take `async` out, or do the work outside and pass the result in"
    )
}

pub(crate) fn action_qualified(word: &str) -> String {
    format!("an action cannot be `{word}`; take it out")
}

pub(crate) fn action_variadic() -> String {
    "an action takes a fixed number of arguments".to_owned()
}

pub(crate) fn action_where() -> String {
    "an action has no lifetimes and no type parameters; its arguments are owned".to_owned()
}

pub(crate) fn no_first_parameter() -> String {
    "the first parameter of an action is its skill: `skill: &mut Skill`, or `skill: &Skill` when it changes nothing".to_owned()
}

pub(crate) fn skill_by_value(ty: &str) -> String {
    format!(
        "the first parameter of an action is its skill, by reference: `&mut {ty}`, or `&{ty}` when it changes nothing"
    )
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
    "the context is taken to change: `cx: &mut Context<Skill>`".to_owned()
}

pub(crate) fn reference_argument(owned: &str) -> String {
    format!("an argument is owned, since it comes from JSON; write `{owned}`")
}

pub(crate) fn impl_argument() -> String {
    "an argument has one type, which the schema shows; write it out".to_owned()
}

pub(crate) fn pattern_argument() -> String {
    "an argument has a name, which the model reads; write `name: Type` and take it apart in the body".to_owned()
}

pub(crate) fn injected_with_options(what: &str) -> String {
    format!("{what} is given by the agent and is no argument; take `#[arg(...)]` out")
}

pub(crate) fn reference_answer(owned: &str) -> String {
    format!("an answer is owned, since it leaves the state; write `{owned}`")
}

pub(crate) fn impl_answer() -> String {
    "an answer has one type, which the schema shows; write it out".to_owned()
}

pub(crate) fn read_only_mut() -> String {
    "`read_only` promises to change nothing, and the skill is taken as `&mut`; take it as `&`, or take `read_only` out".to_owned()
}

pub(crate) fn read_only_destructive() -> String {
    "an action is `read_only` or `destructive`, not both; take one of them out".to_owned()
}

pub(crate) fn destructive_shared() -> String {
    "`destructive` says that something may be lost, and the skill is taken as `&`, which changes nothing; take it as `&mut`, or take `destructive` out".to_owned()
}

pub(crate) fn serde_default_argument() -> String {
    "write `#[arg(default)]` or `#[arg(default = ...)]`, so that the schema shows the default too"
        .to_owned()
}

pub(crate) fn serde_rename_argument() -> String {
    "write `#[arg(rename = \"...\")]`".to_owned()
}

pub(crate) fn same_argument(name: &str) -> String {
    format!("two arguments have the JSON name `{name}`; rename one of them")
}

pub(crate) fn same_argument_here(name: &str) -> String {
    format!("the other argument with the JSON name `{name}`")
}

pub(crate) fn struct_is_skill(name: &str) -> String {
    format!(
        "the struct of this action would be `{name}`, the name of its skill; write `type = ...` in `#[action(...)]`"
    )
}

pub(crate) fn struct_is_function(name: &str) -> String {
    format!(
        "the struct of this action would be `{name}`, the name of the function; write `type = ...` in `#[action(...)]`"
    )
}

// --- agents --------------------------------------------------------------------------------------------------------

pub(crate) fn agent_without_name(suggestion: &str) -> String {
    format!("an agent needs a name; write `name: \"{suggestion}\"`")
}

pub(crate) fn agent_derives(name: &str) -> String {
    format!("`agent!` writes `{name}` itself, or has no use for it; take it out of the derives")
}

pub(crate) fn agent_serde() -> String {
    "`agent!` writes how the state is serialized; `#[serde(...)]` belongs on a skill or a base field".to_owned()
}

pub(crate) fn base_field_attribute() -> String {
    "of serde's attributes a base field takes `#[serde(rename = \"...\")]` only; a type of its own can have the others".to_owned()
}

pub(crate) fn base_field_twice(name: &str) -> String {
    format!("two base fields have the key `{name}`; rename one of them")
}

pub(crate) fn skill_twice(path: &str, alias: &str) -> String {
    format!(
        "the skill `{path}` is listed twice; take one out, or list it under another name: `{path} as {alias}_2`"
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
        "`{field}` is where the state of an agent keeps its base fields; list the skill under another name: `{path} as ...`"
    )
}

pub(crate) fn bad_alias(alias: &str) -> String {
    format!(
        "`{alias}` cannot name a skill: it becomes a field, a state key and the beginning of tool names; write lower-case letters, digits and `_`"
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
    "of attributes a listed skill takes `#[cfg(...)]` only".to_owned()
}

pub(crate) fn dyn_skill() -> String {
    "a skill is a type of its own, not a trait object: its state, names and schemas are known while compiling".to_owned()
}

pub(crate) fn config_twice(name: &str) -> String {
    format!("the configuration sets `{name}` twice; take one of them out")
}

// --- helpers -------------------------------------------------------------------------------------------------------

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The known name that was probably meant.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), *candidate))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}
