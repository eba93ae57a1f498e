//! The end of a stream: the stop reason and the token counts.

use genai::chat::{StopReason, Usage as Counted};

use skill_agent_chat::Usage;
use skill_agent_models::Finish;

/// Returns why the model stopped, or `None` if the completion was cut off.
pub(super) fn finish(reason: StopReason) -> Option<Finish> {
    Some(match reason {
        StopReason::Completed(_) | StopReason::StopSequence(_) => Finish::Answered,
        StopReason::MaxTokens(_) => Finish::Truncated,
        StopReason::ContentFilter(_) => Finish::Refused,
        // `Finish::of_parts` decides later, because the reason depends on the calls in the completion
        StopReason::ToolCall(_) => Finish::Other("tool_calls".to_owned()),
        StopReason::Other(word) => match word.as_str() {
            // the response is unfinished, or the provider behind OpenRouter failed
            "in_progress" | "error" => return None,
            "pause_turn" => Finish::Paused,
            _ => Finish::Other(word),
        },
    })
}

/// Returns the token counts, or `None` if the provider sent none.
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
    // Gemini counts the reasoning separately if a completion contains nothing else
    let mut usage = Usage::new(input.unwrap_or(0), output.unwrap_or(reasoning));
    usage.cached = count(prompt.and_then(|details| details.cached_tokens)).unwrap_or(0);
    usage.cache_writes =
        count(prompt.and_then(|details| details.cache_creation_tokens)).unwrap_or(0);
    usage.reasoning = reasoning;
    Some(usage)
}
