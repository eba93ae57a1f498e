//! Differences between the adapters of `genai`.

use genai::adapter::AdapterKind;
use genai::{Client, ModelIden, ModelSpec};

use crate::http::base_url;
use skill_agent_chat::{AnswerForm, ModelProfile};
use skill_agent_models::Provider;

/// The API format that an adapter uses.
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
    /// Chat Completions, Responses or Anthropic, depending on the name of the model.
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
            // this variant exists only with a feature of `genai`
            kind if kind.as_lower_str().starts_with("bedrock") => Self::Bedrock,
            _ => Self::ChatCompletions,
        }
    }

    /// Returns whether `genai` should join the pieces of calls. For Chat Completions, this crate joins them, because `genai`
    /// would allocate memory for any index that the server sends, and would merge repeated keys.
    pub(super) fn collects_calls(self) -> bool {
        self != Self::ChatCompletions
    }
}

/// Returns the host and port of a model's server, or the adapter's name if the model has no address of its own.
pub(super) fn server(spec: &ModelSpec, model: &ModelIden) -> String {
    let server = match spec {
        ModelSpec::Target(target) => base_url::server(target.endpoint.base_url()),
        _ => None,
    };
    server.unwrap_or_else(|| model.adapter_kind.as_lower_str().to_owned())
}

/// Returns whether the adapter passes extra body fields on to the provider.
pub(super) fn sends_extra(model: &ModelIden) -> bool {
    match Wire::of(model) {
        Wire::Ollama | Wire::Cohere | Wire::Bedrock => false,
        Wire::Anthropic => model.adapter_kind != AdapterKind::Vertex,
        _ => true,
    }
}

/// Returns whether the provider accepts reasoning that is sent back, unlike Groq, which rejects messages with a reasoning field.
pub(super) fn reads_reasoning(model: &ModelIden) -> bool {
    model.adapter_kind != AdapterKind::Groq
}

/// Returns the adapter and name of a model. The client's resolvers may change them later.
pub(super) fn model_of(client: Option<&Client>, spec: &ModelSpec) -> ModelIden {
    match spec {
        ModelSpec::Name(name) => {
            let bound = client.and_then(Client::adapter_kind);
            let kind = bound.or_else(|| AdapterKind::from_model(name).ok());
            // `genai` does the same for unknown names
            ModelIden::new(kind.unwrap_or(AdapterKind::Ollama), name.clone())
        }
        ModelSpec::Iden(model) => model.clone(),
        ModelSpec::Target(target) => target.model.clone(),
    }
}

/// Returns a profile with the abilities of most models behind the adapter.
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
        // the others do not support answer schemas, or not together with tools
        _ => AnswerForm::Tool,
    };
    let images = is_openai || provider == Provider::ANTHROPIC || provider == Provider::GEMINI;
    ModelProfile::new(provider)
        .with_images(images)
        .with_answer_form(form)
}

/// Returns whether the adapter is OpenAI's, at any address.
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
