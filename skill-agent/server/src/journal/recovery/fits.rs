//! Checks whether a stored state with a different schema fits the current one, even if fields were renamed.
//!
//! A schema does not show `#[serde(alias)]`, so serde decides: a field missing in the current schema counts as read if the state
//! decodes differently without it.

use super::earlier_name::Renames;
use super::stored_fit::{Misfit, StoredFit};
use super::values::is_equal;
use crate::journal::any_agent::AnyAgent;
use crate::journal::read_back::{NotReadBack, compare, encode_again, tree};
use skill_agent_store::SkillSnapshot;
use skill_core::SkillSpec;
use skill_core::process::Comparison;

/// Returns the path of the smallest part that makes a stored state unreadable.
pub(super) fn unreadable_part(agent: &dyn AnyAgent, stored: &SkillSnapshot) -> Option<String> {
    StoredFit::of_unreadable(agent, stored)?.unreadable_part()
}

/// Checks that the skill loses nothing when it reads a stored state.
pub(super) fn check_fit(
    agent: &dyn AnyAgent,
    stored: &SkillSnapshot,
    spec: &SkillSpec,
) -> Result<(), Box<Misfit>> {
    let key = &*stored.key;
    let again = match encode_again(agent, key, &stored.state) {
        Ok(again) => again,
        Err(reason) => {
            let fit = StoredFit::of_unreadable(agent, stored);
            return Err(Box::new(Misfit {
                unreadable_part: fit.as_ref().and_then(StoredFit::unreadable_part),
                cure: fit.and_then(|fit| fit.cure(&reason, spec)),
                reason,
            }));
        }
    };
    match compare(&stored.state, &again, Comparison::MayHaveMore) {
        Err(NotReadBack::Different(_)) => {}
        fits => return Ok(fits?),
    }
    let (read, second) = (
        tree(&again)?,
        tree(&encode_again(agent, key, &stored.state)?)?,
    );
    let fit = StoredFit {
        agent,
        key,
        stored: tree(&stored.state)?,
        is_stable: is_equal(&read, &second),
        read,
        again: second,
    };
    Renames::new(fit, spec).check()
}
