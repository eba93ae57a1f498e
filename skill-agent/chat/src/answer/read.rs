//! Reading typed answers.

use super::{AnswerSpec, TOOL, Wrapped};
use crate::texts;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, from_str};
use skill_agent_models::__private::{repair, without_nulls};
use skill_core::{Problem, StateError, process};

impl AnswerSpec {
    /// Finds the answer's JSON in the model's text, and repairs it if necessary. Returns an error if the JSON does not fit the
    /// type.
    pub(crate) fn checked(&self, text: &str) -> Result<String, StateError> {
        let (_, behind) = texts::split(text);
        if behind.trim().is_empty() {
            return Err(Problem::new("", "the answer is empty").into());
        }
        let whole = match self.checked_json(behind.trim()) {
            Ok(json) => return Ok(json),
            Err(error) => error,
        };
        let (mut fenced, mut errors) = (fences(behind), Vec::new());
        let found = fenced.find_map(|json| {
            let checked = self.checked_json(json);
            checked.map_err(|error| errors.push(error)).ok()
        });
        let found = found.or_else(|| self.bare(behind.trim()));
        // a code fence contains the answer, so report the error of its content
        found.ok_or_else(|| errors.into_iter().next().unwrap_or(whole))
    }

    /// Reads an answer without its wrapper: a JSON value, or plain text for a string. Rejects objects, because serde would read an
    /// object with a wrong wrapper as an object without fields.
    fn bare(&self, text: &str) -> Option<String> {
        if !self.is_wrapped || text.starts_with('{') {
            return None;
        }
        let wrapped = |value: &str| self.checked_json(&format!("{{\"{TOOL}\":{value}}}")).ok();
        let words = || wrapped(&Value::from(text).to_string());
        if is_words(text) {
            return words();
        }
        // `8080` may also be a string
        wrapped(text).or_else(|| words().filter(|_| !text.starts_with(['[', '"', '`'])))
    }

    /// Returns the error for the caller of `ask` if the model answered in prose instead of JSON.
    pub(crate) fn in_words(text: &str) -> Option<StateError> {
        /// The maximum number of characters that the error quotes from the answer.
        const MOST: usize = 80;
        let (_, behind) = texts::split(text);
        let words = behind.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.contains(['{', '[']) || words.is_empty() || !is_words(&words) {
            return None;
        }
        let shown = match words.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words,
        };
        let problem = format!("the model answered in words, not JSON: `{shown}`");
        Some(
            Problem::new("", problem)
                .with_help("`chat.send` gives the text")
                .into(),
        )
    }

    fn checked_json(&self, text: &str) -> Result<String, StateError> {
        // strict modes require every property, so a model with a strict schema writes `null` for omitted ones
        let schema = &self.tool.input_schema;
        let text = without_nulls(schema, text);
        let Err(error) = (self.check)(&text, schema) else {
            return Ok(text.into_owned());
        };
        let repaired = self.lenient.then(|| repair(schema, &text)).flatten();
        match repaired {
            Some(repaired) if (self.check)(&repaired.text, schema).is_ok() => {
                tracing::debug!(repairs = ?repaired.repairs, "an answer was repaired");
                Ok(repaired.text)
            }
            _ => Err(error),
        }
    }

    /// Deserializes a checked answer.
    pub(crate) fn read<T: DeserializeOwned>(&self, text: &str) -> Result<T, StateError> {
        let schema = &self.tool.input_schema;
        if self.is_wrapped {
            process::read_typed::<Wrapped<T>>(text, schema).map(|wrapped| wrapped.answer)
        } else {
            process::read_typed(text, schema)
        }
    }
}

/// Returns whether the text is prose: neither JSON nor an attempt to write JSON.
fn is_words(text: &str) -> bool {
    !text.starts_with(['{', '[', '"'])
        && !text.contains("```")
        && from_str::<IgnoredAny>(text).is_err()
}

/// Iterates over the contents of Markdown code fences, even if the last fence is unclosed.
fn fences(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (_, behind) = text.split_once("```")?;
        let (_, within) = behind.split_once('\n')?;
        // JSON strings cannot contain raw line breaks, so a fence at the start of a line is never inside a string
        let end = within.find("\n```").map(|end| end + 1);
        let end = end.or_else(|| within.rfind("```")).unwrap_or(within.len());
        text = within[end..].strip_prefix("```").unwrap_or_default();
        Some(within[..end].trim())
    })
}
