//! Whether a stored state of another schema fits the present one, under the names that its fields have now.
//!
//! No schema shows `#[serde(alias)]`, so serde decides: a field that the present schema lacks is read if the state reads differently
//! without it.

use super::earlier_name::Renames;
use super::stored_fit::{Misfit, StoredFit};
use super::values::is_equal;
use crate::journal::read_back::{NotReadBack, compare, encode_again, tree};
use skill_agent_store::SkillSnapshot;
use skill_core::process::Comparison;
use skill_core::{Agent, SkillSpec};

/// The path of the smallest part of a stored state without which the skill can read it, if there is one.
pub(super) fn unreadable_part<G: Agent>(agent: &G, stored: &SkillSnapshot) -> Option<String> {
    StoredFit::of_unreadable(agent, stored)?.unreadable_part()
}

/// Checks that a stored state loses nothing when the skill reads it.
pub(super) fn check_fit<G: Agent>(
    agent: &G,
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
