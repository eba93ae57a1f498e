//! A chat over an agent, streamed to the terminal, with a person who is asked before notes are thrown away.
//!
//! ```text
//! cargo run -p skill-examples --example chat             # asks on the terminal
//! echo yes | cargo run -p skill-examples --example chat
//! ```
//!
//! The model is scripted, so that the program needs no network.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::chat::{Chat, Event, PendingCall, Scripted, Stop, TurnStream};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::toolbox::Toolbox;
use std::error::Error;
use std::io::{self, BufRead, Write};

/// Notes of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "notes",
    actions(AddNote, ListNotes, ClearNotes),
    instructions = "A note is one short sentence."
)]
pub struct Notes {
    /// The notes in their order.
    lines: Vec<String>,
}

/// Keep a note, and say how many there are.
#[action]
pub fn add_note(notes: &mut Notes, text: String) -> usize {
    notes.lines.push(text);
    notes.lines.len()
}

/// All notes.
#[action(read_only)]
pub fn list_notes(notes: &Notes) -> Vec<String> {
    notes.lines.clone()
}

/// Throw all notes away.
#[action(destructive)]
pub fn clear_notes(notes: &mut Notes) {
    notes.lines.clear();
}

agent! {
    /// An assistant that keeps notes.
    pub struct Assistant {
        name: "assistant",
        skills: [Notes],
    }
}

/// The script of the model, which needs no network.
fn model() -> Scripted {
    Scripted::new()
        .calls([
            ("add_note", json!({ "text": "Buy milk." })),
            ("add_note", json!({ "text": "Call Ann." })),
        ])
        .text("I noted both.")
        .calls([("clear_notes", json!({}))])
        .calls([("list_notes", json!({}))])
        .text("That is what is left.")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdin().lock(), &mut io::stdout()).await
}

/// Runs the program with the given input and output.
pub(crate) async fn run(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let server = AgentServer::builder(Assistant::new())
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .start()
        .await?;
    let mut chat = Chat::builder(model(), Toolbox::of(&server))
        .system("You keep notes.")
        .build()?;

    for question in ["Remember milk, and to call Ann.", "Throw them away."] {
        writeln!(output, "> {question}")?;
        let mut pending = show(chat.stream(question), output).await?;
        // the history could be stored here, and the verdict given in another process
        while let Some(call) = pending.first() {
            let verdict = ask(call, input, output)?;
            pending = show(chat.stream_decide(&call.id, verdict), output).await?;
        }
    }
    Ok(())
}

/// Shows a turn while it runs. Returns the calls that wait for approval.
async fn show(
    mut turn: TurnStream<'_>,
    output: &mut dyn Write,
) -> Result<Vec<PendingCall>, Box<dyn Error>> {
    while let Some(event) = turn.next().await {
        match event? {
            Event::Text(text) => write!(output, "{text}")?,
            Event::Called(call) => match call.result {
                Ok(result) => writeln!(
                    output,
                    "  {}{} -> {}",
                    call.name,
                    call.arguments,
                    result.text()
                )?,
                Err(error) => writeln!(output, "  {error}")?,
            },
            Event::Retry(retry) if retry.discard => writeln!(output, "\n(once more)")?,
            Event::Done(turn) if turn.stop == Stop::Approval => return Ok(turn.pending),
            Event::Done(_) => writeln!(output)?,
            _ => {}
        }
        output.flush()?;
    }
    Ok(Vec::new())
}

/// Asks a person about a call until the answer is yes or no.
fn ask(call: &PendingCall, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Verdict> {
    let ApprovalRequest {
        tool, arguments, ..
    } = &call.request;
    loop {
        writeln!(
            output,
            "May the model call {}{arguments}? [yes/no]",
            tool.name
        )?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(Verdict::Deny("no answer was given".into()));
        }
        match line.trim() {
            "yes" | "y" => return Ok(Verdict::Approve),
            "no" | "n" => return Ok(Verdict::Deny("the person said no".into())),
            _ => {}
        }
    }
}
