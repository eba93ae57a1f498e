//! The differences between the adapters of `genai`.

use genai::adapter::AdapterKind;
use genai::{Client, ModelIden, ModelSpec};

use crate::base_url;
use skill_agent_chat::{AnswerForm, ModelProfile};
use skill_agent_models::Provider;

/// The format in which an adapter talks to its provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    ChatCompletions,
    Responses,
    Anthropic,
    Gemini,
    Interactions,
    Ollama,
    Cohere,
    Bedrock,
    /// One of the first three, by the name of the model.
    Several,
}

impl Wire {
    pub(super) fn of(model: &ModelIden) -> Self {
        match model.adapter_kind {
            AdapterKind::OpenAIResp => Self::Responses,
            AdapterKind::Gemini => Self::Gemini,
            AdapterKind::GeminiIx => Self::Interactions,
            AdapterKind::Anthropic | AdapterKind::MiniMax => Self::Anthropic,
            AdapterKind::Vertex if is_claude(model) => Self::Anthropic,
            AdapterKind::Vertex => Self::Gemini,
            AdapterKind::Ollama | AdapterKind::OllamaCloud => Self::Ollama,
            AdapterKind::Cohere => Self::Cohere,
            AdapterKind::OpenCodeGo | AdapterKind::Baidu => Self::Several,
            // another one depends on a feature of `genai`
            kind if kind.as_lower_str().starts_with("bedrock") => Self::Bedrock,
            _ => Self::ChatCompletions,
        }
    }

    /// Whether `genai` is asked to put the pieces of calls together. For Chat Completions it makes room for any number of a call that
    /// the server writes, and reads repeated keys; the pieces themselves are better.
    pub(super) fn collects_calls(self) -> bool {
        self != Self::ChatCompletions
    }
}

/// The server of a model, or its adapter where a resolver chooses the server.
pub(super) fn server(spec: &ModelSpec, model: &ModelIden) -> String {
    let server = match spec {
        ModelSpec::Target(target) => base_url::server(target.endpoint.base_url()),
        _ => None,
    };
    server.unwrap_or_else(|| model.adapter_kind.as_lower_str().to_owned())
}

/// Whether the adapter sends further fields of a body.
pub(super) fn sends_extra(model: &ModelIden) -> bool {
    match Wire::of(model) {
        Wire::Ollama | Wire::Cohere | Wire::Bedrock => false,
        Wire::Anthropic => model.adapter_kind != AdapterKind::Vertex,
        _ => true,
    }
}

/// Whether the provider takes its reasoning back. Groq refuses a message with a field for it.
pub(super) fn reads_reasoning(model: &ModelIden) -> bool {
    model.adapter_kind != AdapterKind::Groq
}

/// The adapter and the name of a model, before the resolvers of the client have changed them.
pub(super) fn model_of(client: Option<&Client>, spec: &ModelSpec) -> ModelIden {
    match spec {
        ModelSpec::Name(name) => {
            let bound = client.and_then(Client::adapter_kind);
            let kind = bound.or_else(|| AdapterKind::from_model(name).ok());
            // as `genai` does with names that it does not know
            ModelIden::new(kind.unwrap_or(AdapterKind::Ollama), name.clone())
        }
        ModelSpec::Iden(model) => model.clone(),
        ModelSpec::Target(target) => target.model.clone(),
    }
}

/// The abilities of most models of a provider.
pub(super) fn profile(model: &ModelIden) -> ModelProfile {
    let wire = Wire::of(model);
    let provider = match wire {
        Wire::Responses => Provider::OPENAI_RESPONSES,
        Wire::Anthropic => Provider::ANTHROPIC,
        Wire::Gemini | Wire::Interactions => Provider::GEMINI,
        _ => Provider::OPENAI_CHAT,
    };
    let is_openai = is_openai(model);
    let form = match wire {
        _ if is_openai => AnswerForm::Schema,
        Wire::Cohere => AnswerForm::Prompt,
        // others have no schemas of answers, or none beside tools
        _ => AnswerForm::Tool,
    };
    let images = is_openai || provider == Provider::ANTHROPIC || provider == Provider::GEMINI;
    ModelProfile::new(provider)
        .with_images(images)
        .with_answer_form(form)
}

/// Whether the adapter is one of OpenAI's, also behind another address.
pub(super) fn is_openai(model: &ModelIden) -> bool {
    matches!(
        model.adapter_kind,
        AdapterKind::OpenAI | AdapterKind::OpenAIResp
    )
}

fn is_claude(model: &ModelIden) -> bool {
    let (_, name) = model.model_name.namespace_and_name();
    name.starts_with("claude")
}
