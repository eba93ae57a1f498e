//! Bounds that no type satisfies, for hidden methods that exist only for their compile errors. Without them, rustc would report
//! an unknown method and would not say what to write instead.
//!
//! The methods return an associated type that rustc cannot resolve, so that using the result does not cause a second error.

use std::marker::PhantomData;

/// The bound for methods that a started server has but a `StartFuture` lacks.
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

/// The bound for the method `cmd`, which a handle lacks.
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

/// A `for` loop. Because of the lifetime, rustc checks the bounds on this type only where a loop needs them.
#[derive(Debug)]
pub struct ForLoop<'a>(PhantomData<&'a ()>);

/// Streams with items of type `T` that a `for` loop can read. No type implements this trait.
// The trait is implemented for the loop, not for the stream: if one type has two bounds, rustc shows the message of the standard
// library.
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

/// Makes a `for` loop over a stream cause the compile error of [`Reads`]. An `impl` of `IntoIterator` would not work: it would be
/// the second one, and rustc then shows the bounds of neither.
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
