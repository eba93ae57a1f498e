//! The builders that the program's function may return.

use skill_agent_server::__private::{ById, CaughtClock, Started};
use skill_agent_server::{AgentServerBuilder, SignalSink, StartError};
use skill_agent_store::{Log, Store, StoreError};
use skill_core::bounds::AgentRunsWith;
use skill_core::child::BoxFuture;
use skill_core::{Agent, Resources};
use std::error::Error as StdError;
use std::sync::Arc;

/// A builder of a server, or a `Result` of one: the return types of the function for [`Agents::builder`](crate::Agents::builder).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not make the server of an agent",
    label = "not the builder of a server whose resources fit",
    note = "return `AgentServer::builder(Bank::with_id(id))`, or a `Result` of one; its `resources(...)` must `Provide` all that the async actions use"
)]
pub trait IntoServer: Sized {
    /// The type of the agent.
    type Agent: Agent;

    #[doc(hidden)]
    fn into_server(self, wiring: Wiring<'_>) -> Result<Starting, StartError>;
}

/// A start of a server, which begins when it is polled.
pub(crate) type Starting = BoxFuture<Result<Started, StartError>>;

/// The shared store and clock, and the parts of one id.
#[doc(hidden)]
pub struct Wiring<'a> {
    pub(crate) id: &'a str,
    pub(crate) by_id: &'a ById,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: CaughtClock,
    pub(crate) sink: WrapSink<'a>,
}

/// Wraps the signal sink of a builder.
pub(crate) type WrapSink<'a> =
    Box<dyn FnOnce(Option<Arc<dyn SignalSink>>) -> Option<Arc<dyn SignalSink>> + 'a>;

impl<G: AgentRunsWith<R>, R: Resources> IntoServer for AgentServerBuilder<G, R> {
    type Agent = G;

    fn into_server(mut self, wiring: Wiring<'_>) -> Result<Starting, StartError> {
        if self.id() != Some(wiring.id) {
            return Err(StartError::other_id(wiring.id, self.id()));
        }
        if let Some(sink) = (wiring.sink)(self.take_signal_sink()) {
            self = self.signal_sink(sink);
        }
        let builder = self
            .store(SharedStore(wiring.store))
            .clock(wiring.clock)
            .serve_by_id(wiring.by_id);
        let starting = builder.start();
        Ok(Box::pin(async {
            let server = starting.await?;
            // a server that has just started is no handle by id
            server.started().ok_or(StartError::NoRuntime)
        }))
    }
}

impl<B: IntoServer, E: Into<Box<dyn StdError + Send + Sync>>> IntoServer for Result<B, E> {
    type Agent = B::Agent;

    fn into_server(self, wiring: Wiring<'_>) -> Result<Starting, StartError> {
        match self {
            Ok(builder) => builder.into_server(wiring),
            Err(error) => Err(StartError::no_builder(wiring.id, error.into())),
        }
    }
}

/// The store of all agents.
struct SharedStore(Arc<dyn Store>);

impl Store for SharedStore {
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError> {
        self.0.open(id)
    }
}
