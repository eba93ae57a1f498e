//! OpenAI's formats.

/// The Chat Completions API, which many other servers offer too.
///
/// | part | JSON |
/// | --- | --- |
/// | call | an entry of `tool_calls`, arguments as JSON text |
/// | result | a message of role `tool`; an error is an object with the key `error` |
/// | reasoning | `reasoning_content`, `reasoning`, or an item `thinking` in `content`, from other servers |
pub mod chat {
    use skill_core::serde_json::json;

    use super::super::completion::{
        Completion, CompletionError, Content, Finish, Part, ToolCall, ToolResult,
    };
    use crate::completion::place::Place;
    use crate::completion::raw::{Edit, Kind};
    use crate::{anthropic, gemini};

    /// Parses a completion, or only a completion's message. If there are several choices, only the first is used.
    ///
    /// # Errors
    ///
    /// Returns an error if `text` is not a completion. See [`CompletionError`].
    pub fn read(text: &str) -> Result<Completion, CompletionError> {
        let whole = Place::completion(text)?;
        let is_message = whole.get("role").or_else(|| whole.get("tool_calls"));
        if is_message.is_some() && whole.get("choices").is_none() {
            return completion(&whole, Finish::Answered);
        }
        let choices = whole.need("choices", "a list")?;
        let Some(choice) = choices.items()?.next() else {
            return Err(choices.malformed("a list with a choice"));
        };
        let reason = choice.text_or_empty("finish_reason")?;
        let finish = finish(&reason);
        match choice.get("message") {
            // servers omit the message if a limit or a filter stopped the model
            None if !reason.is_empty() => Ok(Completion::new(Vec::new(), finish, Vec::new())),
            None => Err(choice.missing("message", "a message")),
            Some(message) => completion(&message.object()?, finish),
        }
    }

    /// Parses the stop reason, even if text follows the word, as in Gemini's `content_filter: SAFETY`. Servers also pass on the
    /// words of the provider behind them.
    fn finish(reason: &str) -> Finish {
        let word = reason.split(':').next().unwrap_or_default();
        match word {
            "stop" => Finish::Answered,
            // Mistral uses the second word
            "length" | "model_length" => Finish::Truncated,
            // GLM uses the second word
            "content_filter" | "sensitive" => Finish::Refused,
            _ => {
                let mut others = [anthropic::finish(word), gemini::finish(word)].into_iter();
                let known = others.find(|finish| !matches!(finish, Finish::Other(_)));
                known.unwrap_or_else(|| Finish::Other(reason.to_owned()))
            }
        }
    }

    fn completion(message: &Place<'_>, finish: Finish) -> Result<Completion, CompletionError> {
        let mut parts = Vec::new();
        for key in ["reasoning_content", "reasoning"] {
            if let Some(reasoning) = message.get(key) {
                let content = Content::Reasoning(reasoning.value.string().unwrap_or_default());
                parts.push(Part::new(content, reasoning.value.text()));
            }
        }
        if let Some(content) = message.get("content") {
            if content.value.kind() == Kind::Array {
                for item in content.items()? {
                    parts.push(part(&item)?);
                }
            } else {
                let text = content.string()?;
                // some servers send an empty string together with calls
                if !text.is_empty() {
                    parts.push(Part::new(Content::Text(text), content.value.text()));
                }
            }
        }
        if let Some(refusal) = message.get("refusal") {
            let content = Content::Refusal(refusal.string()?);
            parts.push(Part::new(content, refusal.value.text()));
        }
        let mut edits = Vec::new();
        // some servers omit the role, but reject a message without one
        if message.get("role").is_none() {
            edits.push(message.value.put("role", "assistant"));
        }
        if let Some(listed) = message.get("tool_calls") {
            let listed: Vec<Place<'_>> = listed.items()?.collect();
            for (call, id) in listed.iter().zip(ids(&listed, &mut edits)?) {
                parts.push(self::call(call, id)?);
            }
        }
        // servers reject a message that has neither content nor calls
        let is_said = parts.iter().any(|part| match &part.content {
            Content::Text(text) => !text.is_empty(),
            Content::Reasoning(_) => false,
            _ => true,
        });
        let sent = is_said.then(|| message.value.edited(edits));
        Ok(Completion::new(parts, finish, sent.into_iter().collect()))
    }

