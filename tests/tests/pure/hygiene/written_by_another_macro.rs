// A macro of the user writes skills, actions and agents: types, paths, literals and expressions are in invisible groups.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

macro_rules! counter {
    ($module:ident, $skill:ident, $number:ty, $name:literal, $start:expr, $signal:literal, $pattern:literal, $when:path) => {
        mod $module {
            use super::*;

            /// Counts.
            #[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            #[skill(name = $name, tags($name), actions(Step))]
            pub struct $skill {
                #[skill(default = $start)]
                pub count: $number,
            }

            /// Count.
            #[action(name = $signal, on($pattern), when = $when)]
            pub fn step(
                skill: &mut $skill,
                #[arg(default = $start, range(0..))] by: $number,
            ) -> $number {
                skill.count += by;
                skill.count
            }
        }
    };
}

fn always<T>(_: &T) -> Result<(), String> {
    Ok(())
}

counter!(
    small,
    Small,
    u8,
    "small",
    1,
    "step-small",
    "small.step",
    always
);
counter!(
    large,
    Large,
    u64,
    "large",
    1 << 40,
    "step-large",
    "large.step",
    super::always
);

macro_rules! agent_of {
    ($agent:ident, $name:literal, $field:ident: $ty:ty = $value:expr, [$($skill:path),*], $other:ident as $alias:ident) => {
        use small::Small as $other;
        agent! {
            #[derive(Debug, PartialEq)]
            struct $agent {
                name: $name,
                state: { $field: $ty = $value },
                skills: [$($skill,)* $other as $alias],
            }
        }
    };
}

agent_of!(Counters, "counters", limit: u32 = 3 + 4, [large::Large], Other as other);

pub(crate) fn main() {
    let mut agent = Counters::new();
    assert_eq!(agent.other().cmd(small::Step { by: 2 }).unwrap().output, 3);
    assert_eq!(
        agent.call_json("step-large", "{}").unwrap().output,
        (2u64 << 40).to_string()
    );
    assert_eq!(agent.state().limit, 7);
}
