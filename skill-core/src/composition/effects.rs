//! Checks the effects of an agent's actions: forbidden hints, and data that could leak.

use super::tables::AgentTables;
use crate::composition::messages::const_message::ConstMessage;
use crate::policy::{ActionOwner, DataFlow, ForbiddenText, excluded_by};
use crate::spec::{AgentSpec, Hint, Provenance};
use crate::{ActionSpec, SkillSpec};

/// Appends the actions of one owner that the agent forbids.
pub(super) const fn push_forbidden(
    text: ConstMessage,
    agent: &AgentSpec,
    owner: ActionOwner<'_>,
    actions: &[ActionSpec],
) -> ConstMessage {
    let mut text = ForbiddenText::new(text, owner);
    let mut a = 0;
    while a < actions.len() {
        if agent.forbids(actions[a].hints) {
            text = text.action(agent, actions[a].name, actions[a].hints);
        }
        a += 1;
    }
    text.finish(agent)
}

/// Panics in const evaluation if the agent forbids its own action at `index`. `agent!` calls this at the action's token.
#[track_caller]
pub const fn report_own_action(tables: &AgentTables, index: usize) {
    let action = &tables.skills[0].actions[index];
    if tables.spec.forbids(action.hints) {
        let (text, actions) = (ConstMessage::new(), std::slice::from_ref(action));
        let text = push_forbidden(text, &tables.spec, ActionOwner::agent(), actions);
        panic!("{}", text.as_str());
    }
}

/// Returns the data flow of the listed skills and the agent's own actions.
pub(crate) const fn data_flow(tables: &AgentTables) -> DataFlow<'static> {
    let mut flow = DataFlow::new();
    let mut n = 0;
    while n < tables.actions.len() {
        let owner = match tables.action_ids[n].skill {
            0 => ActionOwner::agent(),
            index => ActionOwner::skill(tables.skills[index as usize].type_path),
        };
        flow.add(owner, tables.actions[n].name, tables.actions[n].hints);
        n += 1;
    }
    flow
}

/// Returns the data flow with the actions of one more skill.
pub(crate) const fn with_skill(
    mut flow: DataFlow<'static>,
    skill: &SkillSpec,
) -> DataFlow<'static> {
    let mut a = 0;
    while a < skill.actions.len() {
        let owner = ActionOwner::skill(skill.type_path);
        flow.add(owner, skill.actions[a].name, skill.actions[a].hints);
        a += 1;
    }
    flow
}

/// Panics in const evaluation if data could leak from the agent. `agent!` calls this at the agent's name.
#[track_caller]
pub const fn report_data_flow(tables: &AgentTables) {
    let flow = data_flow(tables);
    if flow.is_refused_by(&tables.spec) {
        panic!("{}", flow.text(ConstMessage::new(), &tables.spec).as_str());
    }
}

/// Panics in const evaluation if the agent allows a data flow that it does not have. `agent!` calls this at the key
/// `allow_data_flow`, unless the agent mounts skills, which may complete the flow at run time.
#[track_caller]
pub const fn report_unneeded_data_flow(tables: &AgentTables) {
    let mut i = 0;
    while i < tables.skills.len() {
        // the actions of a skill with mistakes are unknown
        if tables.skills[i].provenance.is(Provenance::Stub) {
            return;
        }
        i += 1;
    }
    let mut text = ConstMessage::new().push(&["`allow_data_flow` is not needed: "]);
    if let Some(hint) = excluded_by(&tables.spec) {
        text = text.fill(
            "`forbid: [...]` has `{}`, so no data can leak",
            &[hint.name()],
        );
    } else {
        let flow = data_flow(tables);
        if flow.is_complete() {
            return;
        }
        let mut separator = "no action of this agent has the hint ";
        let mut k = 0;
        while k < Hint::DATA.len() {
            if flow.get(Hint::DATA[k]).is_none() {
                text = text.push(&[separator, "`", Hint::DATA[k].name(), "`"]);
                separator = " or ";
            }
            k += 1;
        }
    }
    panic!("{}", text.push(&["; remove `allow_data_flow`"]).as_str());
}
