//! JSON shapes of errors from servers.

use std::time::Duration;

use serde_json::Deserializer;
use skill_core::serde::de::IgnoredAny;

use crate::http::retry_after;
use skill_agent_models::__private::{Kind, Raw};

/// The maximum nesting of errors. A gateway nests the provider's error in its own, sometimes as a string.
const MAX_DEPTH: usize = 8;

/// The keys of nested errors, and of the objects around them.
const NESTED: [&str; 7] = [
    "response",
    "error",
    "errors",
    "external_model_error",
    // OpenRouter
    "metadata",
    "raw",
    // AWS and others
    "fault",
];

/// The keys of messages.
const MESSAGES: [&str; 12] = [
    "message",
    "Message",
    "msg",
    "error_message",
    "error_msg",
    "errorMessage",
    "detail",
    "details",
    "description",
    "faultstring",
    "status_msg",
    "title",
];

/// The keys of codes and types.
const CODES: [&str; 6] = [
    "code",
    "type",
    "status",
    "error_code",
    "error_type",
    "reason",
];

/// The keys of delays in seconds.
const SECONDS: [&str; 4] = [
    "retry_after",
    "retryAfter",
    "retry_after_seconds",
    "resets_in_seconds",
];

/// The parts of an error, collected from all levels of nesting.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) message: Option<String>,
    pub(super) codes: Vec<String>,
    /// For an error that is embedded in a message as JSON, the text before and after it.
    pub(super) around: Vec<String>,
    pub(super) status: Option<u16>,
    pub(super) retry_after: Option<Duration>,
}

impl Found {
    /// Reads the body of an error. The innermost message wins, because it says most. The outermost status and delay win. If no
    /// field has a delay, the text of the error may have one.
    pub(super) fn read(body: &str) -> Self {
        let mut found = Self::default();
        match Raw::parse(body) {
            Ok(whole) => found.value(whole, MAX_DEPTH),
            Err(_) => found.text(body, MAX_DEPTH),
        }
        let words = found.message.iter().chain(&found.around);
        let mut waits = words.filter_map(|words| retry_after::in_words(words));
        found.retry_after = found.retry_after.or_else(|| waits.next());
        found
    }

    fn value(&mut self, value: Raw<'_>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        match value.kind() {
            Kind::String => self.text(&value.string().unwrap_or_default(), depth),
            Kind::Array => self.list(value, depth),
            Kind::Object => self.object(value, depth),
            Kind::Null | Kind::Boolean | Kind::Number => {}
        }
    }

    fn object(&mut self, object: Raw<'_>, depth: usize) {
        self.codes(object);
        self.waits(object);
        if let Some(failed) = choice(object).filter(|&choice| has_failed(choice)) {
            self.value(failed, depth);
            let without_error = "the completion ended with the reason `error`";
            self.message.get_or_insert_with(|| without_error.to_owned());
        }
        for key in NESTED.iter().chain(&MESSAGES) {
            if self.message.is_some() {
                return;
            }
            if let Some(value) = object.get(key) {
                self.value(value, depth);
            }
        }
    }

    fn codes(&mut self, object: Raw<'_>) {
        for key in CODES {
            let Some(code) = object.get(key) else {
                continue;
            };
            let text = code.string();
            let number = text.as_deref().unwrap_or(code.text()).parse().ok();
            let number = number.filter(|status| (400..600).contains(status));
            self.status = self.status.or(number);
            self.codes.extend(text);
        }
    }

    fn waits(&mut self, object: Raw<'_>) {
        let seconds = |key: &&str| {
            let value = object.get(key)?;
            let text = value.string();
            retry_after::seconds(text.as_deref().unwrap_or(value.text()).parse().ok()?)
        };
        let details = object.get("details").into_iter().flat_map(Raw::items);
        let mut delays = details.chain([object]).filter_map(|detail| {
            let delay = detail.get("retryDelay")?.string()?;
            retry_after::duration(&delay)
        });
        let wait = SECONDS.iter().find_map(seconds);
        self.retry_after = self.retry_after.or(wait).or_else(|| delays.next());
    }

    /// Reads a list of errors. Joins FastAPI's messages, without the input that they repeat. In other lists, such as Google's,
    /// reads the first message.
    fn list(&mut self, list: Raw<'_>, depth: usize) {
        let messages = list.items().filter_map(|item| item.get("msg")?.string());
        let messages: Vec<String> = messages.collect();
        if !messages.is_empty() {
            self.message = Some(messages.join("; "));
        }
        for item in list.items() {
            if self.message.is_some() {
                return;
            }
            self.value(item, depth);
        }
    }

    /// Reads a string: an error as JSON within it, the title of an HTML page, or the string itself as the message.
    fn text(&mut self, text: &str, depth: usize) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if let Some(json) = json_in(text) {
            let mut within = Self::default();
            within.value(json, depth);
            if let Some(message) = within.message {
                self.message = Some(message);
                self.codes.extend(within.codes);
                self.status = self.status.or(within.status);
                self.retry_after = self.retry_after.or(within.retry_after);
                let place = json.place();
                self.around.push(text[..place.start].to_owned());
                self.around.push(text[place.end..].to_owned());
                self.around.extend(within.around);
                return;
            }
        }
        self.message = if is_html(text) {
            title(text)
        } else {
            is_readable(text).then(|| text.to_owned())
        };
    }
}

