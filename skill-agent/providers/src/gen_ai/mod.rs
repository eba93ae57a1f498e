//! Models of the crate `genai`.

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

use super::client::client;
use super::endpoint::NO_TIME;
use super::exchange_stream;
use super::sent_tools::SentTools;
use exchange::{GenAiExchange, ModelClient};
use skill_agent_chat::{ChatModel, ChatRequest, ModelError, ModelEvent, ModelProfile};

/// A model of the crate [`genai`], for the providers that the other models do not know: Gemini, Groq, Cohere, DeepSeek, xAI, Ollama and
/// more.
///
/// The name of the model, or the [namespace](genai::adapter::AdapterKind) before it, selects the provider. Without a client of the
/// program, the key is in the environment variable that `genai` knows for it, such as `GEMINI_API_KEY`, and TLS is as for the other
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
/// Reasoning and its signatures go back to the provider that wrote them, except to Groq, which refuses them.
///
/// # Limits
///
/// They are those of `genai` 0.7.2. For OpenAI, Anthropic and servers with the same API the models of the feature `http` have none of
/// them.
///
/// - The result of a call is a text without a mark for errors: an error is an object with the key `error`. Images and files of a result
///   follow in a message of the person.
/// - Calls go back as values, and only servers of Chat Completions give them as text: repeated keys and the digits of long numbers are
///   lost elsewhere. Malformed arguments are kept.
/// - A stream that is cut ends without an error in `genai`. It is [`ModelError::CutOff`] here, as is one of a server that leaves out the
///   last event of its format.
/// - Only an error with a status has an id of the request.
/// - Keys are removed from the messages of errors, but not the headers in the options of a [client](Self::with_client) of the program,
///   nor a key that its resolver makes anew for each request: give secret headers to [`options`](Self::options).
/// - The order of text and calls is lost: in the history the text of a completion comes before its calls.
/// - Pieces of calls to which a server of Chat Completions gives no number are lost.
/// - Reasoning and signatures go back to every server of the same adapter, also behind another address.
/// - A server that does not stream ends as [`ModelError::CutOff`].
/// - [`ChatRequest::parallel_calls`] is sent to servers of Chat Completions and Responses alone. The adapters for Ollama, Bedrock and
///   Cohere, and the one of Vertex for Claude, send no [`extra`](skill_agent_chat::RequestOptions::extra) fields, and the one for Cohere no tools:
///   a request with them is [`ModelError::Request`].
/// - An event, and the body of an error, may have any size. A completion has at most 256 MiB.
/// - The text of a refusal of OpenAI is lost: its turn ends as answered, with an empty text. A completion of Responses that a filter
///   has stopped ends as [`Truncated`](skill_agent_models::Finish::Truncated). A completion of Gemini without candidates is a refusal, whose
///   reason is lost.
/// - A comment of a server that keeps the connection open is no [`ModelEvent::KeepAlive`].
/// - `genai` writes errors with their bodies to the log, with the target `genai`.
#[derive(Clone)]
pub struct GenAi {
    /// The client, or the reason why it could not be built.
    client: Result<Client, String>,
    spec: ModelSpec,
    model: ModelIden,
    profile: ModelProfile,
    options: ChatOptions,
    idle_time: Duration,
    tools: SentTools<Vec<Tool>>,
}

impl GenAi {
    /// A model by its name, with an adapter, or with an address and a key.
    pub fn new(model: impl Into<ModelSpec>) -> Self {
        // without roots of the system there are servers without TLS
        let http = client(true, None).or_else(|_| client(false, None));
        let client = http.and_then(|http| {
            let client = Client::builder().with_reqwest(http).build();
            client.map_err(|_| "the client of `genai` cannot be built".to_owned())
        });
        Self::of(client, model.into())
    }

    /// A model behind a client of the program, with its resolvers, options and headers.
    ///
    /// The adapter is the one that the client is bound to, or that the name of the model selects. If a resolver of the client chooses
    /// another one, give it here with a [`ModelIden`], or set the [profile](Self::with_profile).
    ///
    /// `genai` makes a client of HTTP by itself if its builder is given none. With the features that it has here this panics, unless
    /// the program has installed a provider of cryptography; see `with_reqwest` of its builder.
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

    /// The model with options of `genai` in each request, such as an effort of reasoning, headers or a sink of frames. The request has
    /// precedence.
    ///
    /// Reasoning is asked for unless `capture_reasoning_content` is `false`, and then no signatures go back. Gemini is asked only if it
    /// is `true`, because its models that do not think refuse it; their signatures go back in any case.
    #[must_use]
    pub fn options(mut self, options: ChatOptions) -> Self {
        self.options = options;
        self
    }

    /// The model that fails with [`ModelError::Timeout`] when the server has sent nothing for this long, five minutes by default. The
    /// times in the [options](Self::options) have precedence.
    #[must_use]
    pub fn idle_time(mut self, time: Duration) -> Self {
        self.idle_time = time;
        self
    }

    /// The model with another profile.
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

/// Neither the client nor the options are printed: they may have keys.
impl fmt::Debug for GenAi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GenAi")
            .field("model", &self.model)
            .field("profile", &self.profile)
            .field("idle_time", &self.idle_time)
            .finish_non_exhaustive()
    }
}
