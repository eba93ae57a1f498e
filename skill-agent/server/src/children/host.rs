//! The host of a server's children.

use crate::mailbox::any_owner::AnyOwner;
use crate::mailbox::message::{BoxEnvelope, MailboxRequest, signal_envelope};
use crate::mailbox::responder::{Responder, Response};
use serde_json::Value;
use skill_core::child::{BoxFuture, ChildHost, ChildRequestError, ChildSendError};
use skill_core::{Caller, Signal};
use std::any::{Any, TypeId};
use std::collections::HashMap;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

/// Connects children to their agent, without keeping the mailbox open.
pub(crate) struct ServerChildHost {
    pub(crate) name: &'static str,
    pub(crate) id: Option<String>,
    pub(crate) mailbox: mpsc::WeakSender<BoxEnvelope>,
    /// Maps the `TypeId` of each resource type `T` to an `Arc<T>`.
    pub(crate) resources: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

impl ChildHost for ServerChildHost {
    fn agent_name(&self) -> &str {
        self.name
    }

    fn agent_id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn send(&self, _: &str, signal: Signal) -> Result<(), ChildSendError> {
        let mailbox = self.mailbox.upgrade().ok_or(ChildSendError::Stopped)?;
        mailbox
            .try_send(signal_envelope(signal, Caller::Signal))
            .map_err(|error| match error {
                TrySendError::Full(_) => ChildSendError::Full,
                TrySendError::Closed(_) => ChildSendError::Stopped,
            })
    }

    fn deliver(&self, _: &str, signal: Signal) -> BoxFuture<Result<(), ChildSendError>> {
        let mailbox = self.mailbox.clone();
        Box::pin(async move {
            let mailbox = mailbox.upgrade().ok_or(ChildSendError::Stopped)?;
            let sent = mailbox.send(signal_envelope(signal, Caller::Signal)).await;
            sent.map_err(|_| ChildSendError::Stopped)
        })
    }

    fn request(&self, _: &str, signal: Signal) -> BoxFuture<Result<Value, ChildRequestError>> {
        let mailbox = self.mailbox.clone();
        Box::pin(async move {
            let (responder, response) = Responder::new(None);
            let work = move |owner: &mut dyn AnyOwner, responder| {
                owner.outside_signal(signal, Some(responder), Caller::Signal);
            };
            let mailbox = mailbox.upgrade().ok_or(ChildRequestError::Stopped)?;
            let sent = mailbox.send(MailboxRequest::new(work, responder)).await;
            sent.map_err(|_| ChildRequestError::Stopped)?;
            // while the child waits, it does not keep the mailbox open
            drop(mailbox);
            let response = Response::read(response.await);
            response.map_err(|error| ChildRequestError::Failed(error.into()))
        })
    }

    fn resource(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)> {
        self.resources.get(&of).map(|resource| &**resource)
    }
}
