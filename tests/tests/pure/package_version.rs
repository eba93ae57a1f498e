//! Skills with the version of their package.

use fixture_speech::Whistle;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Calls a dog.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "dog", version, requires("whistle@=0.4.0-alpha.2"))]
struct Dog {}

agent! {
    struct Shepherd {
        name: "shepherd",
        skills: [Dog, Whistle],
    }
}

#[test]
fn a_skill_takes_the_version_of_the_package_in_which_it_is_written() {
    assert_eq!(Dog::SPEC.version, Some(env!("CARGO_PKG_VERSION")));
    assert_eq!(Whistle::SPEC.version, Some("0.4.0-alpha.2"));
    let skills = &Shepherd::describe()["skills"];
    assert_eq!(skills[1]["version"], "0.4.0-alpha.2");
}
