//! A typed answer in a request.

use super::{AnswerForm, ModelProfile};
use serde_json::Value;
use skill_agent_models::Provider;
use skill_core::ToolBuf;
use std::sync::Arc;

/// A typed answer that a request asks for. Each model is asked in its own form, so the form is chosen last, for the model that
/// reads the request.
#[derive(Debug)]
pub(crate) struct AskedAnswer {
    forms: Arc<[AskedForm]>,
    /// The tools of the session.
    listed: Arc<[ToolBuf]>,
    /// The tools of the session, followed by the tool that delivers the answer. `None` if no model needs that tool.
    with_answer: Option<Arc<[ToolBuf]>>,
}

/// The form of the answer for one kind of model.
#[derive(Debug)]
pub(crate) struct AskedForm {
    pub(crate) form: AnswerForm,
    pub(crate) provider: Provider,
    /// The schema in the provider's dialect.
    pub(crate) schema: Value,
}

impl AskedForm {
    pub(crate) fn is_for(&self, model: &ModelProfile) -> bool {
        self.form == model.answer_form && self.provider == model.provider
    }
}

impl AskedAnswer {
    /// Creates the typed answer for requests with the session's tools. Renames the answer's tool if its name is taken.
    pub(crate) fn new(
        forms: Arc<[AskedForm]>,
        tool: &ToolBuf,
        listed: Arc<[ToolBuf]>,
        taken: &[&str],
    ) -> Self {
        let needs_tool = forms.iter().any(|form| form.form == AnswerForm::Tool);
        let with_answer = needs_tool.then(|| {
            let mut tool = tool.clone();
            while taken.contains(&&*tool.name) {
                tool.name.push('_');
            }
            listed.iter().cloned().chain([tool]).collect()
        });
        Self {
            forms,
            listed,
            with_answer,
        }
    }

    /// Returns the tool that delivers the answer, if a model needs it.
    pub(crate) fn tool(&self) -> Option<&ToolBuf> {
        self.with_answer.as_ref()?.last()
    }

    /// Returns the tools for a model that delivers the answer through a tool.
    pub(super) fn tools(&self, tools: &Arc<[ToolBuf]>) -> Arc<[ToolBuf]> {
        match &self.with_answer {
            // the same list in all requests, so that a model converts it only once
            Some(all) if Arc::ptr_eq(tools, &self.listed) => Arc::clone(all),
            _ => tools.iter().cloned().chain(self.tool().cloned()).collect(),
        }
    }

    /// Returns the schema in the dialect of a model.
    pub(super) fn schema(&self, model: &ModelProfile) -> Option<Value> {
        let form = self.forms.iter().find(|form| form.is_for(model));
        form.map(|form| form.schema.clone())
    }
}

/// Two answers are equal if they share their forms.
impl PartialEq for AskedAnswer {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.forms, &other.forms)
    }
}
