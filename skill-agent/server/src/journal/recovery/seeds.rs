//! Seeds that deserialize stored states into an agent in place.

use serde::de::{DeserializeSeed, Deserializer, Error};
use skill_core::Agent;
use skill_core::process::{self, RestoredMounted};

/// Deserializes one skill's state in place.
pub(super) struct SkillStateSeed<'a, G> {
    pub(super) agent: &'a mut G,
    pub(super) key: &'a str,
}

impl<'de, G: Agent> DeserializeSeed<'de> for SkillStateSeed<'_, G> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut deserializer = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        match process::from_stored(self.agent, self.key, &mut deserializer) {
            Some(read) => read.map_err(D::Error::custom),
            None => Err(D::Error::custom("the agent has no such skill")),
        }
    }
}

/// Deserializes the mounted skills in place.
pub(super) struct MountedStateSeed<'a, G> {
    pub(super) agent: &'a mut G,
    pub(super) is_forgotten: &'a dyn Fn(&str) -> bool,
}

impl<'de, G: Agent> DeserializeSeed<'de> for MountedStateSeed<'_, G> {
    type Value = RestoredMounted;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<RestoredMounted, D::Error> {
        let mut deserializer = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        match process::mounted_from_stored(self.agent, &mut deserializer, self.is_forgotten) {
            Some(read) => read.map_err(D::Error::custom),
            None => Err(D::Error::custom("the agent mounts no skills")),
        }
    }
}
