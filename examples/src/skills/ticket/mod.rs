//! A desk for support tickets.
//!
//! Tickets are numbered by a counter in the state. Whoever is logged in creates tickets and lists
//! their own; everybody may look up, edit, resolve and close any ticket by its number.

mod record;
mod session;
mod tickets;

pub use record::*;
pub use session::*;
pub use tickets::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Create, look up and work on the support tickets of a company.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "ticket",
    state_key = "ticket",
    version = "0.1.0",
    category = "support",
    actions(
        TicketLogin, TicketGetLoginStatus, Logout, // who is asking
        CreateTicket, GetTicket, GetUserTickets, EditTicket, ResolveTicket, CloseTicket
    )
)]
pub struct Ticket {
    /// All tickets, oldest first.
    #[skill(default)]
    pub ticket_queue: Vec<TicketRecord>,
    /// Number of the next ticket.
    #[skill(default = 1)]
    pub ticket_counter: i64,
    /// Who is logged in.
    #[skill(default)]
    pub current_user: Option<String>,
}

impl Ticket {
    /// Who is logged in. An empty name, as other programs may have stored it, is nobody.
    fn user(&self) -> Option<&str> {
        self.current_user.as_deref().filter(|user| !user.is_empty())
    }

    fn find(&self, id: i64) -> Result<&TicketRecord, TicketError> {
        let mut tickets = self.ticket_queue.iter();
        tickets
            .find(|ticket| ticket.id == id)
            .ok_or(TicketError::NotFound { id })
    }

    fn find_mut(&mut self, id: i64) -> Result<&mut TicketRecord, TicketError> {
        let mut tickets = self.ticket_queue.iter_mut();
        tickets
            .find(|ticket| ticket.id == id)
            .ok_or(TicketError::NotFound { id })
    }
}

/// Why the desk did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TicketError {
    /// Only users who are logged in may do this.
    #[error("User not authenticated. Please log in to {purpose}.")]
    NotLoggedIn {
        /// What they may do then.
        purpose: &'static str,
    },
    /// There are five priorities.
    #[error("Invalid priority. Priority must be between 1 and 5.")]
    InvalidPriority,
    /// No ticket has this number.
    #[error("Ticket with ID {id} not found.")]
    NotFound {
        /// The number.
        id: i64,
    },
    /// A ticket is closed once.
    #[error("Ticket with ID {id} is already closed.")]
    AlreadyClosed {
        /// Its number.
        id: i64,
    },
    /// A ticket is resolved once.
    #[error("Ticket with ID {id} is already resolved.")]
    AlreadyResolved {
        /// Its number.
        id: i64,
    },
}
