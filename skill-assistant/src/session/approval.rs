//! Asks the person about a call.

use super::Session;
use super::turn::shortened;
use crate::Failure;
#[cfg(feature = "http")]
use crate::fetch::Fetch;
use crate::skills::files::WriteFile;
use crate::terminal::{Line, Style};
use json_patch::Patch;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};
use skill_agent::chat::PendingCall;
use skill_agent::server::{ApprovalRequest, Verdict};

/// The number of unchanged lines around a change.
const CONTEXT: usize = 2;

impl Session {
    /// Shows what a call would do, and asks until the answer is yes or no.
    pub(super) async fn ask(&mut self, call: &PendingCall) -> Result<Verdict, Failure> {
        let request = &call.request;
        let name = &request.tool.name;
        self.screen
            .line(Style::Plain, &format!("  `{name}` waits for your approval"))?;
        self.preview(request).await?;
        let question = format!("Allow {name}? [yes/no] ");
        if self.approves_all {
            self.screen.line(Style::Plain, &format!("{question}yes"))?;
            return Ok(Verdict::Approve);
        }
        loop {
            if !self.lines.is_terminal() {
                self.screen.text(&question)?;
            }
            let line = self.lines.answer(&question).await?;
            if !self.lines.is_terminal() {
                self.screen.end_line()?;
            }
            match line {
                Line::Text(text) => match text.trim().to_lowercase().as_str() {
                    "yes" | "y" => return Ok(Verdict::Approve),
                    "no" | "n" => return Ok(Verdict::Deny("the person said no".into())),
                    _ => {}
                },
                Line::Interrupted => return Ok(Verdict::Deny("the person said no".into())),
                Line::End => return Ok(Verdict::Deny("the person gave no answer".into())),
            }
        }
    }

    async fn preview(&mut self, request: &ApprovalRequest) -> Result<(), Failure> {
        if let Some(WriteFile { path, text }) = request.of() {
            // a file that cannot be read is replaced as a whole
            let before = self.parts.folder.read(&path).unwrap_or_default();
            self.screen.line(Style::Plain, &format!("  {path}"))?;
            return self.show_diff(&before, &text);
        }
        #[cfg(feature = "http")]
        if let Some(fetch) = request.of::<Fetch>() {
            return self.show_request(&fetch);
        }
        let server = &self.parts.server;
        let preview = server.preview_json(&request.tool.name, request.arguments.to_string());
        // other tools and async actions have no preview
        let Ok(preview) = preview.await else {
            return self.show_arguments(&request.arguments);
        };
        let state = self.parts.server.state_json().await;
        let state = state.map_err(|error| Failure::Agent(error.to_string()))?;
        let state: Value = serde_json::from_str(&state).unwrap_or_default();
        for (key, changes) in preview.changes {
            let before = state.get(&key).cloned().unwrap_or_default();
            let after = patched(&before, changes);
            self.screen.line(Style::Plain, &format!("  {key}"))?;
            self.show_diff(&pretty(&before), &pretty(&after))?;
        }
        Ok(())
    }

    #[cfg(feature = "http")]
    fn show_request(&mut self, fetch: &Fetch) -> Result<(), Failure> {
        let line = format!("  {} {}", fetch.method, fetch.url);
        self.screen.line(Style::Plain, &line)?;
        match &fetch.body {
            Some(body) => Ok(self.screen.line(Style::Plain, &format!("  {body}"))?),
            None => Ok(()),
        }
    }

    fn show_arguments(&mut self, arguments: &Value) -> Result<(), Failure> {
        for (name, value) in arguments.as_object().into_iter().flatten() {
            let value = match value {
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            let line = format!("  {name}: {}", shortened(&value));
            self.screen.line(Style::Plain, &line)?;
        }
        Ok(())
    }

    /// Shows the lines that change.
    pub(super) fn show_diff(&mut self, before: &str, after: &str) -> Result<(), Failure> {
        let diff = TextDiff::from_lines(before, after);
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
                let line = change.value().trim_end_matches('\n');
                self.screen.line(style, &format!("  {sign} {line}"))?;
            }
        }
        Ok(())
    }
}

/// Applies changes to a state. A change that does not fit is left out, because it is only shown.
fn patched(before: &Value, changes: Value) -> Value {
    let mut after = before.clone();
    let patch: Patch = serde_json::from_value(changes).unwrap_or_default();
    let _ = json_patch::patch(&mut after, &patch);
    after
}

/// Writes a state with a line for each value.
pub(super) fn pretty(state: &Value) -> String {
    format!("{state:#}\n")
}
