//! Actions on the people of a workspace.

use super::{Contact, Message, MessageError};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// The people of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UserList {
    /// The names of the people.
    pub user_list: Vec<String>,
}

/// List the names of all people in the workspace.
#[action]
pub fn list_users(messages: &Message) -> UserList {
    let contacts = messages.contacts.iter();
    UserList {
        user_list: contacts.map(|contact| contact.name.clone()).collect(),
    }
}

/// One person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UserId {
    /// The id of the person.
    pub user_id: String,
}

/// Look up the id of a person.
#[action]
pub fn get_user_id(
    messages: &Message,
    /// Name of the person.
    user: String,
) -> Result<UserId, MessageError> {
    let mut contacts = messages.contacts.iter();
    match contacts.find(|contact| contact.name == user) {
        Some(contact) => Ok(UserId {
            user_id: contact.user_id.clone(),
        }),
        None => Err(MessageError::UnknownUser { name: user }),
    }
}

/// The result of adding a contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AddedContact {
    /// Always true.
    pub added_status: bool,
    /// The id of the new person.
    pub user_id: String,
    /// A sentence that describes the result.
    pub message: String,
}

/// Add a person to the workspace and assign an id.
#[action]
pub fn add_contact(
    messages: &mut Message,
    /// Name of the person, which must be unique.
    user_name: String,
) -> Result<AddedContact, MessageError> {
    if messages
        .contacts
        .iter()
        .any(|contact| contact.name == user_name)
    {
        return Err(MessageError::NameTaken { name: user_name });
    }
    let user_id = next_user_id(messages).ok_or(MessageError::NoIdLeft)?;
    messages.contacts.push(Contact {
        name: user_name.clone(),
        user_id: user_id.clone(),
    });
    Ok(AddedContact {
        added_status: true,
        user_id,
        message: format!("Contact '{user_name}' added successfully."),
    })
}

/// Increments the counter until the id is unused. In an imported workspace, the counter may be too low.
fn next_user_id(messages: &mut Message) -> Option<String> {
    for number in messages.user_count.checked_add(1)?..=u32::MAX {
        let user_id = format!("USR{number:03}");
        if !messages.has_user(&user_id) {
            messages.user_count = number;
            return Some(user_id);
        }
    }
    None
}

/// The result of a login.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LoginAttempt {
    /// True if the login succeeded.
    pub login_status: bool,
    /// A sentence that describes the result.
    pub message: String,
}

/// Log in as a person of the workspace.
#[action]
pub fn message_login(
    messages: &mut Message,
    /// Id of the person.
    user_id: String,
) -> LoginAttempt {
    if !messages.has_user(&user_id) {
        return LoginAttempt {
            login_status: false,
            message: format!("User ID '{user_id}' not found."),
        };
    }
    let message = format!("User '{user_id}' logged in successfully.");
    messages.current_user = Some(user_id);
    LoginAttempt {
        login_status: true,
        message,
    }
}

/// Whether a user is logged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MessageLoginStatus {
    /// True if a user is logged in.
    pub login_status: bool,
}

/// Return whether a user is logged in for messages.
#[action]
pub fn message_get_login_status(messages: &Message) -> MessageLoginStatus {
    MessageLoginStatus {
        login_status: messages.check_login().is_ok(),
    }
}
