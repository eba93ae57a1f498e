//! Which skills may be mounted by name.

use super::error::MountError;
use super::piece::{Held, Piece};
use crate::compose::tell_by_hand;
use crate::json::{StateError, nearest, shorten};
use crate::{Skill, SkillSpec};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;

/// A type of skill that may be mounted, without the type: an entry of a [`Registry`].
#[derive(Clone, Copy)]
pub struct Mountable {
    pub(super) spec: &'static SkillSpec,
    pub(super) kind: fn() -> TypeId,
    pub(super) mount: fn(&Value) -> Result<Box<dyn Piece>, StateError>,
    pub(super) mount_again: fn(Value) -> (Box<dyn Piece>, bool),
    pub(super) schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Mountable {
    /// The entry of the skill `S`.
    pub const fn of<S: Skill>() -> Self {
        const { tell_by_hand::<S>() };
        Self {
            spec: const { &S::SPEC },
            kind: TypeId::of::<S>,
            mount: Held::<S>::mount,
            mount_again: Held::<S>::mount_again,
            schema: |generator| (S::__DATA.schema)(generator),
        }
    }

    /// What the skill says of itself.
    pub const fn spec(&self) -> &'static SkillSpec {
        self.spec
    }
}

impl fmt::Debug for Mountable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mountable").field(&self.spec.name).finish()
    }
}

/// The skills that may be mounted by name, so that a signal or a stored state can name one (the "skill registry for
/// runtime lookup" of seed 000).
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
pub struct Registry(Cow<'static, [Mountable]>);

impl Registry {
    /// The registry of a list of skills: `Registry::of::<(Counter, Search)>()`.
    pub fn of<L: SkillList>() -> Self {
        Self(Cow::Owned(L::entries()))
    }

    /// The same of a list that is known while compiling.
    pub const fn from_static(entries: &'static [Mountable]) -> Self {
        Self(Cow::Borrowed(entries))
    }

    /// The same with one skill more.
    #[must_use]
    pub fn with<S: Skill>(self) -> Self {
        self.with_entry(Mountable::of::<S>())
    }

    /// The same with one entry more.
    #[must_use]
    pub fn with_entry(mut self, entry: Mountable) -> Self {
        self.0.to_mut().push(entry);
        self
    }

    /// Its entries, in the order of the list.
    pub fn entries(&self) -> &[Mountable] {
        &self.0
    }

    /// The entry that is called `name`.
    ///
    /// # Errors
    /// When there is none, or there are two types of that name.
    pub(super) fn named(&self, name: &str) -> Result<&Mountable, MountError> {
        let mut found = self.0.iter().filter(|entry| entry.spec.name == name);
        let Some(first) = found.next() else {
            let names = self.0.iter().map(|entry| entry.spec.name);
            return Err(MountError::Unregistered {
                name: shorten(name, 64).into_owned(),
                suggestion: nearest(name, names).map(Cow::Borrowed),
            });
        };
        match found.find(|entry| (entry.kind)() != (first.kind)()) {
            None => Ok(first),
            Some(other) => Err(MountError::Ambiguous {
                skill: first.spec.name.into(),
                one: first.spec.type_path.into(),
                other: other.spec.type_path.into(),
            }),
        }
    }

    /// The entry whose state is kept under `key`.
    ///
    /// # Errors
    /// When there are two types of that key.
    pub(super) fn keyed(&self, key: &str) -> Result<Option<&Mountable>, MountError> {
        let mut found = self.0.iter().filter(|entry| entry.spec.state_key == key);
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

/// A list of up to twelve skills, as a tuple of their types: `(Counter, Search)`.
///
/// Implemented for such tuples; never by hand.
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
