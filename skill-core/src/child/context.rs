//! What a child is told and can do.

use super::{BoxFuture, ChildHost, ChildSendError, ChildStop};
use crate::Signal;
use serde_json::Value;
use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The surroundings of one run of a child: its parameters, the way to its agent, and the wish to stop. Clones are cheap
/// and mean the same run.
#[derive(Clone)]
pub struct ChildContext {
    id: Cow<'static, str>,
    params: Option<Arc<Value>>,
    host: Arc<dyn ChildHost>,
    stop: Arc<dyn ChildStop>,
}

/// The parameters of a child that was started without.
static NO_PARAMS: Value = Value::Null;

impl ChildContext {
    /// What the process layer gives to a child.
    pub fn new(
        id: impl Into<Cow<'static, str>>,
        params: Option<Arc<Value>>,
        host: Arc<dyn ChildHost>,
        stop: Arc<dyn ChildStop>,
    ) -> Self {
        Self {
            id: id.into(),
            params,
            host,
            stop,
        }
    }

    /// The id of the child.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What the `Spawn` directive gave; `null` where the child was started without.
    pub fn params(&self) -> &Value {
        self.params.as_deref().unwrap_or(&NO_PARAMS)
    }

    /// The name of the agent.
    pub fn agent_name(&self) -> &str {
        self.host.agent_name()
    }

    /// The id of the agent, where it was given one.
    pub fn agent_id(&self) -> Option<&str> {
        self.host.agent_id()
    }

    /// Sends a signal to the agent, if its mailbox has room.
    ///
    /// # Errors
    /// When there is no room, or the agent has stopped; the signal is gone.
    pub fn send(&self, signal: Signal) -> Result<(), ChildSendError> {
        self.host.send(&self.id, signal)
    }

    /// Sends a signal to the agent as soon as its mailbox has room. Nothing is sent before the future is polled.
    ///
    /// The future answers an error when the agent has stopped.
    pub fn deliver(&self, signal: Signal) -> BoxFuture<Result<(), ChildSendError>> {
        self.host.deliver(&self.id, signal)
    }

    /// Completes when the child is asked to stop; at once if it was.
    pub fn stopped(&self) -> BoxFuture<()> {
        self.stop.stopped()
    }

    /// Whether the child was asked to stop.
    pub fn is_stopping(&self) -> bool {
        self.stop.is_stopping()
    }

    /// What the server shares with its children under the type `T`: a client, a pool, a `dyn` trait.
    pub fn resource<T: ?Sized + 'static>(&self) -> Option<Arc<T>> {
        let resource: &dyn Any = self.host.resource(TypeId::of::<T>())?;
        resource.downcast_ref::<Arc<T>>().cloned()
    }
}

impl fmt::Debug for ChildContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // without the parameters, which may be secret
        f.debug_struct("ChildContext")
            .field("id", &self.id)
            .field("agent_name", &self.agent_name())
            .field("agent_id", &self.agent_id())
            .field("is_stopping", &self.is_stopping())
            .finish_non_exhaustive()
    }
}
