//! A ticket as the skill stores it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A support ticket.
///
/// A ticket created here has every field except a resolution. A ticket imported from another system
/// may lack every field, have a number in another form, and keeps unknown fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TicketRecord {
    /// The number of the ticket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<TicketId>,
    /// The subject, in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The full description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The status. The skill sets `Open`, `Resolved` and `Closed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The priority.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// The name of the user who created the ticket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    /// How the ticket was resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
    /// Fields that another system added.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The number of a ticket, by which actions find it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TicketId {
    /// A number, as the skill assigns it.
    Number(i64),
    /// An id of another system, which no action finds.
    Label(String),
}

/// The priority of a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Priority {
    /// From 1 (least urgent) to 5 (most urgent).
    Level(i64),
    /// A priority in the words of another system.
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
    /// Whether the ticket has this number.
    pub fn has_number(&self, number: i64) -> bool {
        self.id == Some(TicketId::Number(number))
    }

    /// Whether the ticket has this status, ignoring case.
    pub fn has_status(&self, status: &str) -> bool {
        let current = self.status.as_deref().map(str::to_lowercase);
        current == Some(status.to_lowercase())
    }

    /// Applies the updates that are present.
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
