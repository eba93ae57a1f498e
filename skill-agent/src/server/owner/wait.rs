//! What the owner waits for between messages.

use crate::server::press::Pressed;
use skill_core::BoxFuture;
use std::future::poll_fn;
use std::task::Poll;
use std::time::SystemTime;
use tokio::sync::mpsc;

/// Takes all messages at hand, so that those who wait for room are let in together; none when the task has had its share of
/// the thread.
pub(super) async fn refill<T>(messages: &mut Vec<T>, mailbox: &mut mpsc::Receiver<T>, room: usize) {
    poll_fn(|cx| {
        let _ = mailbox.poll_recv_many(cx, messages, room);
        Poll::Ready(())
    })
    .await;
}

/// Lets the tasks run that wait for this thread. Those who were answered ask again before their server waits, so that it is
/// woken once for many of them: without this, threads that sleep and wake took a third of a call of 64 callers. tokio's
/// `yield_now` puts the waking off until its driver has been polled.
pub(super) async fn give_way() {
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

/// The time of the next signal; never, without one.
pub(super) async fn until(timer: &mut Option<(SystemTime, BoxFuture<()>)>) {
    match timer {
        Some((_, sleep)) => sleep.await,
        None => std::future::pending().await,
    }
}

/// What became of the next parcel; never, without an outlet.
pub(super) async fn next_pressed(
    pressed: &mut Option<mpsc::UnboundedReceiver<Pressed>>,
) -> Option<Pressed> {
    match pressed {
        Some(pressed) => pressed.recv().await,
        None => std::future::pending().await,
    }
}
