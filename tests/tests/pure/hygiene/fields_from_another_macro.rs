// A macro of the user gets some names as arguments and writes others itself, for one skill, action and agent.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

macro_rules! tank {
    ($field:ident, $function:ident, $argument:ident: $ty:ty = $value:expr) => {
        #[derive(Skill, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        #[skill(name = "tank", config = TankConfig, actions(Fill, Empty))]
        pub struct Tank {
            #[skill(from_config, secret)]
            pub $field: $ty,
            #[skill(default = $value)]
            pub level: $ty,
        }

        #[derive(SkillConfig, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        pub struct TankConfig {
            #[skill(default = $value, secret)]
            pub $field: $ty,
            pub other: $ty,
        }

        /// Fill it.
        #[action(type = Fill)]
        pub fn $function(
            tank: &mut Tank,
            cx: &mut Context<Tank>,
            #[arg(default = $value, range(0..=100))] $argument: $ty,
            #[arg(default)] more: $ty,
        ) -> Result<$ty, String> {
            tank.level += $argument + more + cx.config().other;
            (tank.level <= tank.$field)
                .then_some(tank.level)
                .ok_or("it overflows".to_owned())
        }

        /// Empty it.
        #[action]
        pub fn empty(tank: &mut Tank, #[serde(alias = "all")] $argument: $ty, by: $ty) -> $ty {
            tank.level = tank.level.saturating_sub($argument + by);
            tank.level
        }

        agent! {
            pub struct Plant {
                name: "plant",
                state: { #[skill(secret)] $field: $ty = $value, open: bool = true },
                skills: [Tank { $field: 9, other: 1 }],
            }
        }
    };
}

tank!(capacity, pour, litres: u32 = 3);

pub(crate) fn main() {
    let mut plant = Plant::new();
    assert_eq!(plant.cmd(Fill { litres: 1, more: 1 }).unwrap().output, 6);
    assert!(plant.call_json("pour", "{}").is_err());
    assert_eq!(
        plant.call_json("empty", r#"{"all":1,"by":1}"#).unwrap().output,
        "4"
    );
    assert_eq!(
        (plant.state().capacity, plant.state().tank.capacity),
        (3, 9)
    );
}
