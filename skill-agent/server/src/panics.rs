//! Catches panics in user code at the place where it is called.

pub use skill_core::process::catch;
pub(crate) use skill_core::process::message_of;

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Like [`catch`], but for a future. After a panic, the future is not polled again. A panic in the drop of the future is caught and
/// logged.
pub async fn catch_async<T>(
    work: Pin<Box<dyn Future<Output = T> + Send + '_>>,
) -> Result<T, String> {
    let mut work = CatchDrop(Some(work));
    poll_fn(move |cx| match catch(|| work.poll(cx)) {
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(message) => Poll::Ready(Err(message)),
    })
    .await
}

/// A user's future. Its `Drop` may also panic.
struct CatchDrop<'a, T>(Option<Pin<Box<dyn Future<Output = T> + Send + 'a>>>);

impl<T> CatchDrop<'_, T> {
    fn poll(&mut self, cx: &mut std::task::Context<'_>) -> Poll<T> {
        match &mut self.0 {
            Some(work) => work.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

impl<T> Drop for CatchDrop<'_, T> {
    fn drop(&mut self) {
        drop_caught(self.0.take());
    }
}

/// Drops a user's value. A panic in the drop is caught and logged.
pub fn drop_caught<T>(value: T) {
    if let Err(message) = catch(|| drop(value)) {
        tracing::error!(%message, "user code panicked when it was dropped");
    }
}
