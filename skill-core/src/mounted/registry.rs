//! The registry of skills and documents that can be mounted by name.

use super::document::Document;
use super::error::MountError;
use crate::composition::report_handwritten;
use crate::mounted::rules::entry_meta::{EntryMeta, Requirement};
use crate::skill::SkillVtable;
use crate::{Skill, SkillSpec};
use skill_agent_grammar::nearest;
use skill_agent_schema::shorten_name;
use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A type-erased skill type that can be mounted: an entry of a [`Registry`].
#[derive(Clone, Copy)]
pub struct Mountable {
    pub(super) spec: &'static SkillSpec,
    pub(super) kind: fn() -> TypeId,
    pub(super) skill: &'static SkillVtable,
}

impl Mountable {
    /// Creates the entry for the skill `S`.
    pub const fn of<S: Skill>() -> Self {
        const { report_handwritten::<S>() };
        Self {
            spec: const { &S::SPEC },
            kind: TypeId::of::<S>,
            skill: S::__VTABLE,
        }
    }

    /// Returns the skill's spec.
    pub const fn spec(&self) -> &'static SkillSpec {
        self.spec
    }
}

/// Returns the specs of the skills in `mounted: [...]`, for the agent's tables.
pub const fn mountable_specs<const N: usize>(list: &[Mountable]) -> [&'static SkillSpec; N] {
    let mut specs = [const { &SkillSpec::new("placeholder") }; N];
    let mut i = 0;
    while i < N {
        specs[i] = list[i].spec;
        i += 1;
    }
    specs
}

impl fmt::Debug for Mountable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mountable").field(&self.spec.name).finish()
    }
}

/// A skill type or a document to be mounted.
#[derive(Clone, Debug)]
pub(crate) enum NewEntry {
    Skill(Mountable),
    Document(Arc<dyn Document>),
}

impl NewEntry {
    pub(super) fn of<S: Skill>() -> Self {
        Self::Skill(Mountable::of::<S>())
    }

    pub(super) fn meta(&self) -> EntryMeta<'_> {
        match self {
            Self::Skill(mountable) => EntryMeta::Skill(mountable.spec),
            Self::Document(document) => EntryMeta::Document(&**document),
        }
    }

    pub(super) fn name(&self) -> Cow<'static, str> {
        match self {
            Self::Skill(mountable) => Cow::Borrowed(mountable.spec.name),
            Self::Document(document) => Cow::Owned(document.id().to_owned()),
        }
    }

    /// Returns whether this is a document with that id.
    pub(super) fn is_document(&self, id: &str) -> bool {
        matches!(self, Self::Document(document) if document.id() == id)
    }

    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Skill(one), Self::Skill(other)) => (one.kind)() == (other.kind)(),
            (Self::Document(one), Self::Document(other)) => one.is_same(&**other),
            _ => false,
        }
    }
}

/// The skills and documents that can be mounted by name. Signals and stored states refer to them by name.
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// use skill_core::{Mounted, NoConfig, Registry, Skill, SkillSpec};
///
/// #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// struct Notes {}
///
/// impl Skill for Notes {
///     type Config = NoConfig;
///     const SPEC: SkillSpec = SkillSpec::new("notes");
/// }
///
/// let mut skills = Mounted::with_registry(Registry::of::<(Notes,)>());
/// skills.mount_named("notes", &serde_json::json!({}))?;
/// assert!(skills.is_mounted("notes"));
/// # Ok::<(), skill_core::MountError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    skills: Cow<'static, [Mountable]>,
    /// The documents, shared with the copies on which [`Mounted`](super::Mounted) tries its changes.
    documents: Option<Arc<Vec<Arc<dyn Document>>>>,
}

impl Registry {
    /// Creates the registry for a list of skills: `Registry::of::<(Counter, Search)>()`.
    pub fn of<L: SkillList>() -> Self {
        Self {
            skills: Cow::Owned(L::entries()),
            ..Self::default()
        }
    }

    /// Creates the registry for a static list.
    pub const fn from_static(entries: &'static [Mountable]) -> Self {
        Self {
            skills: Cow::Borrowed(entries),
            documents: None,
        }
    }

    /// Adds the skill `S`.
    #[must_use]
    pub fn with<S: Skill>(self) -> Self {
        self.with_entry(Mountable::of::<S>())
    }

    /// Adds a skill's entry.
    #[must_use]
    pub fn with_entry(mut self, entry: Mountable) -> Self {
        self.skills.to_mut().push(entry);
        self
    }

    /// Adds a document, or replaces an earlier version of the document.
    #[must_use]
    pub fn with_document(mut self, document: Arc<dyn Document>) -> Self {
        self.add_document(document);
        self
    }

