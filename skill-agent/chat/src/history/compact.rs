//! Shortening conversations that exceed the model's limit.

use crate::history;
use crate::history::last_parts::LastParts;
use crate::history::turns;
use crate::{ContextPart, Message, MessagePart};
use skill_agent_server::__private::catch_async;
use skill_agent_server::BoxFuture;
use std::fmt;
use std::sync::Arc;

/// Shortens the earlier turns of a conversation when a request would be too long. The last turn stays unchanged, and the chat's
/// history keeps everything.
///
/// [`CutTurns`] is the default, and [`Summarize`](crate::Summarize) asks a model to summarize the earlier turns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a compactor",
    label = "not a compactor",
    note = "a compactor is a type with `impl Compactor`, whose `compact(&self, earlier: &[Message], tokens: usize)` returns the messages that replace the earlier turns in a `Box::pin(async move {{ ... }})`; a closure is no compactor. `CutTurns` is the default, and `Summarize::new(model)` asks a model"
)]
pub trait Compactor: Send + Sync + 'static {
    /// Returns the messages that replace the earlier turns in later requests. These messages should have an estimated total of
    /// about `tokens` tokens, and must contain each call together with its result.
    fn compact<'a>(&'a self, earlier: &'a [Message], tokens: usize) -> BoxFuture<'a, Vec<Message>>;
}

/// Leaves out the oldest turns, each of them entirely.
#[derive(Clone, Copy, Debug, Default)]
pub struct CutTurns;

impl Compactor for CutTurns {
    fn compact<'a>(&'a self, earlier: &'a [Message], tokens: usize) -> BoxFuture<'a, Vec<Message>> {
        let kept = cut(earlier, tokens).to_vec();
        Box::pin(async { kept })
    }
}

/// Returns the latest whole turns that fit into this many tokens.
pub(super) fn cut(earlier: &[Message], tokens: usize) -> &[Message] {
    let (mut kept, mut used) = (earlier.len(), 0);
    for start in turns(earlier).into_iter().rev() {
        used += tokens_of(&earlier[start..kept]);
        if used > tokens {
            break;
        }
        kept = start;
    }
    &earlier[kept..]
}

/// Settings for shortening a chat's conversation.
pub(crate) struct Compaction {
    pub(crate) compactor: Box<dyn Compactor>,
    /// The maximum estimated number of tokens in a request's messages.
    pub(crate) most: Option<usize>,
}

/// Messages that replace the beginning of a history in requests. They do not change until the conversation is too long again, so
/// that providers can cache the common beginning of the requests.
#[derive(Clone, Default)]
pub(crate) struct Compacted {
    /// The number of replaced messages, counted from the start of the history.
    replaced: usize,
    by: Arc<Vec<Message>>,
    /// The number of tokens that were available for the replacement.
    room: usize,
    /// Parts for the message behind the replaced ones; see [`carried`].
    carried: Vec<ContextPart>,
}

impl fmt::Debug for Compacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Compacted({} by {})", self.replaced, self.by.len())
    }
}

impl Compacted {
    /// Returns the messages for a request in the turn whose first message has the index `turn`.
    pub(crate) async fn messages(
        &mut self,
        how: &Compaction,
        history: &Arc<Vec<Message>>,
        turn: usize,
    ) -> Arc<Vec<Message>> {
        if let Some(most) = how.most
            && self.tokens(history) > most
        {
            self.shorten(how, history, turn, most).await;
        }
        self.joined(history)
    }

    /// Shortens the messages of a request that the model rejected as too long. Returns whether they became shorter.
    pub(crate) async fn shorten_more(
        &mut self,
        how: &Compaction,
        history: &[Message],
        turn: usize,
    ) -> bool {
        let before = self.tokens(history);
        self.shorten(how, history, turn, before).await;
        self.tokens(history) < before
    }

