//! Checks a history and finds its turns.

pub(crate) mod compact;
#[cfg(feature = "documents")]
pub(crate) mod context;
pub(crate) mod groups;
pub(crate) mod last_parts;
pub(crate) mod summarize;

use std::collections::HashSet;

use super::ids::StepNumber;
use super::{ChatError, Message, ResultPart, Role};

/// Checks that the results directly follow their calls in the same order, that other messages contain no calls or results, and
/// that ids are unique.
pub fn check(history: &[Message]) -> Result<(), ChatError> {
    let mut ids = HashSet::new();
    for (index, message) in history.iter().enumerate() {
        let next = history.get(index + 1);
        let mut given = message.calls().filter(|call| !call.id.is_empty());
        let repeated = given.any(|call| !ids.insert(call.id.as_str()));
        let repeated = repeated.then_some("its calls have the id of another call");
        if let Some(problem) = problem(message, next).or(repeated) {
            return Err(ChatError::History { index, problem });
        }
    }
    match history.first() {
        Some(first) if first.role == Role::Tool => Err(ChatError::History {
            index: 0,
            problem: WITHOUT_CALLS,
        }),
        _ => Ok(()),
    }
}

/// Assigns ids to calls without one, and to their results, because a history written by your own code may contain only the
/// provider's ids. Expects a checked history.
pub fn give_ids(history: &mut [Message]) {
    let calls = || history.iter().flat_map(Message::calls);
    if calls().all(|call| !call.id.is_empty()) {
        return;
    }
    let mut taken: HashSet<String> = calls().map(|call| call.id.clone()).collect();
    let mut number = StepNumber { turn: 0, step: 0 };
    for index in 0..history.len() {
        match history[index].role {
            Role::User if history[index].is_repair => continue,
            Role::User => {
                number = StepNumber {
                    turn: number.turn + 1,
                    step: 0,
                }
            }
            Role::Assistant => number.step += 1,
            Role::Tool => continue,
        }
        let mut next = 0;
        let mut given = Vec::new();
        for call in history[index].calls_mut() {
            while call.id.is_empty() {
                let id = number.id(next);
                next += 1;
                if taken.insert(id.clone()) {
                    call.id = id;
                }
            }
            given.push(call.id.clone());
        }
        let results = history.get_mut(index + 1).into_iter();
        for (result, id) in results.flat_map(Message::results_mut).zip(given) {
            result.id = id;
        }
    }
}

const WITHOUT_CALLS: &str = "its results need their calls in the message before";

/// Returns the rule that a message or its successor breaks, if any.
fn problem(message: &Message, next: Option<&Message>) -> Option<&'static str> {
    let has_calls = message.calls().next().is_some();
    let has_results = message.results().next().is_some();
    if has_calls && message.role != Role::Assistant {
        return Some("only messages of the assistant have calls");
    }
    if has_results && message.role != Role::Tool {
        return Some("only messages of tools have results");
    }
    let next = next.filter(|next| next.role == Role::Tool);
    if !has_calls {
        return next.map(|_| "the results in the message after it have no calls");
    }
    let results = next.into_iter().flat_map(Message::results);
    let are_equal = message
        .calls()
        .map(|call| &call.id)
        .eq(results.map(|result| &result.id));
    (!are_equal)
        .then_some("its calls need their results in the message after it, in the same order")
}

/// Returns whether the last turn is unfinished: the last message has no answer yet, or the model paused.
pub fn is_unfinished(history: &[Message]) -> bool {
    let Some(last) = history.last() else {
        return false;
    };
    match last.role {
        Role::Assistant => last.is_paused,
        Role::User => true,
        Role::Tool => {
            let waits = last.results().any(ResultPart::is_pending);
            waits || !last.results().any(|result| result.gives_answer)
        }
    }
}

/// Removes a completion from the end of a history if the results of its calls are missing.
pub fn split_begun(history: &mut Vec<Message>) -> Option<Message> {
    let last = history.last()?;
    let is_begun = last.role == Role::Assistant && last.calls().next().is_some();
    history.pop_if(|_| is_begun)
}

/// Returns the index of each turn's first message. A turn starts with a user's message that does not follow another user's
/// message.
pub(super) fn turns(history: &[Message]) -> Vec<usize> {
    let is_of_user = |index: usize| history.get(index).is_some_and(Message::is_of_user);
    let begins = |&index: &usize| is_of_user(index) && !(index > 0 && is_of_user(index - 1));
    (0..history.len()).filter(begins).collect()
}

/// Returns the index of the last turn's first message.
pub(super) fn last_turn(history: &[Message]) -> usize {
    turns(history).pop().unwrap_or(0)
}
