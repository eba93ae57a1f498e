//! [`Hints`]: what callers may assume about an action.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Hints for callers about the behavior of an action. They have the same names as MCP's tool annotations. The names of the data
/// hints come from MCP's draft extension `io.modelcontextprotocol/trust-annotations`.
///
/// The serialized form always contains the first four hints. It contains the others only if they are set.
///
/// ```
/// use skill_core::Hints;
/// let hints = Hints::NONE.reads_untrusted().sends_out();
/// assert!(hints.open_world); // data that leaves the agent reaches a system outside
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Hints {
    /// The action changes nothing.
    pub read_only: bool,
    /// The action may destroy something that cannot be restored.
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// The action has effects outside of the agent: on a network, a device, a person.
    pub open_world: bool,
    /// The action's answer may contain sensitive data, such as a person's mail or files.
    pub reads_sensitive: bool,
    /// The action's answer may contain untrusted content, such as web pages or mail.
    pub reads_untrusted: bool,
    /// The action sends its arguments, or other data of the agent, to a place that other people can read or that the arguments
    /// choose.
    pub sends_out: bool,
}

impl Hints {
    /// The hints of an action for which no hint is set.
    pub const NONE: Self = Self {
        read_only: false,
        destructive: false,
        idempotent: false,
        open_world: false,
        reads_sensitive: false,
        reads_untrusted: false,
        sends_out: false,
    };

    /// Sets [`read_only`](Self::read_only): the action changes nothing.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Sets [`destructive`](Self::destructive): the action may destroy something.
    #[must_use]
    pub const fn destructive(mut self) -> Self {
        self.destructive = true;
        self
    }

    /// Sets [`idempotent`](Self::idempotent): repeating the action changes nothing more.
    #[must_use]
    pub const fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Sets [`open_world`](Self::open_world): the action has effects outside of the agent.
    #[must_use]
    pub const fn open_world(mut self) -> Self {
        self.open_world = true;
        self
    }

    /// Sets [`reads_sensitive`](Self::reads_sensitive): the action reads sensitive data.
    #[must_use]
    pub const fn reads_sensitive(mut self) -> Self {
        self.reads_sensitive = true;
        self
    }

    /// Sets [`reads_untrusted`](Self::reads_untrusted): the action reads untrusted content.
    #[must_use]
    pub const fn reads_untrusted(mut self) -> Self {
        self.reads_untrusted = true;
        self
    }

    /// Sets [`sends_out`](Self::sends_out) and [`open_world`](Self::open_world): data leaves the agent.
    #[must_use]
    pub const fn sends_out(mut self) -> Self {
        self.sends_out = true;
        self.open_world = true;
        self
    }

    /// Returns whether a hint is set. `sends_out` implies `open_world`, even in hints that were read from JSON.
    pub const fn has(&self, hint: Hint) -> bool {
        match hint {
            Hint::Destructive => self.destructive,
            Hint::OpenWorld => self.open_world || self.sends_out,
            Hint::ReadsSensitive => self.reads_sensitive,
            Hint::ReadsUntrusted => self.reads_untrusted,
            Hint::SendsOut => self.sends_out,
        }
    }
}

// not derived: in a format without field names, a reader would take the next hint for one that was left out
impl Serialize for Hints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("read_only", &self.read_only)?;
        map.serialize_entry("destructive", &self.destructive)?;
        map.serialize_entry("idempotent", &self.idempotent)?;
        map.serialize_entry("open_world", &self.open_world)?;
        // most of these hints are not set, and are left out
        for hint in Hint::DATA {
            if self.has(hint) {
                map.serialize_entry(hint.name(), &true)?;
            }
        }
        map.end()
    }
}

/// A hint that an agent can forbid. The other hints, `read_only` and `idempotent`, are promises.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Hint {
    /// [`Hints::destructive`]
    Destructive,
    /// [`Hints::open_world`]
    OpenWorld,
    /// [`Hints::reads_sensitive`]
    ReadsSensitive,
    /// [`Hints::reads_untrusted`]
    ReadsUntrusted,
    /// [`Hints::sends_out`]
    SendsOut,
}

impl Hint {
    /// The hints for the three kinds of actions in a [`DataFlow`](crate::policy::DataFlow): reading sensitive data, reading
    /// untrusted content, and sending data out.
    pub const DATA: [Self; 3] = [Self::ReadsSensitive, Self::ReadsUntrusted, Self::SendsOut];

    /// Returns the hint's name, as written in `#[action(…)]` and `forbid: […]`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Destructive => "destructive",
            Self::OpenWorld => "open_world",
            Self::ReadsSensitive => "reads_sensitive",
            Self::ReadsUntrusted => "reads_untrusted",
            Self::SendsOut => "sends_out",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hints_about_data_are_serialized_where_they_are_set_and_read_back() {
        let plain = json!({ "read_only": true, "destructive": false, "idempotent": false, "open_world": false });
        assert_eq!(json!(Hints::NONE.read_only()), plain);
        for hints in [
            Hints::NONE.reads_sensitive().reads_untrusted(),
            Hints::NONE.sends_out(),
        ] {
            let value = json!(hints);
            assert_eq!(serde_json::from_value::<Hints>(value).unwrap(), hints);
        }
        assert_eq!(json!(Hints::NONE.sends_out())["sends_out"], true);
    }

    #[test]
    fn the_names_of_hints_are_those_of_their_fields() {
        for hint in [
            Hint::Destructive,
            Hint::OpenWorld,
            Hint::ReadsSensitive,
            Hint::ReadsUntrusted,
            Hint::SendsOut,
        ] {
            assert_eq!(json!(hint), hint.name());
            let hints: Hints = serde_json::from_value(json!({ hint.name(): true })).unwrap();
            assert!(hints.has(hint) && !Hints::NONE.has(hint), "{hint:?}");
        }
    }
}
