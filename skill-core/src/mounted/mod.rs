//! Mounts skills and documents at run time.

mod apply;
mod call;
mod deliver;
mod deliver_error;
mod document;
mod entry;
mod error;
mod instructions;
mod mount;
mod registry;
mod rules;
mod skill;
mod state;

use crate::mounted::rules::entry_meta::{EntryMeta, Requirement};
use crate::mounted::rules::host_agent::HostAgent;
pub(crate) use apply::MountFailure;
pub use deliver_error::DeliverError;
pub use document::Document;
pub use error::MountError;
pub use registry::{Mountable, Registry, SkillList, mountable_specs};
pub(crate) use skill::CallSource;
use skill::MountedSkill;
pub(crate) use state::stored::Serialized;
pub use state::stored::{OtherState, RestoredMounted, stored_name_and_state};

use crate::composition::AgentTables;
use crate::{ActionSpec, Directive, Skill, SkillSpec, Tool};
use serde_json::Value;
use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

/// The skills and documents that are mounted at run time, with the skills' states. This is the run-time counterpart of the list
/// in `agent!`.
///
/// `Mounted` is a plain value: an ordered map by name. Mounting and unmounting only change this value, and return directives that
/// name the added or removed actions.
///
/// It serializes as one object with the states by state key, in mounting order. The object does not include mount options,
/// disabled skills or documents; see [`options`](Self::options), [`is_enabled`](Self::is_enabled) and
/// [`documents`](Self::documents).
///
/// Copies share each state until one of them changes it. Two values are equal if the same skills and documents are mounted in the
/// same order with equal options, the same ones are enabled, and the states are equal as JSON. A state that JSON cannot represent
/// (NaN) is equal only to a copy of itself.
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

/// A mounted skill or document.
#[derive(Clone)]
struct Entry {
    kind: EntryKind,
    enabled: bool,
}

/// Skills and documents share one list and follow the same rules. Only skills have actions, hooks and a state.
#[derive(Clone)]
enum EntryKind {
    Skill(MountedSkill),
    Document(Arc<dyn Document>),
}

impl Mounted {
    /// Creates a value without mounted skills and with an empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a value without mounted skills. The skills and documents in `registry` can be mounted by name.
    pub fn with_registry(registry: Registry) -> Self {
        Self {
            registry,
            ..Self::default()
        }
    }

    /// Sets the host agent.
    pub(crate) fn with_host(mut self, tables: &'static AgentTables) -> Self {
        self.host = HostAgent(tables);
        self
    }