    pub(super) fn add_document(&mut self, document: Arc<dyn Document>) {
        let documents = Arc::make_mut(self.documents.get_or_insert_default());
        match documents
            .iter_mut()
            .find(|other| other.key() == document.key())
        {
            Some(earlier) => *earlier = document,
            None => documents.push(document),
        }
    }

    /// Returns the skills, in list order.
    pub fn entries(&self) -> &[Mountable] {
        &self.skills
    }

    /// Returns the documents in the order they were added.
    pub fn documents(&self) -> &[Arc<dyn Document>] {
        self.documents.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Returns the name of the first skill or document that meets a requirement, regardless of its version.
    pub(super) fn find_for(&self, requirement: Requirement<'_>) -> Option<&str> {
        let mut metas = self.metas();
        metas.find_map(|meta| requirement.is_met_by(meta).then(|| meta.name()))
    }

    fn metas(&self) -> impl Iterator<Item = EntryMeta<'_>> {
        let skills = self.skills.iter().map(|entry| EntryMeta::Skill(entry.spec));
        let documents = self
            .documents()
            .iter()
            .map(|document| EntryMeta::Document(&**document));
        skills.chain(documents)
    }

    /// Finds a skill or document by name.
    ///
    /// # Errors
    /// Fails if no entry has the name, or if two different entries have it.
    pub(super) fn find(&self, name: &str) -> Result<NewEntry, MountError> {
        unique(self.find_all(name)).unwrap_or_else(|| {
            let names = self.metas().map(EntryMeta::name);
            Err(MountError::Unregistered {
                name: shorten_name(name).into_owned(),
                suggestion: nearest(name, names).map(|name| Cow::Owned(name.to_owned())),
            })
        })
    }

    /// Like [`find`](Self::find), but if a skill and a document share the name, prefers a document if `is_document`, and a skill
    /// otherwise.
    pub(super) fn find_as(&self, name: &str, is_document: bool) -> Result<NewEntry, MountError> {
        let found = self.find_all(name);
        let preferred = found.filter(|new| matches!(new, NewEntry::Document(_)) == is_document);
        unique(preferred).unwrap_or_else(|| self.find(name))
    }

    fn find_all(&self, name: &str) -> impl Iterator<Item = NewEntry> {
        let skills = self
            .skills
            .iter()
            .filter(move |entry| entry.spec.name == name);
        let documents = self
            .documents()
            .iter()
            .filter(move |document| document.id() == name);
        let skills = skills.copied().map(NewEntry::Skill);
        skills.chain(documents.cloned().map(NewEntry::Document))
    }

    /// Finds a skill by its type.
    pub(super) fn find_type(&self, kind: TypeId) -> Option<NewEntry> {
        let mut skills = self.skills.iter();
        let found = skills.find(|entry| (entry.kind)() == kind);
        found.copied().map(NewEntry::Skill)
    }

    /// Finds a skill by its state key.
    ///
    /// # Errors
    /// Fails if two types have that key.
    pub(super) fn find_by_key(&self, key: &str) -> Result<Option<&Mountable>, MountError> {
        let mut found = self
            .skills
            .iter()
            .filter(|entry| entry.spec.state_key == key);
        let Some(first) = found.next() else {
            return Ok(None);
        };
        match found.find(|entry| (entry.kind)() != (first.kind)()) {
            None => Ok(Some(first)),
            Some(other) => Err(MountError::AmbiguousKey {
                key: first.spec.state_key.into(),
                one: first.spec.type_path.into(),
                other: other.spec.type_path.into(),
            }),
        }
    }
}

/// Returns the only element, which may occur several times, or an error if there are different elements. Returns `None` if
/// `found` is empty.
fn unique(mut found: impl Iterator<Item = NewEntry>) -> Option<Result<NewEntry, MountError>> {
    let first = found.next()?;
    Some(match found.find(|other| !other.is(&first)) {
        None => Ok(first),
        Some(other) => Err(MountError::Ambiguous {
            skill: first.meta().display_name(),
            one: first.meta().kind().into(),
            other: other.meta().kind().into(),
        }),
    })
}

/// A list of up to twelve skills, as a tuple of their types: `(Counter, Search)`.
///
/// Implemented for such tuples. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of skills",
    label = "expected a tuple of skills",
    note = "write `(Counter, Search)`, or `(Counter,)` for one of them; a list has at most twelve"
)]
pub trait SkillList {
    #[doc(hidden)]
    fn entries() -> Vec<Mountable>;
}

macro_rules! lists {
    ($($first:ident $($rest:ident)*)?) => {
        impl<$($first: Skill, $($rest: Skill),*)?> SkillList for ($($first, $($rest,)*)?) {
            fn entries() -> Vec<Mountable> {
                vec![$(Mountable::of::<$first>(), $(Mountable::of::<$rest>()),*)?]
            }
        }
        $(lists!($($rest)*);)?
    };
}

lists!(A B C D E F G H I J K L);
