//! A limit on the tokens or the money of several turns.

use super::error::{LayerError, LayerStream};
use super::{ChatLayer, Next};
use crate::completion::meter::{Metered, Spent};
use crate::{ChatRequest, ModelEvent, Prices, Stop, Usage};
use futures_core::Stream;
use skill_agent_server::BoxFuture;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

/// A limit on the tokens or the money of all turns that share it. When it is reached, the turn ends before its next request, with
/// [`Stop::Budget`] and a [note](crate::Turn::note).
///
/// Clones share one count, so one budget can limit several chats. The running request is not cut off, so its tokens may exceed the
/// budget. Tokens that the provider does not count are estimated, except in failed attempts. Put the budget behind layers that ask
/// again, so that it sees their requests.
///
/// ```
/// use skill_agent::chat::{Budget, Prices, Usage};
///
/// let prices = Prices { input: 3.0, cached: 0.3, cache_writes: 3.75, output: 15.0 };
/// let budget = Budget::money(2.50, prices).with_used(Usage::new(100_000, 2_000)); // from your store
/// assert_eq!(budget.used().total(), 102_000);
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    limit: Limit,
    used: Arc<Mutex<Usage>>,
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    Tokens(u64),
    Money(f64, Prices),
}

impl Budget {
    /// Creates a budget of this many tokens in requests and completions.
    pub fn tokens(tokens: u64) -> Self {
        Self::of(Limit::Tokens(tokens))
    }

    /// Creates a budget of this much money, in the currency of the prices.
    pub fn money(amount: f64, prices: Prices) -> Self {
        Self::of(Limit::Money(amount, prices))
    }

    fn of(limit: Limit) -> Self {
        Self {
            limit,
            used: Arc::default(),
        }
    }

    /// Adds tokens that were used before, for example from your store.
    #[must_use]
    pub fn with_used(self, usage: Usage) -> Self {
        *self.lock() += usage;
        self
    }

    /// Returns the tokens that were used so far.
    #[must_use]
    pub fn used(&self) -> Usage {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Usage> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns why no more requests may be sent, or `None` while the budget lasts.
    fn reached(&self) -> Option<String> {
        let used = self.used();
        match self.limit {
            Limit::Tokens(most) if used.total() >= most => {
                Some(format!("{} of {most} tokens are used", used.total()))
            }
            Limit::Money(most, prices) if used.cost(prices) >= most => {
                Some(format!("{:.4} of {most} is spent", used.cost(prices)))
            }
            _ => None,
        }
    }
}

impl ChatLayer for Budget {
    fn check(&self) -> Result<(), String> {
        match self.limit {
            Limit::Tokens(0) => Err(
                "`Budget::tokens(0)` allows no request; write the number of tokens that the turns may use"
                    .to_owned(),
            ),
            Limit::Money(amount, _) if !(amount > 0.0 && amount.is_finite()) => Err(format!(
                "`Budget::money({amount}, ...)` allows no request; write the amount that the turns may cost, such as 2.5"
            )),
            _ => Ok(()),
        }
    }

    fn request<'a>(
        &'a self,
        request: ChatRequest,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<LayerStream, LayerError>> {
        Box::pin(async move {
            if let Some(note) = self.reached() {
                let stop = Stop::Budget;
                return Err(LayerError::End { stop, note });
            }
            let budget = self.clone();
            let meter = Metered::new(&request, move |spent: Spent| {
                *budget.lock() += spent.estimate;
            });
            let events = next.send(request).await?;
            let stream: LayerStream = Box::pin(Counted { events, meter });
            Ok(stream)
        })
    }
}

/// A stream whose tokens are counted.
struct Counted<F: FnMut(Spent)> {
    events: LayerStream,
    meter: Metered<F>,
}

impl<F: FnMut(Spent) + Unpin> Stream for Counted<F> {
    type Item = Result<ModelEvent, LayerError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let event = ready!(self.events.as_mut().poll_next(cx));
        if let Some(Ok(event)) = &event {
            self.meter.take(event);
        }
        Poll::Ready(event)
    }
}
