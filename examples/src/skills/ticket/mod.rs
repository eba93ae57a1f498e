//! Support tickets.
//!
//! Tickets are numbered by a counter in the state. A logged-in user can create tickets and list their own. Everybody
//! can look up, edit, resolve and close any ticket by its number.

mod record;
mod session;
mod tickets;

pub use record::*;
pub use session::*;
pub use tickets::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Create, look up and process the support tickets of a company.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "ticket",
    state_key = "ticket",
    version = "0.1.0",
    category = "support",
    instructions = "Log in with `{TicketLogin}` before `{CreateTicket}` and `{GetUserTickets}`. `{ResolveTicket}` and `{CloseTicket}` \
                    need no login.",
    actions(
        TicketLogin, TicketGetLoginStatus, Logout, // session
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
    /// The name of the logged-in user.
    #[skill(default)]
    pub current_user: Option<String>,
}

impl Ticket {
    /// Returns the logged-in user. Other programs may have stored an empty name, which counts as no user.
    fn user(&self) -> Option<&str> {
        self.current_user.as_deref().filter(|user| !user.is_empty())
    }

    fn find(&self, id: i64) -> Result<&TicketRecord, TicketError> {
        let mut tickets = self.ticket_queue.iter();
        tickets
            .find(|ticket| ticket.has_number(id))
            .ok_or(TicketError::NotFound { id })
    }

    fn find_mut(&mut self, id: i64) -> Result<&mut TicketRecord, TicketError> {
        let mut tickets = self.ticket_queue.iter_mut();
        tickets
            .find(|ticket| ticket.has_number(id))
            .ok_or(TicketError::NotFound { id })
    }
}

/// An error of the ticket actions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TicketError {
    /// The operation requires a logged-in user.
    #[error("User not authenticated. Please log in to {purpose}.")]
    NotLoggedIn {
        /// The refused operation.
        purpose: &'static str,
    },
    /// The priority is not between 1 and 5.
    #[error("Invalid priority. Priority must be between 1 and 5.")]
    InvalidPriority,
    /// No ticket has this number.
    #[error("Ticket with ID {id} not found.")]
    NotFound {
        /// The number.
        id: i64,
    },
    /// The ticket is already closed.
    #[error("Ticket with ID {id} is already closed.")]
    AlreadyClosed {
        /// The number of the ticket.
        id: i64,
    },
    /// The ticket is already resolved.
    #[error("Ticket with ID {id} is already resolved.")]
    AlreadyResolved {
        /// The number of the ticket.
        id: i64,
    },
}
