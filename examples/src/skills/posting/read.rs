//! Actions that show tweets. They do not require authentication.

use super::{Posting, PostingError, Tweet, TweetComment};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// Show a tweet.
#[action]
pub fn get_tweet(
    board: &Posting,
    /// Number of the tweet.
    tweet_id: i64,
) -> Result<Tweet, PostingError> {
    board.tweet(tweet_id).cloned()
}

/// Show all tweets of a user.
#[action]
pub fn get_user_tweets(
    board: &Posting,
    /// Name of the user.
    username: String,
) -> Vec<Tweet> {
    tweets_of(board, &username).cloned().collect()
}

/// Find tweets that contain a word or have it as a tag, ignoring case.
#[action]
pub fn search_tweets(
    board: &Posting,
    /// The word or any other part of the text, or a complete tag with its `#`.
    keyword: String,
) -> Vec<Tweet> {
    let keyword = keyword.to_lowercase();
    let is_match = |tweet: &&Tweet| {
        tweet.content.to_lowercase().contains(&keyword)
            || tweet.tags.iter().any(|tag| tag.to_lowercase() == keyword)
    };
    board.tweets.values().filter(is_match).cloned().collect()
}

/// Show the comments on a tweet.
#[action]
pub fn get_tweet_comments(
    board: &Posting,
    /// Number of the tweet.
    tweet_id: i64,
) -> Result<Vec<TweetComment>, PostingError> {
    board.tweet(tweet_id)?;
    Ok(board.comments.get(&tweet_id).cloned().unwrap_or_default())
}

/// The activity of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UserStats {
    /// The number of tweets.
    pub tweet_count: usize,
    /// The number of people that the user follows; known only for the owner of the board.
    pub following_count: usize,
    /// The number of retweets.
    pub retweet_count: usize,
}

/// Count the tweets, followed people and retweets of a user.
#[action]
pub fn get_user_stats(
    board: &Posting,
    /// Name of the user.
    username: String,
) -> UserStats {
    let is_owner = username == board.username;
    UserStats {
        tweet_count: tweets_of(board, &username).count(),
        following_count: if is_owner {
            board.following_list.len()
        } else {
            0
        },
        retweet_count: board.retweets.get(&username).map_or(0, Vec::len),
    }
}

fn tweets_of<'a>(board: &'a Posting, username: &'a str) -> impl Iterator<Item = &'a Tweet> {
    let tweets = board.tweets.values();
    tweets.filter(move |tweet| tweet.username == username)
}
