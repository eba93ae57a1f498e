//! Abilities of a model.

use super::{ErrorKind, ProviderError};
use skill_agent_models::Provider;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Abilities of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelProfile {
    /// The provider, which determines the form of tools and schemas in requests.
    pub provider: Provider,
    /// Whether the model accepts images.
    pub images: bool,
    /// How to ask the model for a typed answer.
    pub answer_form: AnswerForm,
    /// Whether the model may call several tools in one completion.
    pub parallel_calls: bool,
    /// The maximum total number of tokens in a request and its completion.
    pub context_window: Option<usize>,
    /// Whether the model reads the definitions of tools in messages. [Deferred](crate::Deferred) tools then join the request where the
    /// model loads them, and the beginning of the request stays the same. Only the APIs of `Anthropic` and `OpenAiResponses` have such
    /// messages.
    pub tools_in_messages: bool,
    /// Whether the decoder enforces a schema while the model writes calls. Turn this on for small local models.
    pub constrained_tools: bool,
    /// Whether to read text between tags such as `<think>` at the beginning of a completion as reasoning. Turn this on for servers
    /// that do not parse reasoning.
    pub think_tags: bool,
    /// Whether to read text as tool calls if it contains nothing else. Turn this on for servers that do not parse their model's
    /// calls.
    ///
    /// A call is a JSON object with the `name` of a listed tool and with `arguments` or `parameters`. It may be in a code fence or
    /// in tags such as `<tool_call>`, and its last brace may be missing. Several calls may follow each other. If there is any other
    /// text, nothing is read as a call. The stream holds back text that may be a call until this is decided.
    pub text_calls: bool,
    classifier: Classifier,
    /// The models of a [`Fallback`](crate::Fallback). They answer instead of this model. The chain is part of the profile, so that
    /// a wrapper around the fallback passes the chain on.
    chain: Option<Arc<Chain>>,
}

/// The models of a fallback.
#[derive(Debug, PartialEq)]
pub(crate) struct Chain {
    pub(crate) models: Vec<ModelProfile>,
    /// How long a model of the chain may be silent.
    pub(crate) stall: Duration,
}

/// How to ask a model for a typed answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerForm {
    /// The request has the schema in [`ChatRequest::output_schema`](super::ChatRequest::output_schema). The provider enforces the
    /// schema.
    Schema,
    /// The answer is a call to a tool, and the tool's arguments are the answer.
    Tool,
    /// The schema is in the user's message.
    Prompt,
}

impl ModelProfile {
    /// Creates the profile of a model that does not accept images and whose provider enforces answer schemas.
    pub fn new(provider: Provider) -> Self {
        Self {
            provider,
            images: false,
            answer_form: AnswerForm::Schema,
            parallel_calls: provider.parallel_calls(),
            context_window: None,
            tools_in_messages: false,
            constrained_tools: false,
            think_tags: false,
            text_calls: false,
            classifier: Classifier::default(),
            chain: None,
        }
    }

    /// Returns the profile of a chain that begins with this model: the abilities that all its models have.
    pub(crate) fn of_chain(self, chain: Chain) -> Self {
        let mut all = self;
        for model in &chain.models {
            all.images &= model.images;
            all.parallel_calls &= model.parallel_calls && model.provider.parallel_calls();
            let windows = [all.context_window, model.context_window];
            all.context_window = windows.into_iter().flatten().min();
            if (all.answer_form, all.provider) != (model.answer_form, model.provider) {
                all.answer_form = AnswerForm::Prompt; // every model can read a schema in the message
            }
        }
        // each model of the chain already applies these settings itself, so they are off for the chain
        (all.think_tags, all.text_calls, all.constrained_tools) = (false, false, false);
        all.chain = Some(Arc::new(chain));
        all
    }

    /// Returns the profiles of all models that may answer a request: the models of a chain, or this one.
    pub(crate) fn models(&self) -> &[Self] {
        match &self.chain {
            Some(chain) => &chain.models,
            None => std::slice::from_ref(self),
        }
    }

    pub(crate) fn chain(&self) -> Option<&Chain> {
        self.chain.as_deref()
    }

    skill_core::setters! {
        /// Sets [`images`](Self::images).
        pub fn with_images(images: bool) { images = images }

        /// Sets [`answer_form`](Self::answer_form).
        pub fn with_answer_form(form: AnswerForm) { answer_form = form }

        /// Sets [`parallel_calls`](Self::parallel_calls).
        pub fn with_parallel_calls(parallel: bool) { parallel_calls = parallel }

        /// Sets [`context_window`](Self::context_window), in tokens: write 32,768, not 32.
        /// [`ChatBuilder::build`](crate::ChatBuilder::build) returns an error for a window below 64, and logs a warning for a window
        /// below 1,000.
        pub fn with_context_window(tokens: usize) { context_window = Some(tokens) }

        /// Sets [`tools_in_messages`](Self::tools_in_messages).
        pub fn with_tools_in_messages(are_read: bool) { tools_in_messages = are_read }

        /// Sets [`constrained_tools`](Self::constrained_tools).
        pub fn with_constrained_tools(constrained: bool) { constrained_tools = constrained }

        /// Sets [`think_tags`](Self::think_tags).
        pub fn with_think_tags(are_read: bool) { think_tags = are_read }

        /// Sets [`text_calls`](Self::text_calls).
        pub fn with_text_calls(are_read: bool) { text_calls = are_read }
    }

    /// Sets a function that classifies the provider's errors, for a server with its own error messages. Only models over HTTP use
    /// this function. The default is [`ProviderError::kind`].
    ///
    /// ```
    /// use skill_agent::chat::{ErrorKind, ModelProfile, ProviderError};
    /// use skill_agent::models::Provider;
    ///
    /// let profile = ModelProfile::new(Provider::OPENAI_COMPATIBLE).classify_error(|error| {
    ///     if error.message.contains("the scroll is full") {
    ///         return ErrorKind::ContextTooLong;
    ///     }
    ///     error.kind()
    /// });
    /// let error = ProviderError::new(400, "the scroll is full");
    /// assert_eq!(profile.error_kind(&error), ErrorKind::ContextTooLong);
    /// ```
    #[must_use]
    pub fn classify_error(
        mut self,
        classify: impl Fn(&ProviderError) -> ErrorKind + Send + Sync + 'static,
    ) -> Self {
        self.classifier = Classifier(Some(Arc::new(classify)));
        self
    }

    /// Returns the kind of an error from the provider; see [`classify_error`](Self::classify_error).
    #[must_use]
    pub fn error_kind(&self, error: &ProviderError) -> ErrorKind {
        self.classifier.kind(error)
    }

    #[doc(hidden)]
    pub fn classifier(&self) -> Classifier {
        self.classifier.clone()
    }
}

/// The function that classifies errors: your own, or [`ProviderError::kind`].
#[derive(Clone, Default)]
pub struct Classifier(Option<Arc<Classify>>);

type Classify = dyn Fn(&ProviderError) -> ErrorKind + Send + Sync;

impl Classifier {
    /// Returns the kind of an error.
    pub fn kind(&self, error: &ProviderError) -> ErrorKind {
        match &self.0 {
            Some(classify) => classify(error),
            None => error.kind(),
        }
    }
}

/// Compares functions by pointer.
impl PartialEq for Classifier {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }
}

impl fmt::Debug for Classifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Some(_) => "of the program",
            None => "of the library",
        })
    }
}
