//! What the handles tell the task apart from its mailbox: to stop, or to go at once.

use std::sync::atomic::{AtomicU8, Ordering};
use tokio::sync::Notify;

/// An order that only grows. Looking at it costs one load: the task does so between all messages.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    order: AtomicU8,
    news: Notify,
}

/// What the task is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Order {
    Serve,
    Stop,
    Kill,
}

impl Orders {
    pub(crate) fn give(&self, order: Order) {
        self.order.fetch_max(order as u8, Ordering::AcqRel);
        self.news.notify_waiters();
    }

    pub(crate) fn now(&self) -> Order {
        match self.order.load(Ordering::Acquire) {
            0 => Order::Serve,
            1 => Order::Stop,
            _ => Order::Kill,
        }
    }

    /// Waits until it is `least` or more.
    pub(crate) async fn at_least(&self, least: Order) -> Order {
        loop {
            let news = self.news.notified();
            let order = self.now();
            if order >= least {
                return order;
            }
            news.await;
        }
    }
}
