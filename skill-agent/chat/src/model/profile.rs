//! The abilities of a model.

use super::{ErrorKind, ProviderError};
use skill_agent_models::Provider;
use std::fmt;
use std::sync::Arc;

/// The abilities of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelProfile {
    /// The form in which it reads tools and schemas.
    pub provider: Provider,
    /// Whether it reads images.
    pub images: bool,
    /// How it is made to give a typed answer.
    pub answer_form: AnswerForm,
    /// Whether it may call several tools in one completion.
    pub parallel_calls: bool,
    /// The most tokens of a request and its completion together.
    pub context_window: Option<usize>,
    /// Whether calls are written under a schema that its decoder enforces. For small local models.
    pub constrained_tools: bool,
    /// Whether a text may begin with reasoning between tags such as `<think>`, which is then read as reasoning. For servers without a
    /// parser for it.
    pub think_tags: bool,
    /// Whether a text that consists of calls is read as calls. For servers without a parser for the calls of their model.
    ///
    /// A text is a call if it is a JSON object with the `name` of a listed tool, and with `arguments` or `parameters`, perhaps in a
    /// fence or in tags such as `<tool_call>`, and perhaps without its last brace. Several in a row are several calls. A text with
    /// other words stays a text. A text that may become a call is shown when it cannot be one.
    pub text_calls: bool,
    classifier: Classifier,
}

/// How a model is made to give a typed answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerForm {
    /// The schema is a field of the request, [`ChatRequest::output_schema`](super::ChatRequest::output_schema), and the provider
    /// enforces it.
    Schema,
    /// The answer is the call of a tool that takes it as its arguments.
    Tool,
    /// The schema is in the message.
    Prompt,
}

impl ModelProfile {
    /// The profile of a model of a provider that enforces schemas of answers and reads no images.
    pub fn new(provider: Provider) -> Self {
        Self {
            provider,
            images: false,
            answer_form: AnswerForm::Schema,
            parallel_calls: provider.parallel_calls(),
            context_window: None,
            constrained_tools: false,
            think_tags: false,
            text_calls: false,
            classifier: Classifier::default(),
        }
    }

    /// The profile with [`images`](Self::images).
    #[must_use]
    pub fn with_images(mut self, images: bool) -> Self {
        self.images = images;
        self
    }

    /// The profile with another [`answer_form`](Self::answer_form).
    #[must_use]
    pub fn with_answer_form(mut self, form: AnswerForm) -> Self {
        self.answer_form = form;
        self
    }

    /// The profile with another value of [`parallel_calls`](Self::parallel_calls).
    #[must_use]
    pub fn with_parallel_calls(mut self, parallel: bool) -> Self {
        self.parallel_calls = parallel;
        self
    }

    /// The profile with a [`context_window`](Self::context_window).
    #[must_use]
    pub fn with_context_window(mut self, tokens: usize) -> Self {
        self.context_window = Some(tokens);
        self
    }

    /// The profile with [`constrained_tools`](Self::constrained_tools).
    #[must_use]
    pub fn with_constrained_tools(mut self, constrained: bool) -> Self {
        self.constrained_tools = constrained;
        self
    }

    /// The profile with [`think_tags`](Self::think_tags).
    #[must_use]
    pub fn with_think_tags(mut self, are_read: bool) -> Self {
        self.think_tags = are_read;
        self
    }

    /// The profile with [`text_calls`](Self::text_calls).
    #[must_use]
    pub fn with_text_calls(mut self, are_read: bool) -> Self {
        self.text_calls = are_read;
        self
    }

    /// The profile with another function that finds the kind of an error of the provider, for a server with words of its own. The models
    /// behind HTTP use it. The default is [`ProviderError::kind`].
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

    /// The kind of an error of the provider; see [`classify_error`](Self::classify_error).
    #[must_use]
    pub fn error_kind(&self, error: &ProviderError) -> ErrorKind {
        self.classifier.kind(error)
    }

    #[doc(hidden)]
    pub fn classifier(&self) -> Classifier {
        self.classifier.clone()
    }
}

/// Finds the kinds of errors: the function of the program, or that of the library.
#[derive(Clone, Default)]
pub struct Classifier(Option<Arc<Classify>>);

type Classify = dyn Fn(&ProviderError) -> ErrorKind + Send + Sync;

impl Classifier {
    /// The kind of an error.
    pub fn kind(&self, error: &ProviderError) -> ErrorKind {
        match &self.0 {
            Some(classify) => classify(error),
            None => error.kind(),
        }
    }
}

/// Two functions are equal if they are the same value.
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
