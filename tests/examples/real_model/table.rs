//! The outcome of each request.

use super::explained;
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
    /// Not read, although the decoder let it through.
    Wrong,
}

/// The outcomes so far.
#[derive(Default)]
pub struct Table {
    good: usize,
    truncated: usize,
    explained: usize,
    wrong: usize,
}

impl Table {
    /// Prints a row. What is wrong may be explained by what a decoder does not know.
    pub fn row(&mut self, form: &str, name: &str, outcome: &Outcome, text: &str) {
        let reason = explained::reason(form, name, text);
        let (count, word) = match (outcome, reason) {
            (Outcome::Answered, _) => (&mut self.good, "answered"),
            (Outcome::Executed, _) => (&mut self.good, "executed"),
            (Outcome::Refused, _) => (&mut self.good, "refused"),
            (Outcome::Truncated, _) => (&mut self.truncated, "truncated"),
            (Outcome::Wrong, Some(_)) => (&mut self.explained, "explained"),
            (Outcome::Wrong, None) => (&mut self.wrong, "WRONG"),
        };
        *count += 1;
        let text = match (outcome, reason) {
            (Outcome::Wrong, Some(reason)) => format!("{reason}: {text}"),
            (Outcome::Wrong, None) => text.to_owned(),
            _ => text.chars().take(100).collect(),
        };
        let text: Vec<&str> = text.split_whitespace().collect();
        println!("{form:14} {name:38} {word:9} {}", text.join(" "));
    }

    /// Prints the sums.
    pub fn end(self, tokens: u32) -> ExitCode {
        let Self {
            good,
            truncated,
            explained,
            wrong,
        } = self;
        println!(
            "{good} read, {truncated} cut off at {tokens} tokens, {explained} explained, {wrong} wrong"
        );
        if wrong > 0 || good == 0 {
            return ExitCode::FAILURE;
        }
        ExitCode::SUCCESS
    }
}
