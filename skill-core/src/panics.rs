//! Catches panics in user code.

use std::any::Any;
use std::mem::{forget, needs_drop};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs user code and turns a panic into its message.
///
/// The caller must undo any changes that the code made before the panic. Callers therefore change states on a copy or in a
/// transaction.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(message_of)
}

/// Returns a panic's message. The payload is a string unless the code called `panic_any`.
pub fn message_of(panic: Box<dyn Any + Send>) -> String {
    let message = if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "a value that is not a string".to_owned()
    };
    // The value's `Drop` may panic with a value whose `Drop` panics, and so on.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        forget(panic);
    }
    message
}

/// Drops a user's value after the command that replaced it. If the value's `Drop` panics, the panic hook reports the panic, but
/// the command does not fail.
pub(crate) fn drop_replaced<T>(value: T) {
    if needs_drop::<T>() {
        let _ = catch(|| drop(value));
    }
}

/// A replaced state, dropped with [`drop_replaced`].
pub(crate) struct Replaced<T>(Option<T>);

impl<T> Replaced<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }

    pub(crate) fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_mut()
    }
}

impl<T> Drop for Replaced<T> {
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            drop_replaced(value);
        }
    }
}
