//! The outcome of each request.

use super::explained;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// The outcome of a request.
pub enum Outcome {
    /// Read as a type.
    Answered,
    /// Run, with a result.
    Executed,
    /// Run, and refused by the action for its own reasons.
    Refused,
    /// Cut off at the limit of tokens, and reported so.
    Truncated,
    /// Not read, although the decoder let it through: the error.
    Wrong(String),
}

/// The outcomes so far.
#[derive(Default)]
pub struct Table {
    /// How many requests of each form were read, and how many were not for a known reason.
    forms: BTreeMap<String, [usize; 2]>,
    truncated: usize,
    wrong: usize,
}

impl Table {
    /// Prints a row. An error may have a known reason: a decoder does not enforce everything.
    pub fn row(&mut self, form: &str, name: &str, outcome: &Outcome, text: &str) {
        let [read, explained] = self.forms.entry(form.to_owned()).or_default();
        let (count, word, reason) = match outcome {
            Outcome::Answered => (read, "answered", None),
            Outcome::Executed => (read, "executed", None),
            Outcome::Refused => (read, "refused", None),
            Outcome::Truncated => (&mut self.truncated, "truncated", None),
            Outcome::Wrong(error) => match explained::reason(form, name, error) {
                Some(reason) => (explained, "explained", Some(format!("{reason}: {error}"))),
                None => (&mut self.wrong, "WRONG", Some(error.clone())),
            },
        };
        *count += 1;
        let text = match reason {
            Some(reason) => format!("{reason} {text}"),
            None => text.chars().take(100).collect(),
        };
        let text: Vec<&str> = text.split_whitespace().collect();
        println!("{form:14} {name:38} {word:9} {}", text.join(" "));
    }

    /// Prints the sums. Of each form most requests are read.
    pub fn end(self, tokens: u32) -> ExitCode {
        let [read, explained] =
            [0, 1].map(|at| self.forms.values().map(|form| form[at]).sum::<usize>());
        let Self {
            forms,
            truncated,
            wrong,
        } = self;
        println!(
            "{read} read, {truncated} cut off at {tokens} tokens, {explained} explained, {wrong} wrong"
        );
        let is_read = |[read, explained]: &[usize; 2]| read > explained;
        if wrong > 0 || forms.is_empty() || !forms.values().all(is_read) {
            return ExitCode::FAILURE;
        }
        ExitCode::SUCCESS
    }
}
