//! Actions on the user's own account.

use super::{Posting, PostingError};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// Whether user and password were right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Authentication {
    /// True if they were.
    pub authentication_status: bool,
}

/// Authenticate as the user whose board it is.
#[action]
pub fn authenticate_twitter(
    board: &mut Posting,
    /// Name of the user.
    username: String,
    /// Password of the user.
    password: String,
) -> Authentication {
    let right = username == board.username && password == board.password;
    board.authenticated |= right;
    Authentication {
        authentication_status: right,
    }
}

/// Whether the user has authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PostingLoginStatus {
    /// True if they have.
    pub login_status: bool,
}

/// Tell whether the user has authenticated.
#[action]
pub fn posting_get_login_status(board: &Posting) -> PostingLoginStatus {
    PostingLoginStatus {
        login_status: board.authenticated,
    }
}

/// Whether the user started to follow a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Followed {
    /// False if they did so before.
    pub follow_status: bool,
}

/// Follow a person. The user must be authenticated.
#[action]
pub fn follow_user(
    board: &mut Posting,
    /// Whom to follow.
    username_to_follow: String,
) -> Result<Followed, PostingError> {
    board.check_login("following")?;
    let follow_status = !board.following_list.contains(&username_to_follow);
    if follow_status {
        board.following_list.push(username_to_follow);
    }
    Ok(Followed { follow_status })
}

/// Whether the user stopped following a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unfollowed {
    /// False if they did not follow them.
    pub unfollow_status: bool,
}

/// Stop following a person. The user must be authenticated.
#[action]
pub fn unfollow_user(
    board: &mut Posting,
    /// Whom to follow no longer.
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

/// Whom the user follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Following {
    /// Their names.
    pub following_list: Vec<String>,
}

/// List the people whom the user follows. The user must be authenticated.
#[action]
pub fn list_all_following(board: &Posting) -> Result<Following, PostingError> {
    board.check_login("listing following")?;
    Ok(Following {
        following_list: board.following_list.clone(),
    })
}
