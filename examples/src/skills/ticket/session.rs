//! Actions for logging in and out.

use super::Ticket;
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// Whether logging in or out changed anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Success {
    /// True if it did.
    pub success: bool,
}

/// Whether a user is logged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TicketLoginStatus {
    /// True if a user is logged in.
    pub login_status: bool,
}

/// Log in for tickets. Any name will do with any password, but neither may be empty.
#[action]
pub fn ticket_login(
    desk: &mut Ticket,
    /// Name of the user.
    username: String,
    /// Password of the user.
    password: String,
) -> Success {
    let success = !username.is_empty() && !password.is_empty();
    if success {
        desk.current_user = Some(username);
    }
    Success { success }
}

/// Tell whether a user is logged in for tickets.
#[action]
pub fn ticket_get_login_status(desk: &Ticket) -> TicketLoginStatus {
    TicketLoginStatus {
        login_status: desk.user().is_some(),
    }
}

/// Log out for tickets.
#[action]
pub fn logout(desk: &mut Ticket) -> Success {
    let success = desk.user().is_some();
    if success {
        desk.current_user = None;
    }
    Success { success }
}
