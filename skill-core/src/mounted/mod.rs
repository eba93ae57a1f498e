//! Skills and documents that are mounted and unmounted at run time.

mod apply;
mod call;
mod deliver;
mod document;
mod entry_meta;
mod erased;
mod error;
mod host_agent;
mod mount;
mod registry;
mod resolve;
mod rules;
mod state;
mod stored;

pub(crate) use apply::refused;
pub use document::Document;
use entry_meta::{EntryMeta, Requirement};
pub(crate) use erased::CallSource;
use erased::ErasedSkill;
pub use error::{DeliverError, MountError};
use host_agent::HostAgent;
pub use registry::{Mountable, Registry, SkillList, mountable_specs};
pub use stored::RestoredMounted;
pub(crate) use stored::Serialized;

use crate::composition::AgentTables;
use crate::{ActionSpec, Directive, Skill, SkillSpec, Tool};
use serde_json::Value;
use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

/// Skills with their states, and documents, mounted and unmounted at run time: the counterpart of the list in `agent!`
/// (seed 000).
///
/// It is an ordered map and a value: mounting does nothing but change it and describe, in directives, which actions have
/// come and gone. A skill goes by its name; its state is kept under its state key. Serialized, it is one object with
/// those keys, in the order of mounting; the options a skill was mounted with, whether it is disabled and what documents are
/// mounted are no part of it ([`options`](Self::options), [`is_enabled`](Self::is_enabled), [`documents`](Self::documents)).
///
/// A copy shares the states until one of the two changes them. Two are equal when the same skills and documents are mounted
/// in the same order with equal options, enabled alike, and with states that are the same JSON; a state that JSON cannot hold
/// (NaN) is equal only to the one it was copied from.
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
/// assert_eq!(skills.call_json("increment", r#"{"by":2}"#).unwrap().output, "2");
/// assert_eq!(serde_json::to_value(&skills).unwrap(), json!({ "counter": { "count": 2 } }));
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Mounted {
    entries: Vec<Entry>,
    registry: Registry,
    host: HostAgent,
}

/// One thing that is mounted.
#[derive(Clone)]
struct Entry {
    kind: EntryKind,
    enabled: bool,
}

/// Both kinds stand in one list and go by the same rules; only a skill is called, offered signals and stored with a state.
enum EntryKind {
    Skill(Box<dyn ErasedSkill>),
    Document(Arc<dyn Document>),
}

impl Clone for EntryKind {
    fn clone(&self) -> Self {
        match self {
            Self::Skill(piece) => Self::Skill(piece.duplicate()),
            Self::Document(document) => Self::Document(Arc::clone(document)),
        }
    }
}

impl Mounted {
    /// Nothing is mounted, and nothing may be mounted by name.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing is mounted; what `registry` has may be mounted by name too.
    pub fn with_registry(registry: Registry) -> Self {
        Self {
            registry,
            ..Self::default()
        }
    }

    /// The same, with names that must differ from those of an agent.
    pub(crate) fn with_host(mut self, tables: &'static AgentTables) -> Self {
        self.host = HostAgent(tables);
        self
    }

