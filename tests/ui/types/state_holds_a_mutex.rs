// A field of a state is shared with other threads, and read and written by functions of its own.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::sync::{Arc, Mutex};

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter")]
struct Counter {
    #[serde(with = "shared")]
    #[schemars(with = "u32")]
    count: Arc<Mutex<u32>>,
}

mod shared {
    use super::*;
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(count: &Mutex<u32>, serializer: S) -> Result<S::Ok, S::Error> {
        count.lock().unwrap().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Mutex<u32>>, D::Error> {
        Ok(Arc::new(Mutex::new(u32::deserialize(deserializer)?)))
    }
}

fn main() {}