    /// Returns the skills and documents that can be mounted by name.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Returns the number of mounted skills and documents.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether nothing is mounted.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the names of the mounted skills and documents, in mounting order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(Entry::name)
    }

    /// Returns whether a skill or document with that name is mounted, enabled or not.
    pub fn is_mounted(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Returns whether a skill or document with that name is mounted and enabled.
    pub fn is_enabled(&self, name: &str) -> bool {
        self.find(name).is_some_and(|at| self.entries[at].enabled)
    }

    /// Returns a mounted skill's state.
    pub fn state<S: Skill>(&self) -> Option<&S> {
        let mut skills = self.entries.iter().filter_map(Entry::skill);
        let skill = skills.find(|skill| skill.skill_type() == TypeId::of::<S>())?;
        skill.state().downcast_ref()
    }

    /// Returns a mounted skill's whole configuration.
    pub fn options(&self, name: &str) -> Option<&Value> {
        let skill = self.entries[self.find(name)?].skill()?;
        Some(&skill.config().json)
    }

    /// Returns a mounted skill's spec, with the original instructions. [`instructions`](Self::instructions) returns them with
    /// tool names.
    pub fn spec(&self, name: &str) -> Option<&SkillSpec> {
        self.entries[self.find(name)?].spec()
    }

    /// Returns the specs of the mounted skills, in mounting order.
    pub fn specs(&self) -> impl Iterator<Item = &SkillSpec> {
        self.entries.iter().filter_map(|entry| entry.spec())
    }

    /// Returns the specs of the enabled mounted skills, in mounting order.
    pub(crate) fn enabled_specs(&self) -> Vec<&'static SkillSpec> {
        let enabled = self.entries.iter().filter(|entry| entry.enabled);
        enabled.filter_map(Entry::spec).collect()
    }

    /// Returns the mounted document with that name.
    pub fn document(&self, name: &str) -> Option<&dyn Document> {
        self.entries[self.find(name)?].document()
    }

    /// Returns the mounted documents in mounting order, including disabled ones.
    pub fn documents(&self) -> impl Iterator<Item = &dyn Document> {
        self.entries.iter().filter_map(Entry::document)
    }

    /// Returns the mounted documents that can be offered to a model: enabled documents whose required tools and toolsets are
    /// enabled too.
    pub fn offered_documents(&self) -> impl Iterator<Item = &dyn Document> {
        let enabled = self.entries.iter().filter(|entry| entry.enabled);
        let documents = enabled.filter_map(Entry::document);
        documents.filter(|document| {
            EntryMeta::Document(*document)
                .requirements()
                .into_iter()
                .all(|requirement| self.offers(requirement))
        })
    }

    /// Returns the tools of the enabled skills.
    pub fn tools(&self) -> Vec<Tool<'static>> {
        self.enabled_actions()
            .filter(|(_, spec)| !spec.internal)
            .map(|(_, spec)| Tool::of(spec))
            .collect()
    }

    /// Returns the registrations of the enabled skills, as returned when they were mounted. A program needs them after it has
    /// restored a state.
    pub fn registrations(&self) -> Vec<Directive> {
        let enabled = self.entries.iter().filter(|entry| entry.enabled);
        enabled.flat_map(Entry::registrations).collect()
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.name() == name)
    }

    /// Returns the skill with the state key `key`.
    fn skill(&self, key: &str) -> Option<&MountedSkill> {
        let mut skills = self.entries.iter().filter_map(Entry::skill);
        skills.find(|skill| skill.spec().state_key == key)
    }

    /// Returns the skill with the state key `key`, mutably.
    fn skill_mut(&mut self, key: &str) -> Option<&mut MountedSkill> {
        let mut skills = self.entries.iter_mut().filter_map(Entry::skill_mut);
        skills.find(|skill| skill.spec().state_key == key)
    }

    /// Returns whether an enabled skill or document meets a requirement. A disabled skill can also meet a requirement by name.
    fn offers(&self, requirement: Requirement<'_>) -> bool {
        let mut enabled = self.entries.iter().filter(|entry| entry.enabled);
        matches!(requirement, Requirement::Name(..))
            || self.host.versions_of(requirement).next().is_some()
            || enabled.any(|entry| requirement.is_met_by(entry.meta()))
    }

    /// Returns the actions of the enabled skills, each with the index of its skill.
    fn enabled_actions(&self) -> impl Iterator<Item = (usize, &'static ActionSpec)> {
        let enabled = self
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.enabled);
        enabled.flat_map(|(at, entry)| entry.actions().iter().map(move |spec| (at, spec)))
    }
}

impl EntryKind {
    fn skill(&self) -> Option<&MountedSkill> {
        match self {
            Self::Skill(skill) => Some(skill),
            Self::Document(_) => None,
        }
    }
}

impl Entry {
    fn meta(&self) -> EntryMeta<'_> {
        match &self.kind {
            EntryKind::Skill(skill) => EntryMeta::Skill(skill.spec()),
            EntryKind::Document(document) => EntryMeta::Document(&**document),
        }
    }

    fn name(&self) -> &str {
        self.meta().name()
    }

    fn spec(&self) -> Option<&'static SkillSpec> {
        self.skill().map(MountedSkill::spec)
    }

    fn actions(&self) -> &'static [ActionSpec] {
        self.meta().actions()
    }

    fn skill(&self) -> Option<&MountedSkill> {
        self.kind.skill()
    }

    fn skill_mut(&mut self) -> Option<&mut MountedSkill> {
        match &mut self.kind {
            EntryKind::Skill(skill) => Some(skill),
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

// not derived: a skill need not implement `Debug`
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
            EntryKind::Skill(skill) => {
                entry.field("options", skill.config());
                let mut state = skill.value().0;
                skill.spec().mask_state(&[], &mut state);
                entry.field("state", &state)
            }
            EntryKind::Document(document) => entry.field("document", document),
        };
        entry.finish()
    }
}
