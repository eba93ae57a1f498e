//! Runs turns to their end.

use super::begin::{Begin, Start};
use super::storage::Change;
use super::{Conversation, TurnCell, TurnResult};
use skill_agent_chat::{Chat, ChatError, Event, Message, ModelError, OwnedTurnStream, Stop, Turn};
use skill_agent_server::__private::catch_async;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

impl Conversation {
    /// Runs a turn to its end, and then begins the next one if messages wait for it.
    pub(super) async fn drive(self: Arc<Self>, chat: Chat, start: Start, cell: Arc<TurnCell>) {
        let ran = catch_async(Box::pin(self.run(chat, start))).await;
        let (chat, result) = ran.unwrap_or_else(|message| {
            tracing::error!(conversation = self.id, %message, "a turn panicked");
            (None, Err(Arc::new(ModelError::panicked(&message).into())))
        });
        let goes_on = match &result {
            Ok(turn) => !matches!(turn.stop, Stop::Approval | Stop::Cancelled | Stop::Aborted),
            Err(_) => false,
        };
        let is_next = {
            let mut state = self.state();
            state.turn = None;
            state.used = Instant::now();
            match chat {
                Some(chat) if state.loaded.is_some() => state.chat = Some(chat),
                // after a failed write, the chat has messages that are not kept
                chat => state.forget(chat),
            }
            let event = match &result {
                Ok(turn) => Ok(Event::Done(turn.clone())),
                Err(error) => Err(Arc::clone(error)),
            };
            // under the lock, so that no event of the next turn comes first
            let number = self.events.add(event);
            match &mut state.loaded {
                Some(loaded) => {
                    loaded.last_event = Some(number);
                    goes_on && !loaded.queued.is_empty()
                }
                None => false,
            }
        };
        cell.result.send_replace(Some(result));
        self.ended.notify_waiters();
        if is_next {
            // if another caller was faster, the messages enter its turn
            let _ = self.begin(Begin::Queued).await;
        }
    }

    async fn run(&self, chat: Chat, start: Start) -> (Option<Chat>, TurnResult) {
        let permit = tokio::select! {
            biased;
            () = self.until_cancelled() => None,
            permit = Arc::clone(&self.shared.running).acquire_owned() => permit.ok(),
        };
        let canceller = chat.canceller();
        let mut stream = match start {
            Start::Say(message) => chat.into_stream(message),
            Start::Resume => chat.into_stream_resume(),
            Start::Decide(id, verdict) => chat.into_stream_decide(&id, verdict),
        };
        if let Some(turn) = &mut self.state().turn {
            turn.is_queued = false;
            if turn.is_cancelled {
                canceller.cancel();
            }
            turn.canceller = Some(canceller);
        }
        let result = self.read(&mut stream).await;
        drop(permit);
        (Some(stream.into_chat()), result.map_err(Arc::new))
    }

    async fn read(&self, stream: &mut OwnedTurnStream) -> Result<Turn, ChatError> {
        loop {
            let event = stream.next().await.unwrap_or(Err(ChatError::Ended))?;
            match &event {
                Event::Done(_) => {
                    let Event::Done(turn) = event else {
                        return Err(ChatError::Ended);
                    };
                    return Ok(turn);
                }
                Event::StepEnd(end) => {
                    let messages = end.messages.clone();
                    let number = self.events.add(Ok(event));
                    self.state().show_at(&messages, number);
                }
                Event::Decided(decided) => {
                    let message = decided.message.clone();
                    let number = self.events.add(Ok(event));
                    if let Some(loaded) = &mut self.state().loaded {
                        if let Some(last) = Arc::make_mut(&mut loaded.shown).last_mut() {
                            *last = message;
                        }
                        loaded.last_event = Some(number);
                    }
                }
                _ => {
                    self.events.add(Ok(event));
                }
            }
            self.reserve_events().await?;
        }
    }

    async fn until_cancelled(&self) {
        loop {
            let notified = self.cancelled.notified();
            if self
                .state()
                .turn
                .as_ref()
                .is_none_or(|turn| turn.is_cancelled)
            {
                return;
            }
            notified.await;
        }
    }

    /// Cancels the running turn, and returns the queued messages.
    pub(crate) async fn cancel(&self) -> Result<Vec<Message>, ChatError> {
        self.load().await?;
        self.cancel_turn();
        if self
            .state()
            .loaded
            .as_ref()
            .is_none_or(|loaded| loaded.queued.is_empty())
        {
            return Ok(Vec::new());
        }
        let queued = self.write(
            |state, _| {
                let queued = state.loaded.as_ref().map(|loaded| loaded.queued.clone());
                let queued = queued.unwrap_or_default();
                let delete = queued.iter().map(|(number, _)| *number).collect();
                Ok((
                    Change {
                        delete,
                        ..Change::default()
                    },
                    queued,
                ))
            },
            |state, gone| {
                if let Some(loaded) = &mut state.loaded {
                    loaded.queued.retain(|queued| !gone.contains(queued));
                }
            },
        );
        Ok(queued
            .await?
            .into_iter()
            .map(|(_, message)| message)
            .collect())
    }

    pub(super) fn cancel_turn(&self) {
        if let Some(turn) = &mut self.state().turn {
            turn.is_cancelled = true;
            if let Some(canceller) = &turn.canceller {
                canceller.cancel();
            }
        }
        self.cancelled.notify_one();
    }

    /// Waits until no turn is running.
    pub(super) async fn ended(&self) {
        loop {
            let mut ended = pin!(self.ended.notified());
            ended.as_mut().enable();
            if self.state().turn.is_none() {
                return;
            }
            ended.await;
        }
    }
}
