//! Models of the `genai` crate.

mod assembly;
mod end;
mod errors;
mod exchange;
mod kept;
mod request;
mod wire;

use std::fmt;
use std::time::Duration;

use futures_core::stream::BoxStream;
use genai::chat::{ChatOptions, Tool};
use genai::{Client, ModelIden, ModelSpec};

use crate::format::sent_tools::SentTools;
use crate::http::endpoint::NO_TIME;
use crate::http::exchange_stream;
use crate::settings::NO_TOOLS_IN_MESSAGES;
use exchange::{GenAiExchange, ModelClient};
use skill_agent_chat::{ChatModel, ChatRequest, ModelError, ModelEvent, ModelProfile};
use skill_agent_http::client;
use skill_core::ToolBuf;

/// A model of the [`genai`] crate, for providers that have no model type in this crate: Gemini, Groq, Cohere, DeepSeek, xAI,
/// Ollama and more.
///
/// The model's name, or the [namespace](genai::adapter::AdapterKind) before it, selects the provider. Unless you pass your own
/// client, `genai` reads the key from the provider's environment variable, such as `GEMINI_API_KEY`. TLS works as with the other
/// models.
///
/// ```
/// use skill_agent::chat::genai::adapter::AdapterKind;
/// use skill_agent::chat::genai::resolver::{AuthData, Endpoint};
/// use skill_agent::chat::genai::{ModelIden, ServiceTarget};
/// use skill_agent::chat::{ChatModel, GenAi};
/// use skill_agent::models::Provider;
///
/// let model = GenAi::new("gemini-2.5-flash");
/// assert_eq!(model.profile().provider, Provider::GEMINI);
///
/// // another address, and a key of the program
/// let model = GenAi::new(ServiceTarget {
///     endpoint: Endpoint::from_static("https://gateway.example/v1/"),
///     auth: AuthData::from_single("the key"),
///     model: ModelIden::new(AdapterKind::Groq, "qwen3-32b"),
/// });
/// assert_eq!(model.profile().provider, Provider::OPENAI_CHAT);
/// assert!(!format!("{model:?}").contains("the key"));
/// ```
///
/// Reasoning and its signatures are sent back to the provider that wrote them. The exception is Groq, which rejects them.
///
/// # Limits
///
/// These limits come from `genai` 0.7.2. The models of the feature `http` do not have these limits, so use `http` for OpenAI,
/// Anthropic and compatible servers.
///
/// - The result of a call is plain text without an error flag, so an error is sent as an object with the key `error`. Images and
///   files in a result follow in a user's message.
/// - Calls are sent back as JSON values, so repeated keys and the digits of long numbers are lost, even where the server receives
///   the arguments as text. Malformed arguments are sent back as text in an object: `{"INVALID_JSON": "…"}`.
/// - `genai` reports no error if a stream is cut off. This model returns [`ModelError::CutOff`], even if the server only omits
///   the last event of its format.
/// - Only errors with a status have a request id.
/// - Keys are removed from error messages, but two kinds of secrets remain: headers in the options of your own
///   [client](Self::with_client), and keys that the client's resolver creates for each request. Pass secret headers to
///   [`options`](Self::options).
/// - The order of text and calls is lost, so a completion's text comes before its calls in the history.
/// - Pieces of calls are lost if a Chat Completions server sends them without an index.
/// - Reasoning and signatures are sent back to every server with the same adapter, even at a different address.
/// - A server that does not stream causes [`ModelError::CutOff`].
/// - [`ChatRequest::parallel_calls`] is sent only to servers of Chat Completions and Responses. The adapters for Ollama, Bedrock,
///   Cohere and for Claude on Vertex do not send [`extra`](skill_agent_chat::RequestOptions::extra) fields, and the adapter for
///   Cohere does not send tools. A request that needs them fails with [`ModelError::Request`].
/// - The size of events and error bodies is unlimited, although a completion has at most 256 MiB.
/// - The text of an OpenAI refusal is lost: the turn ends as answered, with an empty string. If a filter stops a Responses
///   completion, it ends as [`Truncated`](skill_agent_models::Finish::Truncated). A Gemini completion without candidates counts
///   as a refusal without a reason.
/// - A server's keep-alive comment does not cause a [`ModelEvent::KeepAlive`].
/// - `genai` logs errors and their bodies, with the target `genai`.
#[derive(Clone)]
pub struct GenAi {
    /// The client, or the reason why it could not be built.
    client: Result<Client, String>,
    spec: ModelSpec,
    model: ModelIden,
    profile: ModelProfile,
    options: ChatOptions,
    idle_time: Duration,
    tools: SentTools<ToolBuf, Vec<Tool>>,
}

