//! The agent, and the rules for its calls.

#[cfg(feature = "http")]
use crate::fetch::{FetchClient, Web};
use crate::skills::calculator::Calculator;
use crate::skills::files::{Files, Folder};
use crate::skills::notes::Notes;
use crate::skills::todos::Todos;
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision};

agent! {
    /// An assistant in the terminal.
    pub(crate) struct Assistant {
        name: "assistant",
        skills: [Calculator, Notes, Todos, Files],
    }
}

/// The resources of the assistant.
#[derive(Resources)]
pub(crate) struct World {
    pub(crate) folder: Folder,
}

#[cfg(feature = "http")]
agent! {
    /// Pages and files of the web.
    pub(crate) struct Browser {
        name: "browser",
        skills: [Web],
    }
}

/// The resources of the browser.
#[cfg(feature = "http")]
#[derive(Resources)]
pub(crate) struct Internet {
    pub(crate) client: FetchClient,
}

/// Asks for each call of a model that destroys something or leaves this machine.
pub(crate) fn ask_first(attempt: &Attempt<'_>) -> Decision {
    let hints = attempt.tool.hints;
    if attempt.caller.is_foreign() && (hints.destructive || hints.open_world) {
        Decision::Ask
    } else {
        Decision::Allow
    }
}
