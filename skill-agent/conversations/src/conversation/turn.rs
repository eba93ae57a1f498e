//! Runs turns to their end.

use super::begin::{Begin, Start};
use super::storage::Change;
use super::{Conversation, State};
use crate::cell::{TurnCell, TurnResult};
use crate::rows::Rest;
use skill_agent_chat::{
    Chat, ChatError, Decided, Event, Message, OwnedTurnStream, Selected, Stop, Turn,
};
use skill_agent_server::__private::catch_async;
use skill_agent_server::BoxFuture;
use std::future::ready;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;
use tokio::sync::OwnedSemaphorePermit;

/// Waits until a turn may run.
type Permit = BoxFuture<'static, Option<OwnedSemaphorePermit>>;

impl Conversation {
    /// Takes a place in the queue of waiting turns. This happens before the turn's task is spawned, because the tasks of later
    /// turns may be polled first.
    pub(super) fn queue_up(&self) -> Permit {
        let running = Arc::clone(&self.shared.running);
        let mut permit: Permit = Box::pin(async { running.acquire_owned().await.ok() });
        match permit
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(permit) => Box::pin(ready(permit)),
            Poll::Pending => permit,
        }
    }

    /// Runs a turn to its end. Then begins the next turn if messages wait for it and the turn was not cancelled or aborted.
    pub(super) async fn drive(
        self: Arc<Self>,
        chat: Chat,
        start: Start,
        cell: Arc<TurnCell>,
        permit: Permit,
    ) {
        let run = catch_async(Box::pin(self.run(chat, start, permit))).await;
        self.drop_verdict().await;
        let (chat, result) = match run {
            Ok((chat, result)) => (Some(chat), result),
            Err(message) => {
                tracing::error!(%message, "a turn panicked");
                self.state().unload();
                (None, Err(Arc::new(ChatError::Ended)))
            }
        };
        let goes_on = match &result {
            Ok(turn) => !matches!(turn.stop, Stop::Approval | Stop::Cancelled | Stop::Aborted),
            Err(_) => false,
        };
        let is_recorded = !matches!(&result, Err(error) if matches!(**error, ChatError::Store(_)));
        let dropped;
        let is_next = {
            let mut state = self.state();
            let is_cancelled = state.turn.take().is_none_or(|turn| turn.is_cancelled);
            let goes_on = goes_on && !is_cancelled;
            state.used = Instant::now();
            dropped = chat.and_then(|chat| self.keep_chat(&mut state, chat, is_recorded));
            let event = match &result {
                Ok(turn) => Ok(Event::Done(turn.clone())),
                Err(error) => Err(Arc::clone(error)),
            };
            // under the lock, so that no event of the next turn comes first
            let number = self.events.add(event);
            let _ = cell.last_event.set(number);
            self.ended.notify_waiters();
            match &mut state.loaded {
                Some(loaded) => {
                    loaded.last_event = Some(number);
                    goes_on && !loaded.queued.is_empty()
                }
                None => false,
            }
        };
        drop(dropped);
        cell.result.send_replace(Some(result));
        if is_next {
            // if another caller has begun a turn first, the messages enter that turn
            let _ = self.begin(Begin::Queued).await;
        }
    }

    async fn run(&self, chat: Chat, start: Start, permit: Permit) -> (Chat, TurnResult) {
        let permit = tokio::select! {
            biased;
            () = self.until_cancelled() => None,
            permit = permit => permit,
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
        (stream.into_chat(), result.map_err(Arc::new))
    }

    async fn read(&self, stream: &mut OwnedTurnStream) -> Result<Turn, ChatError> {
        loop {
            match stream.next().await.unwrap_or(Err(ChatError::Ended))? {
                Event::Done(turn) => return Ok(turn),
                event => self.publish(event).await?,
            }
        }
    }

    /// Sends an event to the readers, and shows its messages in the history.
    pub(super) async fn publish(&self, event: Event) -> Result<(), ChatError> {
        match event {
            Event::StepEnd(ref end) => {
                let messages = end.messages.clone();
                let number = self.events.add(Ok(event));
                self.state().show_at(&messages, number);
            }
            Event::Decided(Decided { ref message, .. })
            | Event::Selected(Selected { ref message, .. }) => {
                let message = message.clone();
                let number = self.events.add(Ok(event));
                if let Some(loaded) = &mut self.state().loaded {
                    if let Some(last) = Arc::make_mut(&mut loaded.shown).last_mut() {
                        *last = message;
                    }
                    loaded.last_event = Some(number);
                }
            }
            event => {
                self.events.add(Ok(event));
            }
        }
        self.reserve_events().await
    }

    /// Waits until the turn is cancelled. Returns at once if there is no turn.
    pub(super) async fn until_cancelled(&self) {
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

    /// Cancels the running turn. Removes the queued messages that are in no recorded step, and returns them.
    pub(crate) async fn cancel(&self) -> Result<Vec<Message>, ChatError> {
        self.cancel_turn();
        self.ended().await;
        self.load().await?;
        if self.state().queued().is_empty() {
            return Ok(Vec::new());
        }
        let queued = self.write(
            |state, head| {
                let queued = state.queued().to_vec();
                let mut change = Change::default();
                change.dequeue(&queued);
                // these messages may be sent again
                head.keys
                    .retain(|key| !queued.iter().any(|(_, message)| key.is_of(message)));
                if let (None, Some(loaded)) = (&state.turn, &state.loaded)
                    && loaded.begun.is_none()
                {
                    head.rest = Rest::of(&loaded.shown);
                }
                Ok((change, queued))
            },
            |state, gone| {
                if let Some(loaded) = &mut state.loaded {
                    loaded.queued.retain(|queued| !gone.contains(queued));
                }
                if state.turn.is_none() {
                    self.give_up_next(state, ChatError::Ended);
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

    /// Returns an error to the callers that wait for the next turn.
    pub(super) fn give_up_next(&self, state: &mut State, error: ChatError) {
        let next = std::mem::take(&mut state.next);
        next.result.send_replace(Some(Err(Arc::new(error))));
        self.events.wake();
    }
}
