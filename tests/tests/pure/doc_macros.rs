//! Descriptions that a macro writes: `#[doc = concat!(…)]` and `#[doc = include_str!(…)]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[doc = include_str!("doc_macros.md")]
#[derive(Skill, Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "clock", actions(Wait, Look))]
pub struct Clock {
    #[doc = concat!("The ", "hour.")]
    hour: u32,
}

macro_rules! time {
    () => {
        "It takes some time."
    };
}

/// Wait.
///
#[doc = time!()]
/// Then it ends.
#[action]
pub fn wait(clock: &mut Clock, #[doc = concat!("Hours, ", "at most 9.")] hours: u32) {
    clock.hour += hours;
}

#[doc = include_str!("doc_macros.md")]
#[action(read_only)]
pub fn look(
    clock: &Clock,
    #[doc = concat!("The ", "zone.")]
    #[serde(alias = "area")]
    zone: String,
) -> String {
    format!("{} {zone}", clock.hour)
}

agent! {
    #[doc = concat!("Keeps ", "time.")]
    pub struct Keeper {
        name: "keeper",
        state: {
            #[doc = concat!("The ", "owner.")]
            pub owner: String = String::new(),
        },
        skills: [Clock],
    }
}

#[test]
fn a_doc_macro_is_a_description() {
    let [wait, look] = Keeper::tools() else {
        panic!("two tools");
    };
    assert_eq!(
        wait.description,
        "Wait.\n\nIt takes some time.\nThen it ends."
    );
    assert_eq!(look.description, "A clock.\n\nIt has `hands`.");
    assert_eq!(
        wait.input_schema()["properties"]["hours"]["description"],
        "Hours, at most 9."
    );
    assert_eq!(
        look.input_schema()["properties"]["zone"]["description"],
        "The zone."
    );
    assert_eq!(
        Keeper::skills()[0].description,
        Some("A clock.\n\nIt has `hands`.")
    );
    assert_eq!(Keeper::SPEC.description, Some("Keeps time."));
    let schema = Keeper::schema().as_value();
    assert_eq!(schema["properties"]["owner"]["description"], "The owner.");
}
