// A base field next to a secret has a type without `Debug`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Address {
    street: String,
}

agent! {
    struct Clerk {
        name: "clerk",
        state: {
            address: Address,
            #[skill(secret)]
            badge: u32,
        },
    }
}

fn main() {}
