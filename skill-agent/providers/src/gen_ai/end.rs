//! The end of a stream: its reason, and the tokens that the provider has counted.

use genai::chat::{StopReason, Usage as Counted};

use skill_agent_chat::Usage;
use skill_agent_models::Finish;

/// Why the model stopped; nothing if it is still at work.
pub(super) fn finish(reason: StopReason) -> Option<Finish> {
    Some(match reason {
        StopReason::Completed(_) | StopReason::StopSequence(_) => Finish::Answered,
        StopReason::MaxTokens(_) => Finish::Truncated,
        StopReason::ContentFilter(_) => Finish::Refused,
        // counted with the calls
        StopReason::ToolCall(_) => Finish::Other("tool_calls".to_owned()),
        StopReason::Other(word) => match word.as_str() {
            // of OpenRouter, if the provider behind it failed
            "in_progress" | "error" => return None,
            "pause_turn" => Finish::Paused,
            _ => Finish::Other(word),
        },
    })
}

/// The counts, if there are any.
pub(super) fn usage(counted: &Counted) -> Option<Usage> {
    let count = |count: Option<i32>| count.and_then(|count| u64::try_from(count).ok());
    let prompt = counted.prompt_tokens_details.as_ref();
    let details = counted.completion_tokens_details.as_ref();
    let reasoning = count(details.and_then(|details| details.reasoning_tokens)).unwrap_or(0);
    let input = count(counted.prompt_tokens);
    let output = count(counted.completion_tokens);
    if input.is_none() && output.is_none() {
        return None;
    }
    // of a completion that is reasoning alone, Gemini counts the reasoning apart
    let mut usage = Usage::new(input.unwrap_or(0), output.unwrap_or(reasoning));
    usage.cached = count(prompt.and_then(|details| details.cached_tokens)).unwrap_or(0);
    usage.cache_writes =
        count(prompt.and_then(|details| details.cache_creation_tokens)).unwrap_or(0);
    usage.reasoning = reasoning;
    Some(usage)
}
