//! The fields of mounted skills that take their initial value from the configuration.

use crate::mounted::{Entry, Mounted};

impl Mounted {
    /// Sets the fields with `always` to their values in the configurations.
    pub(crate) fn take_config(&mut self) {
        for skill in self.entries.iter_mut().filter_map(Entry::skill_mut) {
            skill.take_config();
        }
    }

    /// Returns the keys of the fields whose value differs from the configuration.
    pub(crate) fn kept_fields(&self, name: &str) -> Vec<&'static str> {
        let mut skills = self.entries.iter().filter_map(Entry::skill);
        let skill = skills.find(|skill| skill.spec().name == name);
        skill.map_or_else(Vec::new, |skill| skill.kept_fields())
    }
}
