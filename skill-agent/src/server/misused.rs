//! Bounds that no type meets, of hidden methods that exist for their compile error: without such a method rustc reports that it finds
//! none, and not what to write instead.
//!
//! The methods return an associated type, which rustc cannot determine, so that what is done with their result causes no second error.

/// A server that has started: the bound of the methods that a start does not have.
#[diagnostic::on_unimplemented(
    message = "the server has not started: `start()` returns a future",
    label = "called on a start that is not awaited",
    note = "await the start: `let server = AgentServer::builder(agent).start().await?;`"
)]
pub trait Started {
    #[doc(hidden)]
    type Output;

    #[doc(hidden)]
    fn output(&self) -> Self::Output;
}

/// A handle with the method `cmd`.
#[diagnostic::on_unimplemented(
    message = "a server has no `cmd`: it runs an action by `call`, which is awaited",
    label = "called on a server instead of an agent",
    note = "write `server.call(...).await?`"
)]
pub trait HasCmd {
    #[doc(hidden)]
    type Output;

    #[doc(hidden)]
    fn output(&self) -> Self::Output;
}

/// A stream that a `for` loop can read. With the lifetime, rustc checks the bound only where a loop needs it.
#[diagnostic::on_unimplemented(
    message = "a `for` loop cannot read `{Self}`: each item is awaited",
    label = "not an iterator",
    note = "write `while let Some(item) = items.next().await {{ ... }}`, with `let mut items = ...;` before the loop"
)]
pub trait ReadByFor<'a> {
    #[doc(hidden)]
    type Item;

    #[doc(hidden)]
    fn item(&mut self) -> Option<Self::Item>;
}

/// Makes a `for` loop over a stream the compile error of [`ReadByFor`]. `IntoIterator` would not do: it has a second `impl` to choose
/// from, and rustc then shows the bounds of neither.
macro_rules! not_read_by_for {
    ($ty:ty) => {
        #[doc(hidden)]
        impl Iterator for $ty
        where
            for<'a> Self: $crate::server::misused::ReadByFor<'a>,
        {
            type Item = <Self as $crate::server::misused::ReadByFor<'static>>::Item;

            fn next(&mut self) -> Option<Self::Item> {
                $crate::server::misused::ReadByFor::item(self)
            }
        }
    };
}

pub(crate) use not_read_by_for;
