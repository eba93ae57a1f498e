//! A child's context.

use super::{BoxFuture, ChildHost, ChildRequestError, ChildSendError, ChildStop};
use crate::Signal;
use serde_json::Value;
use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The context of one run of a child: its parameters, access to its agent, and the stop request. Clones are cheap and refer to
/// the same run.
#[derive(Clone)]
pub struct ChildContext {
    id: Cow<'static, str>,
    params: Option<Arc<Value>>,
    host: Arc<dyn ChildHost>,
    stop: Arc<dyn ChildStop>,
}

/// The parameters of a child that was started without parameters.
static NO_PARAMS: Value = Value::Null;

impl ChildContext {
    /// Creates a context. The process layer does this for each run of a child.
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

    /// Returns the child's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the parameters from the `Spawn` directive, or `null` if the child was started without parameters.
    pub fn params(&self) -> &Value {
        self.params.as_deref().unwrap_or(&NO_PARAMS)
    }

    /// Returns the agent's name.
    pub fn agent_name(&self) -> &str {
        self.host.agent_name()
    }

    /// Returns the agent's id.
    pub fn agent_id(&self) -> Option<&str> {
        self.host.agent_id()
    }

    /// Sends a signal to the agent if its mailbox has room.
    ///
    /// # Errors
    /// Fails if the mailbox is full or the agent has stopped. The signal is dropped.
    pub fn send(&self, signal: Signal) -> Result<(), ChildSendError> {
        self.host.send(&self.id, signal)
    }

    /// Sends a signal to the agent as soon as its mailbox has room. Nothing is sent before the future is polled.
    ///
    /// The future returns an error if the agent has stopped.
    pub fn deliver(&self, signal: Signal) -> BoxFuture<Result<(), ChildSendError>> {
        self.host.deliver(&self.id, signal)
    }

    /// Sends a signal to the agent as soon as its mailbox has room, and waits for the response: the first reply's data, or the
    /// outputs of the actions on the signal's route. Nothing is sent before the future is polled.
    ///
    /// With a store, the response comes only after the signal has been recorded, so the signal is never undone.
    ///
    /// The future returns an error if the agent has stopped, or if the signal fails. If the signal fails, the agent is unchanged.
    pub fn request(&self, signal: Signal) -> BoxFuture<Result<Value, ChildRequestError>> {
        self.host.request(&self.id, signal)
    }

    /// Completes when the child is asked to stop, or at once if that has already happened.
    pub fn stopped(&self) -> BoxFuture<()> {
        self.stop.stopped()
    }

    /// Returns whether the child was asked to stop.
    pub fn is_stopping(&self) -> bool {
        self.stop.is_stopping()
    }

    /// Returns the resource of type `T` that the server shares with its children, such as a client, a pool or a trait object.
    pub fn resource<T: ?Sized + 'static>(&self) -> Option<Arc<T>> {
        let resource: &dyn Any = self.host.resource(TypeId::of::<T>())?;
        resource.downcast_ref::<Arc<T>>().cloned()
    }
}

impl fmt::Debug for ChildContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // the parameters are left out, because they may be secret
        f.debug_struct("ChildContext")
            .field("id", &self.id)
            .field("agent_name", &self.agent_name())
            .field("agent_id", &self.agent_id())
            .field("is_stopping", &self.is_stopping())
            .finish_non_exhaustive()
    }
}
