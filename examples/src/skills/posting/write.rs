//! Actions that post.

use super::{Posting, PostingError, Tweet, TweetComment};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;
use skill_agent::prelude::*;

/// Post a tweet. The user must be authenticated.
#[action]
pub fn post_tweet(
    board: &mut Posting,
    /// The text.
    content: String,
    /// The tags, each with a leading `#`.
    #[arg(default)]
    tags: Vec<String>,
    /// The mentioned people, each with a leading `@`.
    #[arg(default)]
    mentions: Vec<String>,
) -> Result<Tweet, PostingError> {
    board.check_login("posting")?;
    let tweet = Tweet {
        id: board.tweet_counter,
        username: board.username.clone(),
        content,
        tags,
        mentions: Some(mentions),
    };
    board.tweets.insert(tweet.id, tweet.clone());
    board.tweet_counter = board.tweet_counter.saturating_add(1);
    Ok(tweet)
}

/// The result of a retweet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RetweetAnswer {
    /// The status.
    pub retweet_status: RetweetStatus,
}

/// The status of a retweet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum RetweetStatus {
    /// The tweet was retweeted.
    #[serde(rename = "Successfully retweeted")]
    Done,
    /// The tweet had already been retweeted.
    #[serde(rename = "Already retweeted")]
    Already,
}

/// Retweet a tweet. The user must be authenticated.
#[action]
pub fn retweet(
    board: &mut Posting,
    /// Number of the tweet.
    tweet_id: i64,
) -> Result<RetweetAnswer, PostingError> {
    board.check_login("retweeting")?;
    board.tweet(tweet_id)?;
    let retweets = board.retweets.entry(board.username.clone()).or_default();
    let retweet_status = if retweets.contains(&tweet_id) {
        RetweetStatus::Already
    } else {
        retweets.push(tweet_id);
        RetweetStatus::Done
    };
    Ok(RetweetAnswer { retweet_status })
}

/// The result of a comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CommentAnswer {
    /// A sentence that describes the result.
    pub comment_status: String,
}

/// Comment on a tweet. The user must be authenticated.
#[action]
pub fn comment(
    board: &mut Posting,
    /// Number of the tweet.
    tweet_id: i64,
    /// The text of the comment.
    comment_content: String,
) -> Result<CommentAnswer, PostingError> {
    board.check_login("commenting")?;
    board.tweet(tweet_id)?;
    let comments = board.comments.entry(tweet_id).or_default();
    comments.push(TweetComment {
        username: Some(board.username.clone()),
        content: Some(comment_content),
        other: Map::new(),
    });
    Ok(CommentAnswer {
        comment_status: "Comment added successfully".to_owned(),
    })
}

/// The result of a mention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MentionAnswer {
    /// A sentence that describes the result.
    pub mention_status: String,
}

/// Mention people in an existing tweet.
#[action]
pub fn mention(
    board: &mut Posting,
    /// Number of the tweet.
    tweet_id: i64,
    /// Names of the people to mention.
    mentioned_usernames: Vec<String>,
) -> Result<MentionAnswer, PostingError> {
    let tweet = board
        .tweets
        .get_mut(&tweet_id)
        .ok_or(PostingError::NotFound { id: tweet_id })?;
    let mentions = tweet.mentions.get_or_insert_default();
    mentions.extend(mentioned_usernames);
    Ok(MentionAnswer {
        mention_status: "Users mentioned successfully".to_owned(),
    })
}