/// Returns the first JSON object or list of objects in the text. Returns `None` if its JSON is malformed.
fn json_in(text: &str) -> Option<Raw<'_>> {
    let mut starts = text.match_indices(['{', '[']);
    let (start, _) = starts.find(|(start, bracket)| {
        let within = text[start + 1..].trim_start();
        *bracket == "{" || within.starts_with('{')
    })?;
    let mut values = Deserializer::from_str(&text[start..]).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    Some(Raw::within(text, start..start + values.byte_offset()))
}

/// Returns whether the text is readable. A body may also be compressed data.
fn is_readable(text: &str) -> bool {
    // a body that was cut off may end within a character
    let text = text.trim_end_matches(char::REPLACEMENT_CHARACTER);
    let is_data =
        |c: char| c == char::REPLACEMENT_CHARACTER || c.is_control() && !c.is_whitespace();
    !text.contains(is_data)
}

fn is_html(text: &str) -> bool {
    let begin: String = text.chars().take(9).collect();
    let begin = begin.to_lowercase();
    ["<!doctype", "<html", "<head"]
        .iter()
        .any(|tag| begin.starts_with(tag))
}

/// Returns the title of an HTML page.
fn title(html: &str) -> Option<String> {
    let (_, behind) = html.split_once("<title>")?;
    let (title, _) = behind.split_once("</title>")?;
    Some(title.trim().to_owned()).filter(|title| !title.is_empty())
}

/// Returns whether a completion or an event reports an error.
pub(crate) fn is_failure(whole: Raw<'_>) -> bool {
    let whole = match whole.kind() {
        // errors from Google are lists
        Kind::Array => match whole.items().next() {
            Some(first) => first,
            None => return false,
        },
        _ => whole,
    };
    has_error(whole) || choice(whole).is_some_and(has_failed) || is_error(whole)
}

/// Returns whether a value is an error itself, without the key `error` around it.
fn is_error(value: Raw<'_>) -> bool {
    let message = value.get("message");
    if message.is_none_or(|message| message.kind() != Kind::String) {
        return false;
    }
    let mut found = Found::default();
    found.codes(value);
    found.status.is_some()
        || found
            .codes
            .iter()
            .any(|code| code.to_ascii_lowercase().ends_with("error"))
}

fn has_error(value: Raw<'_>) -> bool {
    value.get("error").is_some_and(|error| !error.is_null())
}

/// Returns whether a choice reports that the provider behind OpenRouter failed.
fn has_failed(choice: Raw<'_>) -> bool {
    let reason = choice.get("finish_reason").and_then(Raw::string);
    has_error(choice) || reason.is_some_and(|reason| reason == "error")
}

/// Returns the first choice that has the index 0 or no index.
fn choice(whole: Raw<'_>) -> Option<Raw<'_>> {
    let is_first = |choice: &Raw<'_>| choice.get("index").is_none_or(|index| index.text() == "0");
    whole.get("choices")?.items().find(is_first)
}