    /// Returns the ids of the calls. A call without an id gets one based on its index, which is also added to the message to
    /// repeat.
    fn ids(calls: &[Place<'_>], edits: &mut Vec<Edit>) -> Result<Vec<String>, CompletionError> {
        let ids = calls.iter().map(|call| call.text_or_empty("id"));
        let mut ids = ids.collect::<Result<Vec<_>, _>>()?;
        for (index, call) in calls.iter().enumerate() {
            if ids[index].is_empty() && call.value.kind() == Kind::Object {
                let mut id = ToolResult::default_id(index);
                while ids.contains(&id) {
                    id.push('_');
                }
                edits.push(call.value.put("id", &id));
                ids[index] = id;
            }
        }
        Ok(ids)
    }

    fn part(item: &Place<'_>) -> Result<Part, CompletionError> {
        let content = match item.text_or_empty("type")?.as_str() {
            "text" => Content::Text(item.text("text")?),
            "refusal" => Content::Refusal(item.text("refusal")?),
            "thinking" => Content::Reasoning(thinking(item)),
            _ => Content::Other,
        };
        Ok(Part::new(content, item.value.text()))
    }

    /// Returns Mistral's reasoning, which is either a string or a list of strings.
    fn thinking(item: &Place<'_>) -> String {
        let Some(thinking) = item.get("thinking").map(|thinking| thinking.value) else {
            return String::new();
        };
        let texts = thinking.items();
        let texts = texts.filter_map(|text| text.get("text")?.string());
        thinking.string().unwrap_or_else(|| texts.collect())
    }

    fn call(call: &Place<'_>, id: String) -> Result<Part, CompletionError> {
        // a call to a tool with a custom grammar; agents have no such tools
        let content = if call.get("custom").is_some() {
            Content::Other
        } else {
            let function = call.need("function", "an object")?.object()?;
            let call = ToolCall::new(function.text("name")?, function.arguments("arguments")?);
            Content::Call(call.with_id(id))
        };
        Ok(Part::new(content, call.value.text()))
    }

    /// Formats the results of calls as messages to append to the conversation.
    #[must_use]
    pub fn results(results: &[ToolResult]) -> Vec<String> {
        let message = |(index, result): (usize, &ToolResult)| {
            let (id, content) = (result.id_or_default(index), result.marked_content());
            json!({ "role": "tool", "tool_call_id": id, "content": content }).to_string()
        };
        results.iter().enumerate().map(message).collect()
    }
}

/// The Responses API.
///
/// | part | JSON |
/// | --- | --- |
/// | call | an item `function_call`, arguments as JSON text |
/// | result | an item `function_call_output`; an error is an object with the key `error` |
/// | reasoning | an item `reasoning` |
pub mod responses {
    use skill_core::serde_json::json;

    use super::super::completion::{
        Completion, CompletionError, Content, Finish, Part, ToolCall, ToolResult,
    };
    use crate::completion::place::Place;

    /// Parses a response.
    ///
    /// # Errors
    ///
    /// Returns an error if `text` is not a response. See [`CompletionError`].
    pub fn read(text: &str) -> Result<Completion, CompletionError> {
        let whole = Place::completion(text)?;
        let (mut parts, mut messages) = (Vec::new(), Vec::new());
        let output = match whole.get("output") {
            Some(output) => output.items()?.collect(),
            // servers omit the output if a limit or a filter stopped the model
            None if whole.get("status").is_some() => Vec::new(),
            None => return Err(whole.missing("output", "a list")),
        };
        for item in output {
            let item = item.object()?;
            messages.push(item.value.text().to_owned());
            match item.text("type")?.as_str() {
                "message" => {
                    for content in item.need("content", "a list")?.items()? {
                        parts.push(part(&content)?);
                    }
                }
                "function_call" => {
                    let call = ToolCall::new(item.text("name")?, item.arguments("arguments")?);
                    let call = call.with_id(item.text("call_id")?);
                    parts.push(Part::new(Content::Call(call), item.value.text()));
                }
                "reasoning" => {
                    let reasoning = Content::Reasoning(summary(&item)?);
                    parts.push(Part::new(reasoning, item.value.text()));
                }
                _ => parts.push(Part::new(Content::Other, item.value.text())),
            }
        }
        Ok(Completion::new(parts, finish(&whole)?, messages))
    }

    fn finish(whole: &Place<'_>) -> Result<Finish, CompletionError> {
        let details = whole.get("incomplete_details");
        let reason = details.map_or_else(
            || Ok(String::new()),
            |details| details.text_or_empty("reason"),
        )?;
        let status = whole.text_or_empty("status")?;
        Ok(match (status.as_str(), reason.as_str()) {
            (_, "max_output_tokens") => Finish::Truncated,
            (_, "content_filter") => Finish::Refused,
            ("completed", _) => Finish::Answered,
            (_, "") => Finish::Other(status),
            _ => Finish::Other(reason),
        })
    }

    fn part(content: &Place<'_>) -> Result<Part, CompletionError> {
        let said = match content.text("type")?.as_str() {
            "output_text" => Content::Text(content.text("text")?),
            "refusal" => Content::Refusal(content.text("refusal")?),
            _ => Content::Other,
        };
        Ok(Part::new(said, content.value.text()))
    }

    /// Returns the summary of the reasoning, or the reasoning itself if the server shows it.
    fn summary(item: &Place<'_>) -> Result<String, CompletionError> {
        let mut text = String::new();
        for list in ["summary", "content"] {
            if let Some(list) = item.get(list).filter(|_| text.is_empty()) {
                for part in list.items()? {
                    text.push_str(&part.text_or_empty("text")?);
                }
            }
        }
        Ok(text)
    }

    /// Formats the results of calls as items to append to `input`.
    #[must_use]
    pub fn results(results: &[ToolResult]) -> Vec<String> {
        let item = |(index, result): (usize, &ToolResult)| {
            let (id, output) = (result.id_or_default(index), result.marked_content());
            json!({ "type": "function_call_output", "call_id": id, "output": output }).to_string()
        };
        results.iter().enumerate().map(item).collect()
    }
}
