//! Mounting that an action or hook asks for.

use super::{MountError, Mounted};
use crate::{Agent, Context, Directive, Origin, Skill};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

/// One skill to be mounted or unmounted once the action or hook has succeeded.
#[derive(Clone, Debug)]
pub struct Wish {
    skill: Cow<'static, str>,
    /// None: it is to be unmounted.
    options: Option<Value>,
    origin: Origin,
}

/// What one context has queued.
#[derive(Debug, Default)]
pub(crate) struct WishList(pub(crate) Vec<Wish>);

/// Where the wishes of one action or hook are put down. Few have any, so that it is one pointer to be looked at.
#[derive(Default)]
pub(crate) struct Wishes(Cell<Option<Box<WishList>>>);

impl Wishes {
    pub(crate) fn add(&self, list: Box<WishList>) {
        let all = match self.0.take() {
            None => list,
            Some(mut all) => {
                all.0.extend(list.0);
                all
            }
        };
        self.0.set(Some(all));
    }

    #[inline]
    pub(crate) fn take(&self) -> Vec<Wish> {
        self.0.take().map_or_else(Vec::new, |list| list.0)
    }
}

impl fmt::Debug for Wishes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Wishes").finish_non_exhaustive()
    }
}

impl<S: Skill> Context<S> {
    /// Queues the mounting of a skill of the agent's `mounted: [...]`, with options, or of a registered document. It is done
    /// when the action or hook has succeeded, as part of the same command, and its registrations join the directives of the
    /// outcome. Of what one action or hook queues all is done, or nothing; then the outcome has a [`Directive::Error`] that
    /// says why.
    pub fn mount(&mut self, skill: impl Into<Cow<'static, str>>, options: &Value) {
        self.wish(skill.into(), Some(options.clone()));
    }

    /// Queues the unmounting of a skill, as [`mount`](Self::mount) does the mounting.
    pub fn unmount(&mut self, skill: impl Into<Cow<'static, str>>) {
        self.wish(skill.into(), None);
    }

    fn wish(&mut self, skill: Cow<'static, str>, options: Option<Value>) {
        let origin = self.origin();
        self.wishes.get_or_insert_default().0.push(Wish {
            skill,
            options,
            origin,
        });
    }
}

impl Mounted {
    /// Fulfils all wishes, or none.
    pub(crate) fn grant(&mut self, wishes: Vec<Wish>, directives: &mut Vec<Directive>) {
        if wishes.is_empty() {
            return;
        }
        let mut next = self.clone();
        let mut granted = Vec::new();
        for wish in wishes {
            match next.fulfil(&wish) {
                Ok(done) => granted.extend(done),
                Err(error) => return directives.push(refused(error.to_string(), wish.origin)),
            }
        }
        *self = next;
        directives.append(&mut granted);
    }

    fn fulfil(&mut self, wish: &Wish) -> Result<Vec<Directive>, MountError> {
        let mut directives = match &wish.options {
            Some(options) => self.mount_named(&wish.skill, options)?,
            None => self.unmount_named(&wish.skill)?,
        };
        for directive in &mut directives {
            if let Directive::RegisterAction { origin, .. }
            | Directive::DeregisterAction { origin, .. } = directive
            {
                origin.cause.clone_from(&wish.origin.cause);
            }
        }
        Ok(directives)
    }
}

/// Fulfils the wishes of an action or hook of the agent.
#[cold]
pub(crate) fn grant<G: Agent>(agent: &mut G, wishes: Vec<Wish>, directives: &mut Vec<Directive>) {
    if let Some(mounted) = G::__mounted_mut(agent.__parts_mut().0) {
        return mounted.grant(wishes, directives);
    }
    for wish in wishes {
        let message = MountError::mounts_none::<G>(&wish.skill).to_string();
        directives.push(refused(message, wish.origin));
    }
}

fn refused(message: String, origin: Origin) -> Directive {
    Directive::Error { message, origin }
}
