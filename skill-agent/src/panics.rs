//! Panics of user code, caught where it is called.

use skill_core::process::full_text;
use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

/// Runs user code and turns a panic into its message.
///
/// The caller has to restore what the code changed: states are changed on a copy, or under a transaction.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| text_of(&*panic))
}

/// Like [`catch`] for a future, which is not polled again after a panic. A panic while the future is dropped is logged and
/// goes no further.
pub(crate) async fn catch_async<T>(
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

/// A future of user code, whose `Drop` may panic too.
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
        let work = self.0.take();
        if let Err(message) = catch(|| drop(work)) {
            tracing::error!(%message, "user code panicked when it was dropped");
        }
    }
}

/// The message of a panic. It is a string unless the code called `panic_any`.
pub(crate) fn text_of(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "a value that is not a text".to_owned()
    }
}

/// The text of a user's error and its causes, whose `Display` may panic.
pub(crate) fn full_text_of_user(error: &dyn std::error::Error) -> String {
    catch(|| full_text(error))
        .unwrap_or_else(|_| "an error that panics when it is shown".to_owned())
}
