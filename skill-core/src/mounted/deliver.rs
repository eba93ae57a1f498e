//! Signals for mounted skills.

use super::{CallSource, DeliverError, Mounted};
use crate::context::{CommandMeta, QueuedEffects};
use crate::json::shorten;
use crate::{Directive, Handled, Signal};
use std::sync::Arc;

impl Mounted {
    /// Offers a signal to the enabled skills, in the order of mounting, until one handles it; gives what that one queued,
    /// and `None` when none did. A skill is asked when one of its `signals` matches, or it names none; a hook that answers
    /// `Ignored` or an error has changed and queued nothing.
    ///
    /// # Errors
    /// The first error of a hook, which ends the search.
    pub fn deliver(&mut self, signal: &Signal) -> Result<Option<Vec<Directive>>, DeliverError> {
        let meta = led_by(signal);
        let caller = CallSource {
            id: None,
            meta: Some(&meta),
        };
        self.deliver_for(signal, caller)
    }

    /// Offers a signal to one skill, whichever `signals` it names; gives what it queued, and `None` when it ignores the
    /// signal, as a document does.
    ///
    /// # Errors
    /// When the skill is not mounted or disabled, and the error of its hook.
    pub fn deliver_to(
        &mut self,
        name: &str,
        signal: &Signal,
    ) -> Result<Option<Vec<Directive>>, DeliverError> {
        let Some(at) = self.find(name) else {
            return Err(DeliverError::NotMounted {
                name: shorten(name, 64).into_owned(),
                suggestion: self.nearest(name),
            });
        };
        if !self.entries[at].enabled {
            let skill = self.entries[at].about().shown_name();
            return Err(DeliverError::Disabled { skill });
        }
        let meta = led_by(signal);
        let caller = CallSource {
            id: None,
            meta: Some(&meta),
        };
        self.deliver_at(at, signal, caller)
    }

    pub(crate) fn deliver_for(
        &mut self,
        signal: &Signal,
        caller: CallSource<'_>,
    ) -> Result<Option<Vec<Directive>>, DeliverError> {
        for at in 0..self.entries.len() {
            let entry = &self.entries[at];
            if entry.enabled && entry.spec().is_some_and(|spec| spec.wants(signal.ty())) {
                let directives = self.deliver_at(at, signal, caller)?;
                if directives.is_some() {
                    return Ok(directives);
                }
            }
        }
        Ok(None)
    }

    fn deliver_at(
        &mut self,
        at: usize,
        signal: &Signal,
        caller: CallSource<'_>,
    ) -> Result<Option<Vec<Directive>>, DeliverError> {
        let call_env = caller.call_env(self.host.0.agent);
        let mut queued = QueuedEffects::default();
        let Some(piece) = self.entries[at].skill_mut() else {
            return Ok(None);
        };
        match piece.handle(signal, call_env, &mut queued) {
            Ok(Handled::Done) => {
                self.apply_mounts(&mut queued);
                Ok(Some(queued.directives))
            }
            Ok(Handled::Ignored) => Ok(None),
            Err(source) => Err(DeliverError::Hook {
                skill: piece.spec().name.into(),
                source: source.into_inner(),
            }),
        }
    }
}

/// The occasion of a hook that is called for a signal.
fn led_by(signal: &Signal) -> Arc<CommandMeta> {
    Arc::new(CommandMeta {
        signal: Some(signal.clone()),
        ..CommandMeta::default()
    })
}
