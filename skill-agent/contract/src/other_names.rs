//! The names in a contract, other than the names of tools.

use super::file::Contract;
use serde_json::Value;

impl Contract {
    /// Returns the names of skills and arguments, which documents may mention just like tools.
    #[doc(hidden)]
    #[must_use]
    pub fn __other_names(&self) -> Vec<&str> {
        let mountable = self.mountable.values();
        let skills = self.skills.iter();
        let skills = skills.chain(
            self.mountable
                .iter()
                .map(|(name, entry)| (name, &entry.skill)),
        );
        let names = skills.flat_map(|(name, skill)| [&**name, &*skill.state_key]);
        let tools = self.tools.values();
        let tools = tools.chain(mountable.flat_map(|entry| entry.tools.values()));
        let arguments = tools.filter_map(|tool| tool.arguments.get("properties")?.as_object());
        let arguments =
            arguments.flat_map(|properties: &serde_json::Map<String, Value>| properties.keys());
        names.chain(arguments.map(String::as_str)).collect()
    }
}
