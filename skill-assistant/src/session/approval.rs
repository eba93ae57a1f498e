//! Asks the person about a call.

use super::Session;
use crate::Failure;
#[cfg(feature = "http")]
use crate::fetch::Fetch;
use crate::skills::files::{FileError, WriteFile};
use crate::terminal::{Kept, Line, Style};
use json_patch::Patch;
#[cfg(feature = "http")]
use reqwest::Url;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};
use skill_agent::chat::PendingCall;
use skill_agent::server::{ApprovalRequest, Verdict};
use std::time::Duration;

/// The number of unchanged lines around a change.
const CONTEXT: usize = 2;

/// The maximum time to compare two texts. After it, the difference is right, but longer than necessary.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// The hint after an answer that is neither.
const UNCLEAR: &str = "  Answer yes or no. Ctrl-C cancels, and Ctrl-D ends the program.";

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
    /// Ctrl-C.
    Cancelled,
    /// The input has ended.
    None,
}

/// The path of a file, and its text if it can be read.
type PresentFile = (String, Option<String>);

impl Session {
    /// Shows the effect of a call, and asks until the answer is yes or no. Returns `None` if the input has ended.
    pub(super) async fn ask(&mut self, call: &PendingCall) -> Result<Option<Verdict>, Failure> {
        let request = &call.request;
        let name = &request.tool.name;
        let waits = format!("  `{name}` waits for your approval");
        self.screen.line(Style::Plain, &waits)?;
        loop {
            let file = self.preview(request).await?;
            let verdict = match self.answer(&format!("Allow {name}?")).await? {
                Answer::Yes => Verdict::Approve,
                Answer::No => Verdict::Deny("the person said no".into()),
                Answer::Cancelled => Verdict::Abort("the person cancelled the turn".into()),
                Answer::None => return Ok(None),
            };
            if let (Verdict::Approve, Some((path, before))) = (&verdict, file)
                && self.parts.folder.text(&path).await.ok() != before
            {
                self.screen
                    .line(Style::Plain, "  The file has changed meanwhile.")?;
                continue;
            }
            return Ok(Some(verdict));
        }
    }

    /// Asks a question until the answer is yes or no.
    pub(super) async fn answer(&mut self, question: &str) -> Result<Answer, Failure> {
        let question = format!("{question} [yes/no] ");
        if self.approves_all {
            self.screen.line(Style::Plain, &format!("{question}yes"))?;
            return Ok(Answer::Yes);
        }
        self.lines.forget_typed();
        loop {
            if !self.lines.is_terminal() {
                self.screen.text(&question)?;
            }
            let line = self.next_line(&question, Kept::No).await?;
            if !self.lines.is_terminal() {
                self.screen.end_line()?;
            }
            match line {
                Line::Text(text) => match text.trim().to_lowercase().as_str() {
                    "yes" | "y" => return Ok(Answer::Yes),
                    "no" | "n" => return Ok(Answer::No),
                    _ => self.screen.line(Style::Dim, UNCLEAR)?,
                },
                Line::Interrupted => return Ok(Answer::Cancelled),
                Line::End => return Ok(Answer::None),
            }
        }
    }

    /// Shows the effect of a call. Returns the file that it would write, with the present text.
    async fn preview(&mut self, request: &ApprovalRequest) -> Result<Option<PresentFile>, Failure> {
        if let Some(WriteFile { path, text }) = request.of() {
            self.screen.line(Style::Plain, &format!("  {path}"))?;
            let before = self.parts.folder.text(&path).await;
            match &before {
                Ok(before) => self.show_diff(before, &text)?,
                Err(FileError::Missing(_)) => self.show_diff("", &text)?,
                Err(error) => {
                    let hidden = format!("  The present file cannot be shown: {error}");
                    self.screen.line(Style::Plain, &hidden)?;
                    self.show_diff("", &text)?;
                }
            }
            return Ok(Some((path, before.ok())));
        }
        #[cfg(feature = "http")]
        if let Some(fetch) = request.of::<Fetch>() {
            return self.show_request(&fetch).map(|()| None);
        }
        let server = &self.parts.server;
        let preview = server.preview_json(&request.tool.name, request.arguments.to_string());
        // other tools and async actions have no preview
        let changes = preview.await.map(|preview| preview.changes);
        let changes = changes.unwrap_or_default();
        if changes.is_empty() {
            return self.show_arguments(&request.arguments).map(|()| None);
        }
        let state = self.state().await?;
        for (key, changes) in changes {
            let before = state.get(&key).cloned().unwrap_or_default();
            self.screen.line(Style::Plain, &format!("  {key}"))?;
            match patched(&before, &changes) {
                Some(after) => self.show_diff(&pretty(&before), &pretty(&after))?,
                None => self.show_text(&pretty(&changes))?,
            }
        }
        Ok(None)
    }

    #[cfg(feature = "http")]
    fn show_request(&mut self, fetch: &Fetch) -> Result<(), Failure> {
        // a URL can be written so that another host seems to be meant
        let url = Url::parse(&fetch.url).map_or_else(|_| fetch.url.clone(), String::from);
        self.show_text(&format!("{} {url}", fetch.method))?;
        self.show_text(fetch.body.as_deref().unwrap_or_default())
    }

    fn show_arguments(&mut self, arguments: &Value) -> Result<(), Failure> {
        for (name, value) in arguments.as_object().into_iter().flatten() {
            match value {
                Value::String(text) => self.show_text(&format!("{name}: {text}"))?,
                value => self.show_text(&format!("{name}: {value}"))?,
            }
        }
        Ok(())
    }

    /// Shows a whole text, below the line that it belongs to.
    fn show_text(&mut self, text: &str) -> Result<(), Failure> {
        for line in text.lines() {
            self.screen.line(Style::Plain, &format!("  {line}"))?;
        }
        Ok(())
    }

    /// Shows the lines that change.
    pub(super) fn show_diff(&mut self, before: &str, after: &str) -> Result<(), Failure> {
        let mut diff = TextDiff::configure();
        let diff = diff.timeout(DIFF_TIME).diff_lines(before, after);
        if before == after {
            return Ok(self.screen.line(Style::Dim, "  (no change)")?);
        }
        for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
            if index > 0 {
                self.screen.line(Style::Dim, "    …")?;
            }
            for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                let (sign, style) = match change.tag() {
                    ChangeTag::Delete => ('-', Style::Removed),
                    ChangeTag::Insert => ('+', Style::Added),
                    ChangeTag::Equal => (' ', Style::Dim),
                };
                let line = change.value().trim_end_matches(['\r', '\n']);
                self.screen.line(style, &format!("  {sign} {line}"))?;
            }
        }
        Ok(())
    }
}

/// Applies changes to a state. Returns `None` if they do not fit, because the state has changed meanwhile.
fn patched(before: &Value, changes: &Value) -> Option<Value> {
    let mut after = before.clone();
    let patch: Patch = serde_json::from_value(changes.clone()).ok()?;
    json_patch::patch(&mut after, &patch).ok()?;
    Some(after)
}

/// Writes a state with a line for each value.
pub(super) fn pretty(state: &Value) -> String {
    format!("{state:#}\n")
}
