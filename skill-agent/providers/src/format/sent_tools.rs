//! A cache for the tools of the last request.

use std::sync::{Arc, Mutex, PoisonError};

use skill_agent_chat::ModelError;
use skill_agent_models::Provider;
use skill_core::ToolBuf;

/// The tools of the last request in the provider's form. All requests of a conversation share one list, so it is converted only
/// once.
pub(crate) struct SentTools<T>(Arc<Mutex<Option<Sent<T>>>>);

struct Sent<T> {
    list: Arc<[ToolBuf]>,
    form: Arc<T>,
}

impl<T> SentTools<T> {
    /// Returns the tools as converted by `write`, or `None` if there are no tools.
    pub(crate) fn of(
        &self,
        list: &Arc<[ToolBuf]>,
        write: impl FnOnce(&[ToolBuf]) -> Result<T, ModelError>,
    ) -> Result<Option<Arc<T>>, ModelError> {
        if list.is_empty() {
            return Ok(None);
        }
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sent) = sent.as_ref().filter(|sent| Arc::ptr_eq(&sent.list, list)) {
            return Ok(Some(sent.form.clone()));
        }
        let form = Arc::new(write(list)?);
        *sent = Some(Sent {
            list: list.clone(),
            form: form.clone(),
        });
        Ok(Some(form))
    }
}

impl<T> Default for SentTools<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for SentTools<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Returns a list of tools as JSON.
pub(crate) fn json(provider: Provider, list: &[ToolBuf]) -> Result<String, ModelError> {
    let tools: Vec<_> = list.iter().map(ToolBuf::as_tool).collect();
    let json = provider.tools_json(&tools);
    json.map_err(|error| ModelError::Request(error.to_string()))
}
