//! A board of short public posts, called tweets.
//!
//! The board belongs to one user. Posting requires the password in the state; reading requires nothing.

mod account;
mod read;
mod write;

pub use account::*;
pub use read::*;
pub use write::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// Post tweets, comment on tweets, and follow people.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "posting",
    state_key = "posting",
    version = "0.1.0",
    category = "communication",
    actions(
        AuthenticateTwitter, PostingGetLoginStatus, FollowUser, UnfollowUser, ListAllFollowing,
        PostTweet, Retweet, Comment, Mention, // write
        GetTweet, GetUserTweets, SearchTweets, GetTweetComments, GetUserStats // read
    )
)]
pub struct Posting {
    /// The name of the board's owner.
    #[skill(default = String::from("john"))]
    pub username: String,
    /// The password of the owner.
    #[skill(default = String::from("john123"))]
    pub password: String,
    /// Whether the owner is authenticated.
    #[skill(default)]
    pub authenticated: bool,
    /// All tweets by number.
    #[skill(default)]
    pub tweets: BTreeMap<i64, Tweet>,
    /// Comments by the number of the tweet, oldest first.
    #[skill(default)]
    pub comments: BTreeMap<i64, Vec<TweetComment>>,
    /// Numbers of the tweets that each user has retweeted.
    #[skill(default)]
    pub retweets: BTreeMap<String, Vec<i64>>,
    /// The names of the people that the owner follows.
    #[skill(default = vec![String::from("alice"), String::from("bob")])]
    pub following_list: Vec<String>,
    /// Number of the next tweet.
    #[skill(default)]
    pub tweet_counter: i64,
}

/// A tweet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tweet {
    /// The number of the tweet.
    pub id: i64,
    /// The name of the author.
    pub username: String,
    /// The text of the tweet.
    pub content: String,
    /// The tags.
    pub tags: Vec<String>,
    /// The names of the mentioned people. A tweet by another program may have no list of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mentions: Option<Vec<String>>,
}

/// A comment on a tweet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TweetComment {
    /// The name of the author. Comments by other programs may store it in another field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The text. Comments by other programs may store it in another field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Fields of comments by other programs.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Posting {
    /// Fails if the user is not authenticated.
    fn check_login(&self, activity: &'static str) -> Result<(), PostingError> {
        if self.authenticated {
            return Ok(());
        }
        Err(PostingError::NotAuthenticated { activity })
    }

    fn tweet(&self, id: i64) -> Result<&Tweet, PostingError> {
        self.tweets.get(&id).ok_or(PostingError::NotFound { id })
    }
}

/// An error of the posting actions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostingError {
    /// The user is not authenticated.
    #[error("User not authenticated. Please authenticate before {activity}.")]
    NotAuthenticated {
        /// The refused operation.
        activity: &'static str,
    },
    /// No tweet has this number.
    #[error("Tweet with ID {id} not found.")]
    NotFound {
        /// The number.
        id: i64,
    },
}