impl GenAi {
    /// Creates a model from its name, from an adapter and a name (`ModelIden`), or from an address, a key, an adapter and a name
    /// (`ServiceTarget`).
    pub fn new(model: impl Into<ModelSpec>) -> Self {
        // without root certificates, servers without TLS still work
        let http = client(true, None).or_else(|_| client(false, None));
        let client = http.and_then(|http| {
            let client = Client::builder().with_reqwest(http).build();
            client.map_err(|_| "the client of `genai` cannot be built".to_owned())
        });
        Self::of(client, model.into())
    }

    /// Creates a model that uses your own client, with its resolvers, options and headers.
    ///
    /// The client's adapter is used if it has one. Otherwise, the model's name selects the adapter. If one of the client's
    /// resolvers chooses a different adapter, pass that adapter here with a [`ModelIden`], or set the
    /// [profile](Self::with_profile).
    ///
    /// When you build the `genai` client, set an HTTP client with `with_reqwest`. Otherwise `genai` creates one itself. With the
    /// features enabled here, `genai` then panics unless your program has installed a cryptography provider.
    pub fn with_client(client: Client, model: impl Into<ModelSpec>) -> Self {
        Self::of(Ok(client), model.into())
    }

    fn of(client: Result<Client, String>, spec: ModelSpec) -> Self {
        let model = wire::model_of(client.as_ref().ok(), &spec);
        Self {
            client,
            spec,
            profile: wire::profile(&model),
            model,
            options: ChatOptions::default(),
            idle_time: Duration::from_secs(300),
            tools: SentTools::default(),
        }
    }

    /// Sets `genai` options for each request, such as a reasoning effort, headers or a frame sink. Settings of the request take
    /// precedence.
    ///
    /// Each request asks the model for its reasoning unless `capture_reasoning_content` is `false`. With `false`, no signatures are
    /// sent back either. Gemini is an exception. A request asks it for reasoning only if the option is `true`, because Gemini
    /// models without thinking reject the option. Gemini's signatures are always sent back.
    #[must_use]
    pub fn options(mut self, options: ChatOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets how long the server may be silent before the request fails with [`ModelError::Timeout`]. The default is five minutes.
    /// Timeouts in the [options](Self::options) take precedence.
    #[must_use]
    pub fn idle_time(mut self, time: Duration) -> Self {
        self.idle_time = time;
        self
    }

    /// Sets the model's profile.
    #[must_use]
    pub fn with_profile(mut self, profile: ModelProfile) -> Self {
        self.profile = profile;
        self.tools = SentTools::default();
        self
    }

    fn exchange(&self, request: &ChatRequest) -> Result<GenAiExchange, ModelError> {
        let provider = self.profile.provider;
        let tools = self
            .tools
            .of(&request.tools, |list| request::tools(provider, list))?;
        let options = self.options.clone();
        let client = ModelClient {
            client: self.client.clone().map_err(ModelError::Request)?,
            spec: self.spec.clone(),
            model: self.model.clone(),
            options: request::options(options, self.idle_time, &self.model, request)?,
            classifier: self.profile.classifier(),
        };
        let request = request::request(&self.model, &self.profile, request, tools.as_deref())?;
        Ok(GenAiExchange::Request(Box::new((client, request))))
    }
}

impl ChatModel for GenAi {
    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }

    fn check(&self) -> Result<(), ModelError> {
        let (_, name) = self.model.model_name.namespace_and_name();
        let checked = match &self.client {
            Err(why) => Err(why.as_str()),
            Ok(_) if name.trim().is_empty() => {
                Err("the name of the model is empty; write one like `gemini-2.5-flash`")
            }
            Ok(_) if self.idle_time.is_zero() => Err(NO_TIME),
            Ok(_) if self.profile().tools_in_messages => Err(NO_TOOLS_IN_MESSAGES),
            Ok(_) => Ok(()),
        };
        checked.map_err(|why| ModelError::Request(why.to_owned()))
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        exchange_stream::stream(
            &wire::server(&self.spec, &self.model),
            self.exchange(&request),
        )
    }
}

/// Omits the client and the options, because they may contain keys.
impl fmt::Debug for GenAi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GenAi")
            .field("model", &self.model)
            .field("profile", &self.profile)
            .field("idle_time", &self.idle_time)
            .finish_non_exhaustive()
    }
}
