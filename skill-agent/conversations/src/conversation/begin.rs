//! Begins turns.

use super::closing::one_has_closed;
use super::storage::Change;
use super::{Conversation, Loaded, State, TurnState};
use crate::cell::TurnCell;
use crate::conversation::keeper::Keeper;
use crate::conversation::keys::{KnownTurn, MessageKey, TurnKey};
use crate::rows::{Rest, TurnRow, UsedKey};
use skill_agent_chat::__private::is_unfinished;
use skill_agent_chat::{Chat, ChatBuilder, ChatError, Event, Message};
use skill_agent_server::__private::{HELD_TIME, catch_async, time};
use skill_agent_server::{BoxFuture, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// The beginning of a turn, as the caller asked for it.
#[derive(Debug)]
pub(crate) enum Begin {
    /// A new message, with the key that its sender may repeat.
    Say(Message, Option<MessageKey>),
    /// The first queued message.
    Queued,
    Resume,
    Decide(String, Verdict),
}

/// The beginning of a turn, once it is recorded.
pub(super) enum Start {
    Say(Message),
    Resume,
    Decide(String, Verdict),
}

/// A conversation that is reserved for a turn, or its turn that a message began before.
enum Reserved {
    New(Begin, Arc<TurnCell>),
    Known(KnownTurn),
}

/// How long a server certainly holds the output of a call. This is one day less than [`HELD_TIME`], because the server's clock
/// may differ from this process's clock.
const SURELY_HELD: Duration = HELD_TIME.saturating_sub(Duration::from_secs(24 * 60 * 60));

impl Conversation {
    /// Begins a turn in a separate task, so that the beginning completes even if the caller stops waiting.
    pub(crate) async fn begin(self: &Arc<Self>, begin: Begin) -> Result<Arc<TurnCell>, ChatError> {
        let (begin, cell) = match self.reserve(begin)? {
            Reserved::New(begin, cell) => (begin, cell),
            Reserved::Known(turn) => return turn.begun().await,
        };
        let this = Arc::clone(self);
        let begun = tokio::spawn(async move {
            let begun = this.record_begin(begin).await;
            match begun {
                Ok((chat, start)) => {
                    this.state().keep_key();
                    Ok(this.spawn(chat, start, cell))
                }
                Err(error) => {
                    let mut state = this.state();
                    state.turn = None;
                    state.next = cell;
                    this.ended.notify_waiters();
                    Err(error)
                }
            }
        });
        begun.await.unwrap_or(Err(ChatError::Ended))
    }

    /// Reserves the conversation for a turn. Returns `Busy` if a turn is running or waits for its start, and the turn of a message
    /// that was sent before.
    fn reserve(&self, begin: Begin) -> Result<Reserved, ChatError> {
        let mut state = self.state();
        if state.is_deleted {
            return Err(self.unknown());
        }
        let key = match &begin {
            Begin::Say(_, key) => key.as_ref(),
            _ => None,
        };
        if let Some(key) = key
            && let Some(known) = self.turn_of(&state, key)?
        {
            return Ok(Reserved::Known(known));
        }
        let key = key.map(TurnKey::new);
        if state.turn.is_some() {
            let message = match begin {
                Begin::Say(message, _) => message,
                _ => Message::user(""),
            };
            return Err(ChatError::busy(&self.id, message));
        }
        let cell = std::mem::take(&mut state.next);
        state.used = Instant::now();
        state.turn = Some(TurnState::new(Arc::clone(&cell), key));
        Ok(Reserved::New(begin, cell))
    }

    /// Checks and records the beginning of a turn.
    async fn record_begin(self: &Arc<Self>, begin: Begin) -> Result<(Chat, Start), ChatError> {
        self.load().await?;
        let mut chat = tokio::select! {
            biased;
            chat = self.take_chat() => chat?,
            () = self.until_cancelled() => return Err(ChatError::Ended),
        };
        match self.record_with(&mut chat, begin).await {
            Ok(start) => Ok((chat, start)),
            Err(error) => {
                let is_recorded = !matches!(error, ChatError::Store(_));
                let dropped = self.keep_chat(&mut self.state(), chat, is_recorded);
                drop(dropped);
                Err(error)
            }
        }
    }

    /// Keeps the chat for the next turn if all its messages are recorded. Otherwise, returns the chat. The caller then drops it
    /// without the lock, because dropping a chat runs the program's code.
    pub(super) fn keep_chat(
        &self,
        state: &mut State,
        chat: Chat,
        is_recorded: bool,
    ) -> Option<Chat> {
        if is_recorded && state.loaded.is_some() {
            state.chat = Some(chat);
            return None;
        }
        state.unload();
        self.shared.closing.add(&self.id, &chat);
        Some(chat)
    }

    async fn record_with(&self, chat: &mut Chat, begin: Begin) -> Result<Start, ChatError> {
        let mut key = None;
        let new = match begin {
            Begin::Resume => {
                let verdict = self.state().head.verdict.clone();
                if let Some((id, verdict)) = verdict
                    && chat.check_decision(&id).is_ok()
                {
                    self.reserve_events().await?;
                    return Ok(Start::Decide(id, verdict));
                }
                if self.is_begun() || is_unfinished(chat.history()) {
                    self.reserve_events().await?;
                    if self.may_have_forgotten_calls() {
                        self.settle(chat).await?;
                    }
                    return Ok(Start::Resume);
                }
                None
            }
            Begin::Decide(id, verdict) => {
                chat.check_decision(&id)?;
                self.keep_verdict(&id, &verdict).await?;
                return Ok(Start::Decide(id, verdict));
            }
            Begin::Say(message, of_message) => {
                key = of_message.map(|key| key.used);
                Some(message)
            }
            Begin::Queued => None,
        };
        if let Some(message) = &new {
            chat.check_message(message)?;
        }
        loop {
            // a queued message comes before the new one
            let first = self.state().queued().first().cloned();
            let first_message = first.as_ref().map(|(_, message)| message.clone());
            let (said, enqueued) = match (first_message, &new) {
                (Some(first), new) => (first, new.clone()),
                (None, Some(new)) => (new.clone(), None),
                (None, None) => return Err(ChatError::NothingToResume),
            };
            chat.check_message(&said)?;
            self.settle(chat).await?;
            let is_said = self.say(first.as_ref(), &said, enqueued.as_ref(), key.as_ref());
            if is_said.await? {
                return Ok(Start::Say(said));
            }
        }
    }

    /// Records `said`, which begins a turn, and `enqueued`, which waits for the turn's next request. `first` is the queue entry
    /// of `said`. Returns `false` and records nothing if the entry has left the queue in the meantime, for example because of
    /// `cancel`.
    async fn say(
        &self,
        first: Option<&(u64, Message)>,
        said: &Message,
        enqueued: Option<&Message>,
        key: Option<&UsedKey>,
    ) -> Result<bool, ChatError> {
        let said = self.write(
            |state, head| {
                let mut change = Change::default();
                if first.is_some_and(|first| !state.queued().contains(first)) {
                    return Ok((change, None));
                }
                head.turns += 1;
                change.begin_turn(state, head);
                if let Some(key) = key {
                    head.use_key(key);
                }
                head.take_title(said);
                head.rest = Rest::Interrupted;
                change.append(head, [said]);
                change.dequeue(first);
                let number = enqueued.map(|message| change.enqueue(head, message));
                Ok((change, Some(number)))
            },
            |state, number| {
                let (turn, row) = (state.head.turn, state.head.next - 1);
                if let (Some(loaded), Some(number)) = (&mut state.loaded, number) {
                    let row = TurnRow {
                        first: row,
                        ..TurnRow::default()
                    };
                    loaded.turns.insert(turn, row);
                    loaded.queued.retain(|queued| Some(queued) != first);
                    loaded.queued.extend(number.zip(enqueued.cloned()));
                }
            },
        );
        Ok(said.await?.is_some())
    }

    fn is_begun(&self) -> bool {
        let state = self.state();
        state
            .loaded
            .as_ref()
            .is_some_and(|loaded| loaded.begun.is_some())
    }

    /// Returns whether a server may no longer know which calls of the last step it ran.
    fn may_have_forgotten_calls(&self) -> bool {
        let head = &self.state().head;
        let age = SystemTime::now().duration_since(time(head.recorded));
        head.is_cut || age.is_ok_and(|age| age > SURELY_HELD)
    }

    /// Completes a step whose results are missing, without running its calls again.
    async fn settle(&self, chat: &mut Chat) -> Result<(), ChatError> {
        if !self.is_begun() {
            return Ok(());
        }
        self.reserve_events().await?;
        let mut turn = chat.stream_settled(self.may_have_forgotten_calls());
        while let Some(event) = turn.next().await {
            match event? {
                // this is only the end of the settled step; the turn that begins next emits its own end
                Event::Done(_) => {}
                event => self.publish(event).await?,
            }
        }
        Ok(())
    }

    /// Takes the idle chat, or builds a new one.
    async fn take_chat(self: &Arc<Self>) -> Result<Chat, ChatError> {
        if let Some(chat) = self.state().chat.take() {
            return Ok(chat);
        }
        let builder = self.build().await?;
        // another write may have failed meanwhile
        self.load().await?;
        let (history, begun, activations) = {
            let state = self.state();
            let Some(Loaded { shown, begun, .. }) = &state.loaded else {
                return Err(self.unknown());
            };
            let activations = state.head.activations.clone();
            (shown.to_vec(), begun.clone(), activations)
        };
        let builder = builder.history(history).keeper(Arc::new(Keeper::of(self)));
        #[cfg(feature = "documents")]
        let builder = match activations {
            Some(activations) => {
                let read = serde_json::from_value(activations);
                builder.activations(read.map_err(|error| self.unreadable(error.to_string()))?)
            }
            None => builder,
        };
        #[cfg(not(feature = "documents"))]
        drop(activations);
        let mut chat = builder.build()?;
        chat.set_begun(begun);
        self.state().reads_images = Some(chat.reads_images());
        Ok(chat)
    }

    /// Calls the program's function. If it fails while a server of an earlier chat of this conversation is still stopping, calls
    /// it again once that server has stopped.
    async fn build(&self) -> Result<ChatBuilder, ChatError> {
        let mut closing = self.shared.closing.take(&self.id);
        loop {
            let id = self.id.clone();
            let built = catch_async(Box::pin(async { (self.shared.build)(id).await })).await;
            let error = match built {
                Ok(Ok(builder)) => return Ok(builder),
                Ok(Err(error)) => error,
                Err(message) => format!("it panicked: {message}").into(),
            };
            if closing.is_empty() || !one_has_closed(&mut closing).await {
                return Err(ChatError::build(&self.id, error));
            }
        }
    }

    /// Starts the task of a turn.
    fn spawn(self: &Arc<Self>, chat: Chat, start: Start, cell: Arc<TurnCell>) -> Arc<TurnCell> {
        let first = self.events.begin_turn();
        let _ = cell.first_event.set(first);
        if let Start::Say(message) = &start {
            let number = self.events.add(Ok(Event::Said(message.clone())));
            self.state().show_at(std::slice::from_ref(message), number);
        }
        let permit = self.queue_up();
        let drive = Box::pin(Arc::clone(self).drive(chat, start, Arc::clone(&cell), permit));
        tokio::spawn(drive as BoxFuture<'static, ()>);
        cell
    }
}

impl State {
    /// Adds messages to the history that readers see, with the number of the event that shows them.
    pub(super) fn show_at(&mut self, messages: &[Message], event: u64) {
        if let Some(loaded) = &mut self.loaded {
            Arc::make_mut(&mut loaded.shown).extend_from_slice(messages);
            loaded.begun = None;
            loaded.last_event = Some(event);
        }
    }
}
