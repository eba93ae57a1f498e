//! Actions for logging in and out.

use super::Ticket;
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// The result of logging in or out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Success {
    /// True if the state changed.
    pub success: bool,
}

/// Whether a user is logged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TicketLoginStatus {
    /// True if a user is logged in.
    pub login_status: bool,
}

/// Log in for tickets. Every name and password is accepted, unless one of them is empty.
#[action]
pub fn ticket_login(
    tickets: &mut Ticket,
    /// Name of the user.
    username: String,
    /// Password of the user.
    password: String,
) -> Success {
    let success = !username.is_empty() && !password.is_empty();
    if success {
        tickets.current_user = Some(username);
    }
    Success { success }
}

/// Return whether a user is logged in for tickets.
#[action]
pub fn ticket_get_login_status(tickets: &Ticket) -> TicketLoginStatus {
    TicketLoginStatus {
        login_status: tickets.user().is_some(),
    }
}

/// Log out for tickets.
#[action]
pub fn logout(tickets: &mut Ticket) -> Success {
    let success = tickets.user().is_some();
    if success {
        tickets.current_user = None;
    }
    Success { success }
}
