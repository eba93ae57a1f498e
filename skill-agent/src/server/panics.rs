//! Panics of user code, caught at the border.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

/// Runs user code; a panic becomes its text. What it worked on has to be put back by the caller: states are changed on a
/// copy, or under a transaction.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| text_of(&*panic))
}

/// The same for a future, which is not polled again after a panic. What it panics with when it is dropped is reported, and
/// goes no further: whoever waits for it goes on.
pub(crate) async fn catch_async<T>(
    work: Pin<Box<dyn Future<Output = T> + Send + '_>>,
) -> Result<T, String> {
    let mut work = Fenced(Some(work));
    poll_fn(move |cx| match catch(|| work.poll(cx)) {
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(message) => Poll::Ready(Err(message)),
    })
    .await
}

/// A future of user code, which may panic when it is dropped, too.
struct Fenced<'a, T>(Option<Pin<Box<dyn Future<Output = T> + Send + 'a>>>);

impl<T> Fenced<'_, T> {
    fn poll(&mut self, cx: &mut std::task::Context<'_>) -> Poll<T> {
        match &mut self.0 {
            Some(work) => work.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

impl<T> Drop for Fenced<'_, T> {
    fn drop(&mut self) {
        let work = self.0.take();
        if let Err(message) = catch(|| drop(work)) {
            tracing::error!(%message, "user code panicked when it was dropped");
        }
    }
}

/// The text of a panic, which is a string but where somebody called `panic_any`.
pub(crate) fn text_of(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "a value that is not a text".to_owned()
    }
}

/// The text of an error of the user's, whose `Display` may panic.
pub(crate) fn spelled(error: &dyn std::fmt::Display) -> String {
    catch(|| error.to_string())
        .unwrap_or_else(|_| "an error that panics when it is shown".to_owned())
}
