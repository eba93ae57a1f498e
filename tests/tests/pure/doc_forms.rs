//! The forms of a description in one place: `///`, `#[doc = "…"]`, `#[doc = include_str!(…)]`, `#[cfg_attr(…, doc = …)]`, and a `#[doc(…)]`
//! that is no text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// A timer.
#[derive(Skill, Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "timer", actions(Rest))]
pub struct Timer {
    hour: u32,
}

/// Rest.
///
#[doc = "Comment and attribute."]
#[doc(alias = "pause")]
#[doc = include_str!("doc_macros.md")]
#[action]
pub fn rest(
    timer: &mut Timer,
    /// Hours.
    ///
    #[doc = "At most 9."]
    #[doc = include_str!("doc_macros.md")]
    hours: u32,
    #[cfg_attr(all(), doc = concat!("The ", "zone."))]
    #[cfg_attr(any(), doc = "Never.")]
    zone: String,
) {
    timer.hour += hours + u32::from(zone.is_empty());
}

agent! {
    /// Keeps time.
    pub struct TimeKeeper {
        name: "time_keeper",
        skills: [Timer],
    }
}

#[test]
fn all_forms_of_a_description_are_read_in_their_order() {
    let [rest] = TimeKeeper::tools() else {
        panic!("one tool");
    };
    let of_file = "A clock.\n\nIt has `hands`.";
    assert_eq!(
        rest.description,
        format!("Rest.\n\nComment and attribute.\n\n{of_file}")
    );
    let properties = &rest.input_schema()["properties"];
    assert_eq!(
        properties["hours"]["description"],
        format!("Hours.\n\nAt most 9.\n\n{of_file}")
    );
    assert_eq!(properties["zone"]["description"], "The zone.");
}
