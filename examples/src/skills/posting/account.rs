//! Actions on the user's own account.

use super::{Posting, PostingError};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// The result of an authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Authentication {
    /// True if the username and the password are correct.
    pub authentication_status: bool,
}

/// Authenticate as the owner of the board.
#[action]
pub fn authenticate_twitter(
    board: &mut Posting,
    /// Name of the user.
    username: String,
    /// Password of the user.
    password: String,
) -> Authentication {
    let is_valid = username == board.username && password == board.password;
    board.authenticated |= is_valid;
    Authentication {
        authentication_status: is_valid,
    }
}

/// Whether the user is authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PostingLoginStatus {
    /// True if the user is authenticated.
    pub login_status: bool,
}

/// Return whether the user is authenticated.
#[action]
pub fn posting_get_login_status(board: &Posting) -> PostingLoginStatus {
    PostingLoginStatus {
        login_status: board.authenticated,
    }
}

/// The result of following a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Followed {
    /// False if the user already followed the person.
    pub follow_status: bool,
}

/// Follow a person. The user must be authenticated.
#[action]
pub fn follow_user(
    board: &mut Posting,
    /// Name of the person to follow.
    username_to_follow: String,
) -> Result<Followed, PostingError> {
    board.check_login("following")?;
    let follow_status = !board.following_list.contains(&username_to_follow);
    if follow_status {
        board.following_list.push(username_to_follow);
    }
    Ok(Followed { follow_status })
}

/// The result of unfollowing a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unfollowed {
    /// False if the user did not follow the person.
    pub unfollow_status: bool,
}

/// Stop following a person. The user must be authenticated.
#[action]
pub fn unfollow_user(
    board: &mut Posting,
    /// Name of the person to unfollow.
    username_to_unfollow: String,
) -> Result<Unfollowed, PostingError> {
    board.check_login("unfollowing")?;
    let mut following = board.following_list.iter();
    let position = following.position(|name| *name == username_to_unfollow);
    if let Some(position) = position {
        board.following_list.remove(position);
    }
    Ok(Unfollowed {
        unfollow_status: position.is_some(),
    })
}

/// The people that the user follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Following {
    /// The names of the people.
    pub following_list: Vec<String>,
}

/// List the people that the user follows. The user must be authenticated.
#[action]
pub fn list_all_following(board: &Posting) -> Result<Following, PostingError> {
    board.check_login("listing following")?;
    Ok(Following {
        following_list: board.following_list.clone(),
    })
}
