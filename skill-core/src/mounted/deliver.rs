//! Delivers signals to mounted skills.

use super::{CallSource, DeliverError, Entry, Mounted};
use crate::context::{CommandMeta, QueuedEffects};
use crate::hooks::TurnContext;
use crate::routing::matches;
use crate::{Directive, Handled, Signal, SkillSpec};
use skill_agent_schema::shorten_name;

impl Mounted {
    /// Offers a signal to the enabled skills, in mounting order, until one handles it. A skill takes part if one of its `signals`
    /// matches, or if it has no `signals`. If a hook returns `Ignored` or an error, its changes are dropped.
    ///
    /// Returns the directives of the hook that handled the signal, or `None` if no hook handled it.
    ///
    /// # Errors
    /// Returns the first hook error.
    pub fn deliver(&mut self, signal: &Signal) -> Result<Option<Vec<Directive>>, DeliverError> {
        let meta = CommandMeta::of_signal(signal);
        let caller = CallSource {
            id: None,
            meta: Some(&meta),
        };
        let queued = self.deliver_for(signal, caller)?;
        Ok(queued.map(|queued| self.directives_of(queued)))
    }

    /// Offers a signal to one skill regardless of its `signals`. Returns the directives of the skill's hook, or `None` if the
    /// hook ignores the signal. Documents always ignore signals.
    ///
    /// # Errors
    /// Fails if the skill is disabled or not mounted, or if its hook fails.
    pub fn deliver_to(
        &mut self,
        name: &str,
        signal: &Signal,
    ) -> Result<Option<Vec<Directive>>, DeliverError> {
        let Some(at) = self.find(name) else {
            return Err(DeliverError::NotMounted {
                name: shorten_name(name).into_owned(),
                suggestion: self.nearest(name),
            });
        };
        if !self.entries[at].enabled {
            let skill = self.entries[at].meta().display_name();
            return Err(DeliverError::Disabled { skill });
        }
        let meta = CommandMeta::of_signal(signal);
        let caller = CallSource {
            id: None,
            meta: Some(&meta),
        };
        let queued = self.deliver_at(at, signal, caller)?;
        Ok(queued.map(|queued| self.directives_of(queued)))
    }

    /// Applies the mounts queued by a hook, and returns its directives.
    fn directives_of(&mut self, mut queued: QueuedEffects) -> Vec<Directive> {
        self.apply_mounts_or_report(&mut queued);
        queued.directives
    }

    /// Offers a signal to the enabled skills. The caller must apply the queued mounts.
    pub(crate) fn deliver_for(
        &mut self,
        signal: &Signal,
        caller: CallSource<'_>,
    ) -> Result<Option<QueuedEffects>, DeliverError> {
        for at in 0..self.entries.len() {
            let entry = &self.entries[at];
            if entry.enabled && entry.spec().is_some_and(|spec| spec.wants(signal.ty())) {
                let queued = self.deliver_at(at, signal, caller)?;
                if queued.is_some() {
                    return Ok(queued);
                }
            }
        }
        Ok(None)
    }

    /// Returns the texts about the states of the enabled skills, in mounting order.
    pub(crate) fn turn_contexts(
        &self,
        source: CallSource<'_>,
    ) -> impl Iterator<Item = TurnContext> {
        let host = (self.host.0.agent, source);
        let enabled = self.entries.iter().filter(|entry| entry.enabled);
        enabled.filter_map(move |entry| entry.skill()?.turn_context(host))
    }

    /// Returns the first disabled skill that would take part in signals of a type: one of its `signals` or of its actions' routes
    /// matches.
    pub(crate) fn disabled_for(&self, ty: &str) -> Option<&'static SkillSpec> {
        let disabled = self.entries.iter().filter(|entry| !entry.enabled);
        disabled.filter_map(Entry::spec).find(|spec| {
            let actions = spec.actions.iter();
            let mut routes = actions.flat_map(|action| action.routes);
            (!spec.signals.is_empty() && spec.wants(ty))
                || routes.any(|route| matches(&route.pattern, ty))
        })
    }

    fn deliver_at(
        &mut self,
        at: usize,
        signal: &Signal,
        caller: CallSource<'_>,
    ) -> Result<Option<QueuedEffects>, DeliverError> {
        let host = (self.host.0.agent, caller);
        let mut queued = QueuedEffects::default();
        let Some(skill) = self.entries[at].skill_mut() else {
            return Ok(None);
        };
        match skill.handle(signal, host, &mut queued) {
            Ok(Handled::Done) => Ok(Some(queued)),
            Ok(Handled::Ignored) => Ok(None),
            Err(source) => Err(DeliverError::Hook {
                skill: skill.spec().name.into(),
                source: source.into_inner(),
            }),
        }
    }
}
