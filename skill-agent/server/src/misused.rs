//! Bounds that no type meets, of hidden methods that exist for their compile error: without such a method rustc reports that it finds
//! none, and not what to write instead.
//!
//! The methods return an associated type, which rustc cannot determine, so that what is done with their result causes no second error.

use std::marker::PhantomData;

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

/// A `for` loop. With the lifetime, rustc checks its bounds only where a loop needs them.
#[derive(Debug)]
pub struct ForLoop<'a>(PhantomData<&'a ()>);

/// A stream `T` that a `for` loop can read.
// A trait of the loop and not of the stream: of two bounds on one type, rustc shows the one of the standard library.
#[diagnostic::on_unimplemented(
    message = "a `for` loop cannot read `{T}`: each item is awaited",
    label = "not an iterator",
    note = "write `while let Some(item) = items.next().await {{ ... }}`, with `let mut items = ...;` before the loop"
)]
pub trait Reads<T> {
    #[doc(hidden)]
    type Item;

    #[doc(hidden)]
    fn item(items: &mut T) -> Option<Self::Item>;
}

/// Makes a `for` loop over a stream the compile error of [`Reads`]. `IntoIterator` would not do: it has a second `impl` to choose from,
/// and rustc then shows the bounds of neither.
#[doc(hidden)]
#[macro_export]
macro_rules! not_read_by_for {
    ($ty:ty) => {
        #[doc(hidden)]
        impl Iterator for $ty
        where
            for<'a> $crate::misused::ForLoop<'a>: $crate::misused::Reads<Self>,
        {
            type Item = <$crate::misused::ForLoop<'static> as $crate::misused::Reads<Self>>::Item;

            fn next(&mut self) -> Option<Self::Item> {
                <$crate::misused::ForLoop<'static> as $crate::misused::Reads<Self>>::item(self)
            }
        }
    };
}
