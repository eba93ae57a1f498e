//! Skills that are mounted and unmounted at run time.

mod call;
mod deliver;
mod error;
mod image;
mod mount;
mod neighbours;
mod piece;
mod registry;
mod resolve;
mod state;
mod wish;

pub use error::{DeliverError, MountError};
pub use image::MountedTaken;
pub(crate) use image::Written;
use neighbours::Neighbours;
pub(crate) use piece::Caller;
use piece::Piece;
pub use registry::{Mountable, Registry, SkillList};
pub use wish::Wish;
pub(crate) use wish::{WishList, Wishes, grant};

use crate::{ActionSpec, Agent, Directive, Skill, SkillSpec, Tool};
use serde_json::Value;
use std::any::TypeId;
use std::fmt;

/// Skills with their states, mounted and unmounted at run time: the counterpart of the list in `agent!` (seed 000).
///
/// It is an ordered map and a value: mounting does nothing but change it and describe, in directives, which actions have
/// come and gone. A skill goes by its name; its state is kept under its state key. Serialized, it is one object with
/// those keys, in the order of mounting; the options a skill was mounted with and whether it is disabled are no part of
/// it ([`options`](Self::options), [`is_enabled`](Self::is_enabled)).
///
/// A copy shares the states until one of the two changes them. Two are equal when the same skills are mounted in the same
/// order with equal options, enabled alike, and with states that are the same JSON; a state that JSON cannot hold (NaN)
/// is equal only to the one it was copied from.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// use serde_json::json;
/// use skill_core::{Directive, Mounted, Skill, action};
///
/// /// Counts.
/// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// #[skill(name = "counter", actions(Increment))]
/// pub struct Counter {
///     count: u32,
/// }
///
/// /// Add to the counter.
/// #[action]
/// pub fn increment(counter: &mut Counter, by: u32) -> u32 {
///     counter.count += by;
///     counter.count
/// }
///
/// let mut skills = Mounted::new();
/// let directives = skills.mount::<Counter>(&json!({})).unwrap();
/// assert!(matches!(&directives[..], [Directive::RegisterAction { action, .. }] if action == "increment"));
///
/// assert_eq!(skills.call("increment", r#"{"by":2}"#).unwrap().output, "2");
/// assert_eq!(serde_json::to_value(&skills).unwrap(), json!({ "counter": { "count": 2 } }));
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Mounted {
    entries: Vec<Entry>,
    registry: Registry,
    beside: Neighbours,
}

/// One mounted skill.
struct Entry {
    piece: Box<dyn Piece>,
    enabled: bool,
}

impl Clone for Entry {
    fn clone(&self) -> Self {
        Self {
            piece: self.piece.duplicate(),
            enabled: self.enabled,
        }
    }
}

impl Mounted {
    /// Nothing is mounted, and nothing may be mounted by name.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing is mounted; the skills of `registry` may be mounted by name too.
    pub fn with_registry(registry: Registry) -> Self {
        Self {
            registry,
            ..Self::default()
        }
    }

    /// The same beside the skills of the agent `G`: their names, state keys and actions cannot be mounted a second time,
    /// and a mounted skill may require them.
    #[must_use]
    pub fn beside<G: Agent>(mut self) -> Self {
        self.beside = Neighbours::of::<G>();
        self
    }

    /// That of a fresh agent.
    #[doc(hidden)]
    pub fn __of_agent<G: Agent>() -> Self {
        let mountable = G::__mountable().unwrap_or_default();
        Self::with_registry(Registry::from_static(mountable)).beside::<G>()
    }

    /// The skills that may be mounted by name.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// How many skills are mounted.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no skill is mounted.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The names of the mounted skills, in the order of mounting.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.spec().name)
    }

    /// Whether a skill of that name is mounted, be it disabled.
    pub fn is_mounted(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Whether a skill of that name is mounted and not disabled.
    pub fn is_enabled(&self, name: &str) -> bool {
        self.find(name).is_some_and(|at| self.entries[at].enabled)
    }

    /// The state of a mounted skill.
    pub fn state<S: Skill>(&self) -> Option<&S> {
        let entry = self.entries.iter().find(|entry| entry.is::<S>())?;
        entry.piece.state().downcast_ref()
    }

    /// The options that hold for a mounted skill: its whole configuration.
    pub fn options(&self, name: &str) -> Option<&Value> {
        self.find(name)
            .map(|at| &*self.entries[at].piece.config().json)
    }

    /// What a mounted skill says of itself.
    pub fn spec(&self, name: &str) -> Option<&SkillSpec> {
        self.find(name).map(|at| self.entries[at].spec())
    }

    /// What the mounted skills say of themselves, in the order of mounting.
    pub fn specs(&self) -> impl Iterator<Item = &SkillSpec> {
        self.entries.iter().map(|entry| entry.spec())
    }

    /// What a model is shown: the actions of the enabled skills, but for internal ones.
    pub fn tools(&self) -> Vec<Tool<'static>> {
        self.enabled_actions()
            .filter(|(_, spec)| !spec.internal)
            .map(|(_, spec)| Tool::of(spec))
            .collect()
    }

    /// The registrations that are in force: those that mounting the enabled skills gave. For whoever begins with a restored
    /// state.
    pub fn registrations(&self) -> Vec<Directive> {
        let enabled = self.entries.iter().filter(|entry| entry.enabled);
        enabled.flat_map(Entry::registered).collect()
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.entries
            .iter()
            .position(|entry| entry.spec().name == name)
    }

    /// The actions that may be called, each with the place of its skill.
    fn enabled_actions(&self) -> impl Iterator<Item = (usize, &'static ActionSpec)> {
        let enabled = self.entries.iter().enumerate().filter(|(_, it)| it.enabled);
        enabled.flat_map(|(at, entry)| entry.spec().actions.iter().map(move |spec| (at, spec)))
    }
}

impl Entry {
    fn spec(&self) -> &'static SkillSpec {
        self.piece.spec()
    }

    fn is<S: Skill>(&self) -> bool {
        self.piece.kind() == TypeId::of::<S>()
    }
}

// by hand: a skill need not be `Debug`
impl fmt::Debug for Mounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.entries.iter();
        f.debug_map()
            .entries(entries.map(|entry| (entry.spec().name, entry)))
            .finish()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("enabled", &self.enabled)
            .field("options", self.piece.config())
            .field("state", &self.piece.value().0)
            .finish()
    }
}
