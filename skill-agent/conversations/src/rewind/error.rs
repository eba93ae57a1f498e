//! The errors of taking turns back.

use skill_agent_chat::ChatError;

/// Why turns were not taken back or brought back. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RewindError {
    /// A turn is running or waits for its start.
    #[error(
        "a turn of the conversation `{id}` is running; wait for its end, or end it with `cancel`"
    )]
    #[non_exhaustive]
    Busy {
        /// The conversation's id.
        id: String,
    },
    /// A command that the turns queued has not run to its end, such as an async action from `cx.run`.
    #[error(
        "a turn of the conversation `{id}` queued {command}, and that still runs; try again after its end"
    )]
    #[non_exhaustive]
    Running {
        /// The conversation's id.
        id: String,
        /// The command in words, such as "the action `fetch`".
        command: String,
    },
    /// The history has no turn with this number.
    #[error("the conversation `{id}` has no turn {turn}; {}", listed(turns))]
    #[non_exhaustive]
    NoTurn {
        /// The conversation's id.
        id: String,
        /// The number that the caller gave.
        turn: u64,
        /// The numbers of the turns in the history.
        turns: Vec<u64>,
    },
    /// The states from before the turn are no longer kept, or the agent has a different schema for them.
    #[error(
        "the states from before turn {turn} of the conversation `{id}` are no longer kept: a conversation keeps its last 50 turns, at most 16 MiB, while the schemas of the skills stay the same; copy the history from before the turn with `fork`"
    )]
    #[non_exhaustive]
    TooOld {
        /// The conversation's id.
        id: String,
        /// The number that the caller gave.
        turn: u64,
    },
    /// Another conversation, a schedule or the program has changed a skill since.
    #[error(
        "the state of `{skill}` was changed after a turn of the conversation `{id}` had changed it, by {by}; `.force()` loses that change"
    )]
    #[non_exhaustive]
    Changed {
        /// The conversation's id.
        id: String,
        /// The state key of the skill, or the agent's name for the agent's own fields.
        skill: String,
        /// The command in words, with the conversation that it came from if there is one.
        by: String,
    },
    /// Another signal was scheduled under the key of a signal to bring back.
    #[error(
        "a signal was scheduled under the key `{key}` since turns of the conversation `{id}` were taken back; `.force()` replaces it"
    )]
    #[non_exhaustive]
    Scheduled {
        /// The conversation's id.
        id: String,
        /// The key, with the name of the skill.
        key: String,
    },
    /// The turns have called an agent whose state is in another log.
    #[error(
        "turns of the conversation `{id}` called `{tool}` of the agent `{agent}`, and its log cannot be taken back together with this one; begin a new conversation with `fork`"
    )]
    #[non_exhaustive]
    OtherAgent {
        /// The conversation's id.
        id: String,
        /// The agent's name.
        agent: String,
        /// The tool that was called.
        tool: String,
    },
    /// No turns were taken back since the last message.
    #[error(
        "the conversation `{id}` has no turns to bring back; `rewind` takes turns back, and the next message makes that final"
    )]
    #[non_exhaustive]
    NothingToRedo {
        /// The conversation's id.
        id: String,
    },
    /// The conversation is unknown, cannot be read or cannot be written.
    #[error(transparent)]
    Chat(#[from] ChatError),
}

fn listed(turns: &[u64]) -> String {
    match turns {
        [] => "it has no turns".to_owned(),
        [only] => format!("its only turn is {only}"),
        [first, .., last] if last - first == turns.len() as u64 - 1 => {
            format!("its turns are {first} to {last}")
        }
        turns => {
            let turns: Vec<_> = turns.iter().map(u64::to_string).collect();
            format!("its turns are {}", turns.join(", "))
        }
    }
}
