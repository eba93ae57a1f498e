//! The abilities of a model.

use crate::models::Provider;

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
}
