//! The contents of a log: its snapshot with the later records applied.

use crate::journal::PendingDirectives;
use crate::journal::logged_causes::LoggedCauses;
use skill_agent_store::{Recovered, SkillSnapshot, Snapshot};
use std::collections::{BTreeMap, HashMap};

/// A snapshot with the later records applied.
pub(super) struct StateFold {
    pub(super) skills: Vec<SkillSnapshot>,
    pub(super) pending: PendingDirectives,
    pub(super) next_directive: u64,
}

impl StateFold {
    pub(super) fn of(recovered: Recovered) -> Self {
        let snapshot = recovered.snapshot.unwrap_or_else(|| Snapshot::new(0, ""));
        let mut causes = LoggedCauses::default();
        let mut pending = BTreeMap::new();
        for logged in snapshot.pending {
            causes.see(&logged);
            pending.insert(logged.n, logged);
        }
        let mut folded = Self {
            skills: snapshot.skills,
            pending: PendingDirectives::new(),
            next_directive: snapshot.next_directive,
        };
        let indexes: HashMap<String, usize> = folded
            .skills
            .iter()
            .enumerate()
            .map(|(index, skill)| (skill.key.clone(), index))
            .collect();
        for record in recovered.records {
            for changed in record.states {
                // Every log begins with a snapshot of all skills.
                if let Some(index) = indexes.get(&changed.key) {
                    folded.skills[*index].state = changed.state;
                }
            }
            for logged in record.directives {
                folded.next_directive = folded.next_directive.max(logged.n + 1);
                causes.see(&logged);
                pending.insert(logged.n, logged);
            }
            for number in record.done {
                pending.remove(&number);
            }
        }
        folded.pending = causes.restore(pending);
        folded
    }
}
