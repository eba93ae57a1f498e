//! A cache for the tools of the last request.

use std::sync::{Arc, Mutex, PoisonError};

use skill_agent_chat::{DeferredTools, Message, ModelError};
use skill_agent_models::__private::Raw;
use skill_agent_models::Provider;
use skill_core::ToolBuf;

/// The tools of the last request in the provider's form. All requests of a conversation share one list, so it is converted only
/// once.
pub(crate) struct SentTools<L, T>(Arc<Mutex<Option<Sent<L, T>>>>);

struct Sent<L, T> {
    list: Arc<[L]>,
    form: Arc<T>,
}

impl<L, T> SentTools<L, T> {
    /// Returns the tools as converted by `write`, or `None` if there are no tools.
    pub(crate) fn of(
        &self,
        list: &Arc<[L]>,
        write: impl FnOnce(&[L]) -> Result<T, ModelError>,
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

impl<L, T> Default for SentTools<L, T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<L, T> Clone for SentTools<L, T> {
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

/// Deferred tools in the provider's form, by group.
pub(crate) struct DeferredForms(Vec<Group>);

struct Group {
    name: String,
    tools: Vec<DeferredForm>,
}

/// A deferred tool in the provider's form.
pub(crate) struct DeferredForm {
    pub(crate) name: String,
    pub(crate) json: String,
}

impl DeferredForms {
    pub(crate) fn new(provider: Provider, list: &[DeferredTools]) -> Result<Self, ModelError> {
        let groups = list.iter().map(|deferred| {
            let json = json(provider, &deferred.tools)?;
            let raw = Raw::parse(&json).map_err(|error| ModelError::Request(error.to_string()))?;
            let tools = deferred.tools.iter().zip(raw.items());
            let tools = tools.map(|(tool, item)| DeferredForm {
                name: tool.name.clone(),
                json: item.text().to_owned(),
            });
            Ok(Group {
                name: deferred.group.clone(),
                tools: tools.collect(),
            })
        });
        groups.collect::<Result<_, _>>().map(Self)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &DeferredForm> {
        self.0.iter().flat_map(|group| &group.tools)
    }

    /// Returns the tools that a message reveals, each with the id of the call that loaded it. `known` are the groups that earlier messages
    /// reveal.
    pub(crate) fn revealed_by<'m>(
        &self,
        message: &'m Message,
        known: &mut Vec<&'m str>,
    ) -> Vec<(&'m str, &DeferredForm)> {
        let mut revealed = Vec::new();
        for (call, name) in message.revealed_groups() {
            let group = self.0.iter().find(|group| group.name == name);
            if let Some(group) = group.filter(|_| !known.contains(&name)) {
                known.push(name);
                revealed.extend(group.tools.iter().map(|tool| (call, tool)));
            }
        }
        revealed
    }
}
