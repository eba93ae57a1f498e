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
