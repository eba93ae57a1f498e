//! The ticket itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A support ticket.
///
/// Tickets made here have everything but a resolution. Tickets that were taken over from another
/// system may lack anything but the number, and keep fields that this desk does not know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TicketRecord {
    /// Its number.
    pub id: i64,
    /// What it is about, in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is about, in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where the work on it stands; `Open`, `Resolved` and `Closed` are set by the desk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// How urgent it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Who created it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    /// How it was resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
    /// Fields of another system.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// How urgent a ticket is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Priority {
    /// From 1 to 5, the most urgent.
    Level(i64),
    /// The word that another system has for it.
    Label(String),
}

/// New values for some fields of a ticket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TicketUpdates {
    /// The new title.
    pub title: Option<String>,
    /// The new description.
    pub description: Option<String>,
    /// The new status.
    pub status: Option<String>,
    /// The new priority.
    pub priority: Option<i64>,
}

impl TicketRecord {
    /// Whether the ticket has this status, in small or capital letters.
    pub fn has_status(&self, status: &str) -> bool {
        let own = self.status.as_deref().map(str::to_lowercase);
        own == Some(status.to_lowercase())
    }

    /// Takes over the values that are given.
    pub fn update(&mut self, updates: TicketUpdates) {
        let TicketUpdates {
            title,
            description,
            status,
            priority,
        } = updates;
        replace(&mut self.title, title);
        replace(&mut self.description, description);
        replace(&mut self.status, status);
        replace(&mut self.priority, priority.map(Priority::Level));
    }
}

fn replace<T>(field: &mut Option<T>, update: Option<T>) {
    if update.is_some() {
        *field = update;
    }
}
