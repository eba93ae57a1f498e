//! The progress of a call, on its way from the action to the caller.

use crate::not_read_by_for;
use crate::signals::dropping_queue::DroppingQueue;
use serde_json::Value;
use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The maximum number of unread progress values of a call.
pub const PROGRESS_CAPACITY: usize = 64;

/// Creates a channel for the progress of one call: the values that the action reports with
/// [`Context::progress`](skill_core::Context::progress).
///
/// Pass the sender to the call, for example with [`ResponseFuture::with_progress`](super::ResponseFuture::with_progress) or
/// `ToolSession::call_with_progress`. The channel closes when the call has ended.
///
/// **A slow reader loses the oldest values, and never blocks the action.** The channel holds at most [`PROGRESS_CAPACITY`]
/// values; after that, each new value drops the oldest one. [`lost`](ProgressReceiver::lost) counts the dropped values.
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// use serde_json::json;
/// use skill_agent::prelude::*;
/// use skill_agent::server::progress_channel;
/// # /// Letters.
/// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// # #[serde(default)]
/// # #[skill(name = "letters", actions(SendLetters))]
/// # pub struct Letters {}
///
/// /// Send letters, and say how many.
/// #[action]
/// pub async fn send_letters(_: &Letters, cx: &mut Context<Letters>, to: Vec<String>) -> usize {
///     for name in &to {
///         cx.progress(json!({ "to": name }));
///     }
///     to.len()
/// }
/// # agent! { pub struct Office { name: "office", skills: [Letters] } }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = AgentServer::builder(Office::new()).start().await?;
/// let (sender, mut progress) = progress_channel();
/// let to = vec!["Ann".to_owned(), "Bob".to_owned()];
/// let call = server.call(SendLetters { to }).with_progress(sender);
/// let show = async {
///     let mut names = Vec::new();
///     while let Some(value) = progress.next().await {
///         names.push(value["to"].clone());
///     }
///     names
/// };
/// let (sent, names) = tokio::join!(call, show);
/// assert_eq!((sent?, names), (2, vec![json!("Ann"), json!("Bob")]));
/// # Ok(())
/// # }
/// ```
pub fn progress_channel() -> (ProgressSender, ProgressReceiver) {
    let queue = Arc::new(DroppingQueue::new(PROGRESS_CAPACITY));
    let sender = ProgressSender(Arc::new(Open(Arc::clone(&queue))));
    (sender, ProgressReceiver(queue))
}

/// The sending half of a [`progress_channel`]. Its clones send values for the same call.
#[derive(Clone)]
pub struct ProgressSender(Arc<Open>);

/// Closes the channel when the last sender is dropped.
struct Open(Arc<DroppingQueue<Value>>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl ProgressSender {
    /// Sends a value, or drops it if the call has ended or the receiver was dropped.
    pub fn send(&self, value: impl Into<Value>) {
        self.0.0.push(value.into());
    }

    /// Returns a value that closes the channel when it is dropped, even while clones of the sender exist.
    #[doc(hidden)]
    pub fn end_on_drop(&self) -> ProgressEnd {
        ProgressEnd(self.clone())
    }
}

impl fmt::Debug for ProgressSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgressSender").finish_non_exhaustive()
    }
}

/// Closes a channel when dropped, so that nothing is sent after the end of a call.
pub struct ProgressEnd(ProgressSender);

impl Drop for ProgressEnd {
    fn drop(&mut self) {
        self.0.0.0.close();
    }
}

/// The receiving half of a [`progress_channel`].
pub struct ProgressReceiver(Arc<DroppingQueue<Value>>);

impl ProgressReceiver {
    /// Waits for the next value. Returns `None` once the call has ended and all values have been read.
    ///
    /// Cancel safe: dropping the future loses no value.
    pub async fn next(&mut self) -> Option<Value> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Returns the next value, or `None` if none is waiting. Does not wait.
    pub fn try_next(&mut self) -> Option<Value> {
        self.0.try_next()
    }

    /// Returns how many values were dropped because they were not read in time.
    pub fn lost(&self) -> u64 {
        self.0.lost()
    }

    #[doc(hidden)]
    pub fn poll_next(&mut self, cx: &Context<'_>) -> Poll<Option<Value>> {
        self.0.poll_next(cx)
    }
}

impl Drop for ProgressReceiver {
    fn drop(&mut self) {
        self.0.close();
        while self.0.try_next().is_some() {}
    }
}

not_read_by_for!(ProgressReceiver);

impl fmt::Debug for ProgressReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgressReceiver")
            .field("waiting", &self.0.len())
            .field("lost", &self.lost())
            .finish()
    }
}
