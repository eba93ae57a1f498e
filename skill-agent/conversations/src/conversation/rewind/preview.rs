//! The effect of taking turns back, and the calls that it cannot undo.

use super::{named, refused};
use crate::conversation::Conversation;
use crate::conversation::turns::index;
use crate::rewind::{LastingEffect, RewindError, RewindPreview, RewoundState, Step};
use crate::rows::{Place, TurnRow};
use skill_agent_chat::Message;
use skill_agent_server::__private::{Changer, TurnEffect, TurnsRange};
use skill_agent_server::Applied;

impl Conversation {
    /// Returns the effect of [`step`](Self::step).
    pub(crate) async fn preview(
        &self,
        step: Step,
        words: impl Fn(Changer) -> String,
    ) -> Result<RewindPreview, RewindError> {
        self.load().await?;
        let mut preview = RewindPreview {
            states: Vec::new(),
            stays: Vec::new(),
            refused: None,
        };
        let range = match self.range(step) {
            Ok(range) => range,
            Err(error @ RewindError::TooOld { .. }) => {
                preview.refused = Some(error);
                return Ok(preview);
            }
            Err(error) => return Err(error),
        };
        let agent = self.shared.server.spec().name;
        match self.shared.server.view_turns(range.clone()).await {
            Ok(view) => {
                for state in view.states {
                    let skill = named(&state.key, agent);
                    if let Some(by) = state.changed {
                        let (id, by) = (self.id.clone(), words(by));
                        let skill = skill.clone();
                        let changed = RewindError::Changed { id, skill, by };
                        preview.refused.get_or_insert(changed);
                    }
                    preview.states.push(RewoundState {
                        agent: agent.to_owned(),
                        skill,
                        now: state.now,
                        then: state.then,
                    });
                }
                if let Some(key) = view.replaced {
                    let id = self.id.clone();
                    let replaced = RewindError::Scheduled { id, key };
                    preview.refused.get_or_insert(replaced);
                }
                preview.stays.extend(view.effects.into_iter().map(lasting));
            }
            Err(error) => match refused(error, &self.id, range.from, agent, &words) {
                error @ RewindError::Chat(_) => return Err(error),
                error => preview.refused = Some(error),
            },
        }
        let is_running = self.state().turn.is_some();
        let agents = self.check_agents(step, &range).err();
        preview.refused = is_running
            .then(|| self.busy())
            .or(agents)
            .or(preview.refused);
        for (tool, place) in self.called(step, &range) {
            if let Place::Outside(source) = place {
                preview.stays.push(LastingEffect::Call { source, tool });
            }
        }
        Ok(preview)
    }

    /// Checks that the turns to take back have called no agent with another log. Turns that were taken back have not.
    pub(super) fn check_agents(&self, step: Step, range: &TurnsRange) -> Result<(), RewindError> {
        let mut called = self.called(step, range).into_iter();
        let other = called.find_map(|(tool, place)| match place {
            Place::Agent(agent) => Some((tool, agent)),
            Place::Outside(_) => None,
        });
        match other {
            Some((tool, agent)) => Err(RewindError::OtherAgent {
                id: self.id.clone(),
                agent,
                tool,
            }),
            None => Ok(()),
        }
    }

    /// Returns the tools that the turns to take back have called, or may have called, with effects outside the server's log.
    fn called(&self, step: Step, range: &TurnsRange) -> Vec<(String, Place)> {
        let state = self.state();
        let Some(loaded) = state.loaded.as_ref().filter(|_| step != Step::Forth) else {
            return Vec::new();
        };
        let rows: Vec<&TurnRow> = loaded
            .turns
            .range(range.from..)
            .map(|(_, row)| row)
            .collect();
        let at = rows.first().map_or(usize::MAX, |row| index(row.first));
        let taken = loaded.shown.get(at..).unwrap_or_default();
        let mut called: Vec<(String, Place)> = Vec::new();
        for call in taken.iter().chain(&loaded.begun).flat_map(Message::calls) {
            let name = &call.call.name;
            let Some(place) = rows.iter().find_map(|row| row.tools.get(name)) else {
                continue;
            };
            let mut results = taken.iter().flat_map(Message::results);
            let result = results.find(|result| result.id == call.id);
            let has_run = result.is_none_or(|part| match &part.result {
                Ok(_) => true,
                Err(error) => error.applied() != Applied::No,
            });
            if has_run && called.iter().all(|(other, _)| other != name) {
                called.push((name.clone(), place.clone()));
            }
        }
        called
    }
}

fn lasting(effect: TurnEffect) -> LastingEffect {
    match effect {
        TurnEffect::Signal(ty) => LastingEffect::Signal { ty },
        TurnEffect::Fired(ty) => LastingEffect::Schedule { ty },
        TurnEffect::Cancelled(key) => LastingEffect::Cancelled { key },
        TurnEffect::Child(id) => LastingEffect::Child { id },
    }
}
