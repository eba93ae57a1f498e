//! Actions about who is asking.

use super::Ticket;
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// Whether logging in or out did anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Success {
    /// True if it did.
    pub success: bool,
}

/// Whether somebody is logged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TicketLoginStatus {
    /// True if somebody is.
    pub login_status: bool,
}

/// Log in at the ticket desk. Any name will do with any password, but neither may be empty.
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

/// Tell whether somebody is logged in at the ticket desk.
#[action]
pub fn ticket_get_login_status(desk: &Ticket) -> TicketLoginStatus {
    TicketLoginStatus {
        login_status: desk.user().is_some(),
    }
}

/// Log out at the ticket desk.
#[action]
pub fn logout(desk: &mut Ticket) -> Success {
    let success = desk.user().is_some();
    if success {
        desk.current_user = None;
    }
    Success { success }
}