    /// What may be mounted by name.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// How many skills and documents are mounted.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is mounted.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The names of the mounted skills and documents, in the order of mounting.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(Entry::name)
    }

    /// Whether a skill or document of that name is mounted, be it disabled.
    pub fn is_mounted(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Whether a skill or document of that name is mounted and not disabled.
    pub fn is_enabled(&self, name: &str) -> bool {
        self.find(name).is_some_and(|at| self.entries[at].enabled)
    }

    /// The state of a mounted skill.
    pub fn state<S: Skill>(&self) -> Option<&S> {
        let mut skills = self.entries.iter().filter_map(Entry::skill);
        let piece = skills.find(|piece| piece.kind() == TypeId::of::<S>())?;
        piece.state().downcast_ref()
    }

    /// The options that hold for a mounted skill: its whole configuration.
    pub fn options(&self, name: &str) -> Option<&Value> {
        let piece = self.entries[self.find(name)?].skill()?;
        Some(&piece.config().json)
    }

    /// What a mounted skill says of itself.
    pub fn spec(&self, name: &str) -> Option<&SkillSpec> {
        self.entries[self.find(name)?].spec()
    }

    /// What the mounted skills say of themselves, in the order of mounting.
    pub fn specs(&self) -> impl Iterator<Item = &SkillSpec> {
        self.entries.iter().filter_map(|entry| entry.spec())
    }

    /// A mounted document.
    pub fn document(&self, name: &str) -> Option<&dyn Document> {
        self.entries[self.find(name)?].document()
    }

    /// The mounted documents, be they disabled, in the order of mounting.
    pub fn documents(&self) -> impl Iterator<Item = &dyn Document> {
        self.entries.iter().filter_map(Entry::document)
    }

    /// Those that may be offered: they are enabled, and so is every skill whose tools they need.
    pub fn offered_documents(&self) -> impl Iterator<Item = &dyn Document> {
        let enabled = self.entries.iter().filter(|entry| entry.enabled);
        let documents = enabled.filter_map(Entry::document);
        documents.filter(|it| {
            EntryMeta::Document(*it)
                .needs()
                .into_iter()
                .all(|need| self.offers(need))
        })
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
        self.entries.iter().position(|entry| entry.name() == name)
    }

    /// Whether a model may call what is needed; a disabled skill still serves those that require it by name.
    fn offers(&self, need: Requirement<'_>) -> bool {
        let mut enabled = self.entries.iter().filter(|entry| entry.enabled);
        matches!(need, Requirement::Name(..))
            || self.host.versions_of(need).next().is_some()
            || enabled.any(|entry| need.is_served_by(entry.about()))
    }

    /// The actions that may be called, each with the place of its skill.
    fn enabled_actions(&self) -> impl Iterator<Item = (usize, &'static ActionSpec)> {
        let enabled = self.entries.iter().enumerate().filter(|(_, it)| it.enabled);
        enabled.flat_map(|(at, entry)| entry.actions().iter().map(move |spec| (at, spec)))
    }
}

impl Entry {
    fn about(&self) -> EntryMeta<'_> {
        match &self.kind {
            EntryKind::Skill(piece) => EntryMeta::Skill(piece.spec()),
            EntryKind::Document(document) => EntryMeta::Document(&**document),
        }
    }

    fn name(&self) -> &str {
        self.about().name()
    }

    fn spec(&self) -> Option<&'static SkillSpec> {
        self.skill().map(ErasedSkill::spec)
    }

    fn actions(&self) -> &'static [ActionSpec] {
        self.about().actions()
    }

    fn skill(&self) -> Option<&dyn ErasedSkill> {
        match &self.kind {
            EntryKind::Skill(piece) => Some(&**piece),
            EntryKind::Document(_) => None,
        }
    }

    fn skill_mut(&mut self) -> Option<&mut (dyn ErasedSkill + 'static)> {
        match &mut self.kind {
            EntryKind::Skill(piece) => Some(&mut **piece),
            EntryKind::Document(_) => None,
        }
    }

    fn document(&self) -> Option<&dyn Document> {
        match &self.kind {
            EntryKind::Skill(_) => None,
            EntryKind::Document(document) => Some(&**document),
        }
    }
}

// by hand: a skill need not be `Debug`
impl fmt::Debug for Mounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.entries.iter();
        f.debug_map()
            .entries(entries.map(|entry| (entry.name(), entry)))
            .finish()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut entry = f.debug_struct("Entry");
        entry.field("enabled", &self.enabled);
        match &self.kind {
            EntryKind::Skill(piece) => {
                entry.field("options", piece.config());
                entry.field("state", &piece.value().0)
            }
            EntryKind::Document(document) => entry.field("document", document),
        };
        entry.finish()
    }
}