    /// Shortens the turns before the running one, so that all messages together have about half of `most` tokens.
    async fn shorten(&mut self, how: &Compaction, history: &[Message], turn: usize, most: usize) {
        let start = turn.max(self.replaced);
        let rest = tokens_of(&history[start..]);
        let room = |carried| (most / 2).saturating_sub(rest + tokens_of_parts(carried));
        // cutting the same messages again helps only if they must become much shorter
        if start == self.replaced && room(&self.carried) >= self.room.div_ceil(2) {
            return;
        }
        let mut carried = carried(history, start);
        let room = room(&carried);
        let mut earlier = self.by.to_vec();
        earlier.extend_from_slice(&history[self.replaced..start]);
        if earlier.is_empty() {
            return;
        }
        let compacting = async { how.compactor.compact(&earlier, room).await };
        let kept = catch_async(Box::pin(compacting)).await;
        let kept = kept.ok().filter(|kept| history::check(kept).is_ok());
        let kept = kept.unwrap_or_else(|| {
            tracing::error!(
                "the compactor gave no whole conversation; the oldest turns are left out"
            );
            cut(&earlier, room).to_vec()
        });
        carried.retain(|part| !have_text(&kept, part));
        *self = Self {
            replaced: start,
            by: Arc::new(kept),
            room,
            carried,
        };
    }

    fn joined(&self, history: &Arc<Vec<Message>>) -> Arc<Vec<Message>> {
        if self.replaced == 0 {
            return Arc::clone(history);
        }
        let rest = &history[self.replaced..];
        let mut joined = [&self.by[..], rest].concat();
        if let Some(behind) = joined.get_mut(self.by.len()) {
            let carried = self.carried.iter().cloned();
            behind.parts.extend(carried.map(MessagePart::Context));
        }
        Arc::new(joined)
    }

    /// Iterates over the parts in requests, in order.
    pub(crate) fn contexts<'a>(
        &'a self,
        history: &'a [Message],
    ) -> impl Iterator<Item = &'a ContextPart> {
        let rest = history[self.replaced..].iter().flat_map(Message::contexts);
        let kept = self.by.iter().flat_map(Message::contexts);
        kept.chain(&self.carried).chain(rest)
    }

    /// Returns the last text of a document in requests.
    #[cfg(feature = "documents")]
    pub(crate) fn last_text(&self, history: &[Message], id: &str) -> Option<String> {
        let carried = self.carried.iter().find(|part| part.loaded == [id]);
        let shown = self.by.iter().chain(&history[self.replaced..]);
        let last = history::context::last_text(shown, id);
        last.or_else(|| carried.map(|part| part.text.clone()))
    }

    fn tokens(&self, history: &[Message]) -> usize {
        let rest = tokens_of(&history[self.replaced..]);
        tokens_of(&self.by) + tokens_of_parts(&self.carried) + rest
    }
}

/// Returns the parts of the replaced messages that the model still needs: the texts of active documents and loaded groups, the last
/// list of documents, and the last states of skills.
fn carried(history: &[Message], start: usize) -> Vec<ContextPart> {
    let (replaced, rest) = history.split_at(start);
    let known = LastParts::of(replaced.iter().flat_map(Message::contexts));
    let states = known.missing_in(rest);
    #[cfg(feature = "documents")]
    let documents = history::context::carried(replaced, rest);
    #[cfg(not(feature = "documents"))]
    let documents: Vec<ContextPart> = Vec::new();
    let mut groups = history::groups::carried(history, start);
    // a document has the instructions of its skill
    groups.retain(|group| documents.iter().all(|part| part.loaded != group.groups));
    [documents, groups, states].concat()
}

/// Returns whether messages contain the text of a part.
fn have_text(messages: &[Message], part: &ContextPart) -> bool {
    #[cfg(feature = "documents")]
    if let [id] = &*part.loaded {
        return history::context::last_text(messages, id).is_some_and(|text| text == part.text);
    }
    if !part.groups.is_empty() {
        return history::groups::have_answer(messages, part);
    }
    LastParts::of(messages.iter().flat_map(Message::contexts)).has(part)
}

fn tokens_of_parts(parts: &[ContextPart]) -> usize {
    parts.iter().map(|part| part.text.len().div_ceil(4)).sum()
}

/// Estimates the number of tokens in the messages.
pub(crate) fn tokens_of(messages: &[Message]) -> usize {
    let parts = messages.iter().flat_map(|message| &message.parts);
    parts.map(MessagePart::tokens).sum()
}
