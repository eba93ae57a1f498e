// A field is secret in a struct that is neither a skill nor a configuration.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A name and a password.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Login {
    user: String,
    #[skill(secret)]
    password: String,
}

fn main() {}
