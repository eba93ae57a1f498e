//! Ids of calls, built from the turn, step and call numbers, because providers may repeat ids or leave them out.

use super::Message;

/// The position of a step in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StepNumber {
    pub(super) turn: u64,
    pub(super) step: u64,
}

impl StepNumber {
    /// Returns the first step of the turn that follows this history.
    pub(super) fn of_new_turn(history: &[Message]) -> Self {
        let asked = history.iter().filter(|message| message.is_of_user());
        // a shortened history has too few messages to count the turns, so also read the turn numbers in the ids
        let called = history.iter().flat_map(Message::calls);
        let last = called.filter_map(|call| Some(Self::read(&call.id)?.turn));
        let turn = (asked.count() as u64).max(last.max().unwrap_or(0));
        Self {
            turn: turn.saturating_add(1),
            step: 1,
        }
    }

    /// Returns the next step of this history's last turn.
    pub(super) fn of_last_turn(history: &[Message]) -> Self {
        let turn = Self::of_new_turn(history).turn.saturating_sub(1).max(1);
        let called = history.iter().flat_map(Message::calls);
        let steps = called.filter_map(|call| Self::read(&call.id));
        let steps = steps.filter(|number| number.turn == turn);
        let last = steps.map(|number| number.step).max().unwrap_or(0);
        Self {
            turn,
            step: last.saturating_add(1),
        }
    }

    /// Returns the id of a call in this step. It consists of letters, digits and underscores, which all providers accept.
    pub(super) fn id(self, index: usize) -> String {
        let Self { turn, step } = self;
        format!("call_{turn}_{step}_{index}")
    }

    fn read(id: &str) -> Option<Self> {
        let mut numbers = id.strip_prefix("call_")?.split('_');
        let mut number = || numbers.next()?.parse().ok();
        Some(Self {
            turn: number()?,
            step: number()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallPart, MessagePart, Role};
    use skill_agent_models::ToolCall;

    fn with_call(number: StepNumber) -> Message {
        let mut call = CallPart::new(ToolCall::new("add_note", "{}"));
        call.id = number.id(0);
        Message::new(Role::Assistant, vec![MessagePart::Call(call)])
    }

    #[test]
    fn ids_go_on_after_those_of_a_history_also_a_shortened_one() {
        let first = StepNumber::of_new_turn(&[]);
        assert_eq!(first.id(2), "call_1_1_2");
        let number = StepNumber { turn: 7, step: 3 };
        let history = ["Hi.".into(), with_call(number)];
        assert_eq!(StepNumber::of_new_turn(&history).id(0), "call_8_1_0");
        assert_eq!(StepNumber::of_last_turn(&history).id(0), "call_7_4_0");
    }
}
