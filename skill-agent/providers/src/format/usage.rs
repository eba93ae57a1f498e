//! Token counts in the forms of the providers.

use skill_agent_chat::Usage;
use skill_agent_models::__private::Raw;

/// Reads the `usage` field of a Chat Completions response.
pub(crate) fn chat_completions(usage: Raw<'_>) -> Usage {
    let mut read = Usage::new(
        count(usage, &["prompt_tokens"]),
        count(usage, &["completion_tokens"]),
    );
    read.cached = count(usage, &["prompt_tokens_details", "cached_tokens"]);
    if read.cached == 0 {
        // DeepSeek's field
        read.cached = count(usage, &["prompt_cache_hit_tokens"]);
    }
    read.reasoning = count(usage, &["completion_tokens_details", "reasoning_tokens"]);
    read
}

/// Reads the `usage` field of a Responses response.
pub(crate) fn responses(usage: Raw<'_>) -> Usage {
    let mut read = Usage::new(
        count(usage, &["input_tokens"]),
        count(usage, &["output_tokens"]),
    );
    read.cached = count(usage, &["input_tokens_details", "cached_tokens"]);
    read.reasoning = count(usage, &["output_tokens_details", "reasoning_tokens"]);
    read
}

/// Reads the `usage` field of an Anthropic message, which counts cached tokens separately from the input.
pub(crate) fn anthropic(usage: Raw<'_>) -> Usage {
    let cached = count(usage, &["cache_read_input_tokens"]);
    let cache_writes = count(usage, &["cache_creation_input_tokens"]);
    let input = count(usage, &["input_tokens"]);
    let input = input.saturating_add(cached).saturating_add(cache_writes);
    let mut read = Usage::new(input, count(usage, &["output_tokens"]));
    (read.cached, read.cache_writes) = (cached, cache_writes);
    read
}

/// Returns the number at a path, or 0.
fn count(usage: Raw<'_>, path: &[&str]) -> u64 {
    let found = path.iter().try_fold(usage, |value, key| value.get(key));
    found
        .and_then(|value| value.text().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw<'_> {
        Raw::parse(text).unwrap()
    }

    fn counted(input: u64, output: u64, cached: u64, cache_writes: u64, reasoning: u64) -> Usage {
        let mut usage = Usage::new(input, output);
        (usage.cached, usage.cache_writes, usage.reasoning) = (cached, cache_writes, reasoning);
        usage
    }

    #[test]
    fn usage_has_cached_tokens_and_those_of_reasoning() {
        let text = r#"{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,
            "prompt_tokens_details":{"cached_tokens":64},"completion_tokens_details":{"reasoning_tokens":8}}"#;
        assert_eq!(chat_completions(raw(text)), counted(100, 20, 64, 0, 8));
        let text = r#"{"prompt_tokens":9,"completion_tokens":2,"prompt_cache_hit_tokens":7,"prompt_tokens_details":null}"#;
        assert_eq!(chat_completions(raw(text)), counted(9, 2, 7, 0, 0));
        let text = r#"{"input_tokens":100,"output_tokens":20,"input_tokens_details":{"cached_tokens":64},
            "output_tokens_details":{"reasoning_tokens":8}}"#;
        assert_eq!(responses(raw(text)), counted(100, 20, 64, 0, 8));
        let text = r#"{"input_tokens":10,"cache_read_input_tokens":60,"cache_creation_input_tokens":30,"output_tokens":20}"#;
        assert_eq!(anthropic(raw(text)), counted(100, 20, 60, 30, 0));
        assert_eq!(
            anthropic(raw(r#"{"input_tokens":null,"output_tokens":-1}"#)),
            Usage::default()
        );
    }
}
