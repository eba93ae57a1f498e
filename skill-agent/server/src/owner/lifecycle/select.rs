//! Futures that the owner selects over between messages.

use crate::signals::outbox::DeliveryReport;
use skill_core::child::BoxFuture;
use std::future::poll_fn;
use std::task::Poll;
use std::time::SystemTime;
use tokio::sync::mpsc;

/// Takes all messages from the mailbox at once, so that all senders waiting for room proceed together. Takes none if the task has
/// used up its cooperative budget.
pub(crate) async fn receive_more<T>(
    messages: &mut Vec<T>,
    mailbox: &mut mpsc::Receiver<T>,
    room: usize,
) {
    poll_fn(|cx| {
        let _ = mailbox.poll_recv_many(cx, messages, room);
        Poll::Ready(())
    })
    .await;
}

/// Lets other tasks of this thread run. Callers with a response then send their next requests before the server waits, and wake the
/// server once for many requests. Without this function, sleeping and waking threads took a third of the time of a call when there
/// were 64 callers. tokio's `yield_now` would delay the wake-up until its driver has been polled.
pub(crate) async fn yield_to_tasks() {
    let mut has_waited = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut has_waited, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Completes when the next scheduled signal is due, and never if none is scheduled.
pub(crate) async fn until(timer: &mut Option<(SystemTime, BoxFuture<()>)>) {
    match timer {
        Some((_, sleep)) => sleep.await,
        None => std::future::pending().await,
    }
}

/// Returns the next report of the outbox task, and never completes without an outbox.
pub(crate) async fn next_report(
    reports: &mut Option<mpsc::UnboundedReceiver<DeliveryReport>>,
) -> Option<DeliveryReport> {
    match reports {
        Some(reports) => reports.recv().await,
        None => std::future::pending().await,
    }
}
