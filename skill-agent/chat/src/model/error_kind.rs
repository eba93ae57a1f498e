//! Classifying errors from providers.

use std::time::Duration;

/// An error from a provider, passed to the function of [`ModelProfile::classify_error`](super::ModelProfile::classify_error).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ProviderError {
    /// The HTTP status code. `None` for an error within a stream, unless the stream contains a status.
    pub status: Option<u16>,
    /// The codes and types of the error, separated by spaces, such as `invalid_request_error context_length_exceeded`.
    pub code: String,
    /// The provider's message.
    pub message: String,
    /// The delay that the provider asks for.
    pub retry_after: Option<Duration>,
    /// The text before and after the error, if the error was embedded in text as JSON.
    #[doc(hidden)]
    pub around: String,
}

/// The kind of an error from a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The conversation exceeds the model's context: [`ModelError::ContextTooLong`](super::ModelError::ContextTooLong).
    ContextTooLong,
    /// The provider refused to answer this request: [`ModelError::Refused`](super::ModelError::Refused).
    Refused,
    /// The account has no credit left, or has reached a limit that lasts a day or longer:
    /// [`ModelError::AccountExhausted`](super::ModelError::AccountExhausted).
    AccountExhausted,
    /// Any other error: [`ModelError::Status`](super::ModelError::Status).
    Status,
}

/// Codes and phrases for a conversation that is too long. `…` matches at most 40 bytes.
const TOO_LONG: &[&str] = &[
    // OpenAI, vLLM, SGLang, xAI, Mistral, Fireworks, LM Studio
    "context_length_exceeded",
    "maximum context length",
    "maximum prompt length",
    "'messages'…array too long",
    // llama.cpp, Ollama
    "exceed_context_size",
    "exceeds the available context size",
    "prompt too long",
    // Anthropic, Bedrock
    "prompt is too long",
    "exceed context limit",
    "request_too_large",
    "input is too long",
    "input too long",
    // Gemini, Vertex
    "exceeds the maximum number of tokens",
    "input token count…supports up to",
    // Cohere, Azure, LiteLLM
    "tokens in the prompt cannot exceed",
    "total tokens exceeds the model's max",
    "reduce the length of the",
    "contextwindowexceeded",
    "context_window_exceeded",
    // Kimi
    "exceed…token limit",
    "token limit exceeded",
    // GLM
    "exceeds max length",
    "more than max tokens allowed",
    // Qwen, Doubao
    "range of input length",
    "exceed max message tokens",
    // SiliconFlow
    "prompt_tokens…max_seq_len",
    // TGI
    "`inputs` tokens",
    "`inputs` must have less than",
    // Copilot
    "max_prompt_tokens_exceeded",
    "prompt token count…exceeds the limit",
    // NeMo, TensorRT-LLM, Triton
    "prompt length…exceed",
    "input length…exceed",
    "maximum input length",
    // watsonx, others
    "input tokens…exceed",
    "prompt tokens…exceed",
    "too many input tokens",
    "maximum input tokens",
    "conversation is too long",
    "reduce your message size",
];

/// Phrases for a conversation that is too long. Other errors contain them too, so they apply only to the statuses 400, 422 and 500,
/// and to errors without a status.
const OF_THE_CONTEXT: &[&str] = &[
    "context length",
    "context window",
    "context size",
    "exceed…max_num_tokens",
    "exceed…sequence length",
    "longer than…sequence length",
    "sequence length…exceed",
];

/// Phrases for a request that is too large. They apply to every status, even 429. A request that exceeds the per-minute limit fails
/// on every retry.
const TOO_LARGE: &[&str] = &["request too large for", "tokens must be reduced"];

/// Codes and phrases for a refused request.
const REFUSED: &[&str] = &[
    "content_filter",
    "content_policy_violation",
    "content filtering policy",
    "input was flagged",
    "prompt was flagged",
    "responsibleaipolicy",
];

/// Codes and phrases for an account that has no credit left, or has reached a limit that lasts for days or longer.
const EXHAUSTED: &[&str] = &[
    "insufficient_quota",
    "exceeded_current_quota",
    "insufficient…balance",
    "balance…insufficient",
    "balance…too low",
    "balance…not enough",
    "balance…exhausted",
    "credit_balance",
    "insufficient…credit",
    "insufficient…funds",
    "out of credits",
    "all available credits",
    "credits…exhausted",
    "credits…depleted",
    "credits…used up",
    "requires more credits",
    "not enough credits",
    "included credits",
    "billing_hard_limit",
    "billing hard limit",
    "billing_not_active",
    "billing…disabled",
    "billing to be enabled",
    "payment required",
    "payment_required",
    "arrear",
    "account…suspended",
    "account is not active",
    "spending limit",
    "spend limit",
    "spending cap",
    "budget_exceeded",
    "weekly…limit",
    "weekly…quota",
    "monthly…limit",
    "monthly…quota",
    "limit…weekly",
    "limit…monthly",
    "premium request allowance",
    "api usage limit",
    "usage_limit_reached",
    "usage-exhausted",
    "usage_exhausted",
    // a quota of zero, as for a model outside of Gemini's free tier
    "quota exceeded…limit: 0,",
    "quota exceeded…limit: 0 ",
    "overdue payment",
    "overdue-payment",
    "overdue bill",
];

