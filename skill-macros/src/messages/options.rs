//! Messages about options and their values.

use super::{nearest, quoted};

pub(crate) fn unknown_option(name: &str, attribute: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(near) => format!("{attribute} has no option `{name}`; did you mean `{near}`?"),
        None => format!(
            "{attribute} has no option `{name}`; it has {}",
            quoted(known)
        ),
    }
}

/// Returns the message for an option's value that was written without the option's name.
pub(crate) fn value_alone(value: &str, attribute: &str, option: &str) -> String {
    format!("`{value}` is the value of an option of {attribute}: write `{option} = {value}`")
}

pub(crate) fn colon_for_equals() -> String {
    "an option is written with `=`: `name = \"...\"`".to_owned()
}

pub(crate) fn comma_between_options() -> String {
    "expected `,` between two options".to_owned()
}

pub(crate) fn elsewhere(name: &str, attribute: &str, cure: &str) -> String {
    format!("`{name}` does not belong in {attribute}; {cure}")
}

pub(crate) fn repeated(name: &str) -> String {
    format!("`{name}` is given twice; remove one of them")
}

pub(crate) fn repeated_here(name: &str) -> String {
    format!("`{name}` is given here first")
}

pub(crate) fn stray_literal(attribute: &str, known: &[&str]) -> String {
    format!("{attribute} takes options with names: {}", quoted(known))
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

pub(crate) fn edition_2015() -> &'static str {
    "this package has the edition 2015, in which the paths of generated code mean something else: write `edition = \"2021\"` or a \
     later one below `[package]` in Cargo.toml"
}

pub(crate) fn text_of_macro(name: &str) -> String {
    let instead = match name {
        "description" => {
            "leave it out, and write `#[doc = concat!(...)]` or `#[doc = include_str!(...)]` on the struct"
        }
        "instructions" => "write `manifest = \"SKILL.md\"` for a text in a file",
        _ => "macros are not expanded here",
    };
    format!("`{name}` takes text in quotes, `{name} = \"...\"`, and no macro: {instead}")
}

pub(crate) fn listed_action_attribute() -> String {
    "the only attribute of a listed action is `#[cfg(...)]`".to_owned()
}

pub(crate) fn takes_condition() -> &'static str {
    "`#[cfg(...)]` takes one condition: `#[cfg(unix)]`; write `all(...)` or `any(...)` around several"
}

pub(crate) fn too_many_conditions(most: usize) -> String {
    format!(
        "there are more than {most} different conditions: move what they have in common into one `#[cfg(all(...))]`, or write \
         `#[cfg]` on whole actions and skills"
    )
}

pub(crate) fn takes_version() -> String {
    "`version` takes text in quotes, `version = \"1.2.0\"`, or no value, which means the version of the package"
        .to_owned()
}

pub(crate) fn takes_path(name: &str) -> String {
    match name {
        "crate" => "`crate` takes a path without quotes: `crate = renamed`".to_owned(),
        "dialect" => {
            "`dialect` takes the name of a preset without quotes: `dialect = LILY`".to_owned()
        }
        "type" => {
            "`type` takes the name of the struct, one identifier without quotes: `type = Name`"
                .to_owned()
        }
        "when" => {
            "`when` takes the path of a function, without quotes: `when = not_empty`".to_owned()
        }
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

pub(crate) fn takes_priority(name: &str) -> String {
    format!("`{name}` takes a whole number from -100 to 100: `{name} = 5`")
}

pub(crate) fn takes_range(name: &str) -> String {
    format!("`{name}` takes a range in parentheses: `{name}(1..=5)`")
}

pub(crate) fn takes_regex(name: &str) -> String {
    format!("`{name}` takes a regular expression in quotes, in parentheses: `{name}(\"^[a-z]+$\")`")
}

pub(crate) fn takes_signals() -> String {
    "`on` takes signal types in quotes, and options: `on(\"calculator.add\", priority = 5, lenient)`"
        .to_owned()
}
