//! Actions on tickets.

use super::{Priority, Ticket, TicketError, TicketId, TicketRecord, TicketUpdates};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

const OPEN: &str = "Open";
const RESOLVED: &str = "Resolved";
const CLOSED: &str = "Closed";

/// The output of an action that changes a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TicketStatus {
    /// A sentence about the change.
    pub status: String,
}

/// Create a ticket. A user must be logged in.
#[action]
pub fn create_ticket(
    tickets: &mut Ticket,
    /// The subject, in a few words.
    title: String,
    /// The full description.
    #[arg(default)]
    description: String,
    /// From 1 (least urgent) to 5 (most urgent).
    #[arg(default = 1)]
    priority: i64,
) -> Result<TicketRecord, TicketError> {
    let user = tickets.user().ok_or(TicketError::NotLoggedIn {
        purpose: "create a ticket",
    })?;
    if !(1..=5).contains(&priority) {
        return Err(TicketError::InvalidPriority);
    }
    let ticket = TicketRecord {
        id: Some(TicketId::Number(tickets.ticket_counter)),
        title: Some(title),
        description: Some(description),
        status: Some(OPEN.to_owned()),
        priority: Some(Priority::Level(priority)),
        created_by: Some(user.to_owned()),
        ..TicketRecord::default()
    };
    tickets.ticket_queue.push(ticket.clone());
    tickets.ticket_counter = tickets.ticket_counter.saturating_add(1);
    Ok(ticket)
}

/// Look up a ticket by its number.
#[action]
pub fn get_ticket(
    tickets: &Ticket,
    /// Number of the ticket.
    ticket_id: i64,
) -> Result<TicketRecord, TicketError> {
    tickets.find(ticket_id).cloned()
}

/// List the tickets that the logged-in user created.
#[action]
pub fn get_user_tickets(
    tickets: &Ticket,
    /// List only tickets with this status. If it is absent, list all.
    status: Option<String>,
) -> Result<Vec<TicketRecord>, TicketError> {
    let user = tickets.user().ok_or(TicketError::NotLoggedIn {
        purpose: "view tickets",
    })?;
    let status = status.filter(|status| !status.is_empty());
    let queue = tickets.ticket_queue.iter();
    Ok(queue
        .filter(|ticket| ticket.created_by.as_deref() == Some(user))
        .filter(|ticket| {
            status
                .as_deref()
                .is_none_or(|status| ticket.has_status(status))
        })
        .cloned()
        .collect())
}

/// Change some fields of a ticket.
#[action]
pub fn edit_ticket(
    tickets: &mut Ticket,
    /// Number of the ticket.
    ticket_id: i64,
    /// The fields to change, each with its new value.
    updates: TicketUpdates,
) -> Result<TicketStatus, TicketError> {
    tickets.find_mut(ticket_id)?.update(updates);
    Ok(done(ticket_id, "updated"))
}

/// Mark a ticket as resolved and say how.
#[action]
pub fn resolve_ticket(
    tickets: &mut Ticket,
    /// Number of the ticket.
    ticket_id: i64,
    /// How it was resolved.
    resolution: String,
) -> Result<TicketStatus, TicketError> {
    let ticket = tickets.find_mut(ticket_id)?;
    if ticket.status.as_deref() == Some(RESOLVED) {
        return Err(TicketError::AlreadyResolved { id: ticket_id });
    }
    ticket.status = Some(RESOLVED.to_owned());
    ticket.resolution = Some(resolution);
    Ok(done(ticket_id, "resolved"))
}

/// Close a ticket.
#[action]
pub fn close_ticket(
    tickets: &mut Ticket,
    /// Number of the ticket.
    ticket_id: i64,
) -> Result<TicketStatus, TicketError> {
    let ticket = tickets.find_mut(ticket_id)?;
    if ticket.status.as_deref() == Some(CLOSED) {
        return Err(TicketError::AlreadyClosed { id: ticket_id });
    }
    ticket.status = Some(CLOSED.to_owned());
    Ok(done(ticket_id, "closed"))
}

fn done(id: i64, what: &str) -> TicketStatus {
    TicketStatus {
        status: format!("Ticket {id} has been {what} successfully."),
    }
}