/// Phrases that may mean an exhausted account. They apply only to the statuses 402, 403 and 429 and to errors without a status, and
/// only if the provider does not ask for a short delay.
const OF_AN_ACCOUNT: &[&str] = &[
    "credit limit",
    "overdue",
    "budget…exceeded",
    "exceed…budget",
    "per month",
    "per week",
    "/ month",
    "/month",
    "billing cycle",
    "billing period",
    "usage limit",
    "usage_limit",
];

/// A delay below this counts as short. A phrase in [`OF_AN_ACCOUNT`] is ignored if the provider asks for a shorter one.
const SHORT_WAIT: Duration = Duration::from_secs(10 * 60);

/// Phrases that mean either an exhausted account or a limit that ends soon. In the second case, the provider asks for a delay.
const EXHAUSTED_OR_LIMITED: &[&str] = &[
    "check your plan and billing",
    "current quota",
    "daily…limit",
    "daily…quota",
    "daily…allocation",
    "per day",
    "per-day",
    "per_day",
    "/ day",
];

/// The maximum number of bytes that `…` matches in a phrase.
const GAP: usize = 40;

const TOO_MANY_REQUESTS: u16 = 429;
const PAYMENT_REQUIRED: u16 = 402;
const TOO_LARGE_BODY: u16 = 413;

impl ProviderError {
    /// Creates an error with a status and a message.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Self {
            status: Some(status),
            message: message.into(),
            ..Self::default()
        }
    }

    /// Sets the codes and types of the error, separated by spaces.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.code = code.into();
        self
    }

    /// Finds the kind by the codes and phrases of known providers. This is the default of
    /// [`ModelProfile::classify_error`](super::ModelProfile::classify_error).
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        let words = format!("{} {} {}", self.code, self.around, self.message).to_lowercase();
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| has(&words, phrase));
        let is_limited = self.status == Some(TOO_MANY_REQUESTS);
        let may_wait = self.retry_after.is_some();
        let waits_shortly = self.retry_after.is_some_and(|wait| wait < SHORT_WAIT);
        let is_of_account = self
            .status
            .is_none_or(|status| matches!(status, 402 | 403 | 429));
        if self.status == Some(PAYMENT_REQUIRED)
            || says(EXHAUSTED)
            || !may_wait && says(EXHAUSTED_OR_LIMITED)
            || is_of_account && !waits_shortly && says(OF_AN_ACCOUNT)
        {
            return ErrorKind::AccountExhausted;
        }
        // llama.cpp and Ollama respond with 500 to a conversation that is too long
        let is_of_request = self
            .status
            .is_none_or(|status| matches!(status, 400 | 422 | 500));
        // a per-minute token limit does not concern the context
        if self.status == Some(TOO_LARGE_BODY)
            || says(TOO_LARGE)
            || !is_limited && says(TOO_LONG)
            || is_of_request && says(OF_THE_CONTEXT)
        {
            return ErrorKind::ContextTooLong;
        }
        let is_refusal = self.status.is_none_or(|status| status < 500) && !is_limited;
        if is_refusal && says(REFUSED) {
            return ErrorKind::Refused;
        }
        ErrorKind::Status
    }
}

/// Returns whether the text contains the phrase. A `…` in the phrase matches at most [`GAP`] bytes.
fn has(text: &str, phrase: &str) -> bool {
    let Some((first, rest)) = phrase.split_once('…') else {
        return text.contains(phrase);
    };
    let mut found = text.match_indices(first);
    found.any(|(at, _)| {
        let behind = &text[at + first.len()..];
        let next = behind.find(rest);
        next.is_some_and(|gap| gap <= GAP)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_errors_do_not_count() {
        for (status, message) in [
            (400, "Invalid schema for function 'list_overdue_invoices'"),
            (400, "stop: sequence length must be at most 16"),
            (401, "this key may not use the larger context window"),
            (503, "the context size of the model is being changed"),
            (500, "the report per month failed"),
        ] {
            assert_eq!(
                ProviderError::new(status, message).kind(),
                ErrorKind::Status,
                "{status} {message}"
            );
        }
        let limited = ProviderError {
            retry_after: Some(Duration::from_secs(20)),
            ..ProviderError::new(429, "usage limit reached")
        };
        assert_eq!(limited.kind(), ErrorKind::Status);
        let too_long = ProviderError::new(400, "the prompt exceeds the context window");
        assert_eq!(too_long.kind(), ErrorKind::ContextTooLong);
    }

    #[test]
    fn the_words_of_a_phrase_are_near_each_other_and_in_order() {
        for (text, is_found) in [
            ("your weekly usage limit", true),
            ("weeklylimit", true),
            ("limit weekly", false),
            (
                "weekly, but all of that is so far away from the limit",
                false,
            ),
            (
                "weekly, far away from anything that could be meant, the weekly limit",
                true,
            ),
        ] {
            assert_eq!(has(text, "weekly…limit"), is_found, "{text}");
        }
    }
}
