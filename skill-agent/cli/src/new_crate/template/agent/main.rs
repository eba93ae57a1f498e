//! An assistant for the terminal. It keeps its notes, its tasks and the conversation in a file.

mod skills;
#[cfg(test)]
mod tests;

use skill_agent::chat::{
    Chat, ChatError, ChatModel, ConversationPage, ConversationStatus, Conversations, Event,
    PendingCall, Stop, providers_from_env,
};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::store::{Redb, Store};
use skill_agent::toolbox::Toolbox;
use skills::{Notes, Tasks};
use std::env;
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;

/// The file in the current folder that keeps everything.
const FILE: &str = "{name}.redb";

/// The providers to try, each with the model that `MODEL` replaces.
const PROVIDERS: [(&str, &str); 3] = [
    ("openai-compatible", "gpt-5-mini"), // the server at `OPENAI_BASE_URL`
    ("openai", "gpt-5-mini"),
    ("anthropic", "claude-sonnet-4-5"),
];

/// The id of the conversation.
const CHAT: &str = "terminal";

agent! {
    pub struct Assistant {
        name: "{name}",
        skills: [Notes, Tasks],
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let model = model()?;
    let (server, chats) = open(Redb::open(FILE)?, model).await?;
    talk(&chats, io::stdin().lock(), io::stdout()).await?;
    server.stop().await?;
    Ok(())
}

/// Returns a model of the first provider that the environment has a key or an address for.
fn model() -> Result<Arc<dyn ChatModel>, &'static str> {
    let providers = providers_from_env();
    let named = env::var("MODEL").ok();
    let mut models = PROVIDERS.iter().map(|(provider, usual)| {
        let name = named.as_deref().unwrap_or(usual);
        providers.model(provider, name)
    });
    let model = models.find_map(Result::ok);
    model
        .map(Arc::from)
        .ok_or("there is no model; set `OPENAI_API_KEY`, `OPENAI_BASE_URL` or `ANTHROPIC_API_KEY`")
}

/// Starts the agent that a store keeps, and opens its conversations.
async fn open(
    store: impl Store,
    model: impl ChatModel + Clone,
) -> Result<(AgentServer<Assistant>, Conversations), Box<dyn Error>> {
    let server = AgentServer::builder(Assistant::with_id("assistant"))
        .store(store)
        .approver(|_: ApprovalRequest| async { Verdict::Later }) // the turn ends, and `talk` asks
        .start()
        .await?;
    let toolbox = Toolbox::of(&server);
    let chats = Conversations::open(&server, move |_id| {
        Chat::builder(model.clone(), toolbox.clone()).system("You keep notes and tasks.")
    });
    let chats = chats.await?;
    Ok((server, chats))
}

/// Reads lines until the end of the input. A line is a message, or the answer to a question.
async fn talk(
    chats: &Conversations,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), Box<dyn Error>> {
    loop {
        let page = match chats.get(CHAT).await {
            Err(ChatError::Unknown { .. }) => None, // before the first message
            page => Some(page?),
        };
        let waiting = page.as_ref().and_then(|page| page.pending.first());
        let is_cut_off = page.as_ref().is_some_and(is_cut_off);
        write!(output, "{}", prompt(waiting, is_cut_off))?;
        output.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let turn = match (waiting, line.trim()) {
            (None, "") if is_cut_off => chats.resume(CHAT).await?,
            (None, "") => continue,
            (None, message) => chats.start(CHAT, message).await?,
            (Some(call), answer) => match verdict(answer) {
                Some(verdict) => chats.decide(CHAT, &call.id, verdict).await?,
                None => continue,
            },
        };
        let mut events = turn.events();
        while let Some(event) = events.next().await {
            write!(output, "{}", shown(event.event))?;
            output.flush()?;
        }
    }
}

/// Returns whether the last turn has not reached its end, for example because the program was stopped.
fn is_cut_off(page: &ConversationPage) -> bool {
    page.info.status == ConversationStatus::Interrupted
}

fn prompt(waiting: Option<&PendingCall>, is_cut_off: bool) -> String {
    match waiting {
        Some(PendingCall { request, .. }) => {
            let (tool, arguments) = (&request.tool.name, &request.arguments);
            format!("May it call {tool}{arguments}? yes/no > ")
        }
        None if is_cut_off => "The last turn was cut off; Enter continues it.\n> ".into(),
        None => "> ".into(),
    }
}

fn verdict(answer: &str) -> Option<Verdict> {
    match answer {
        "yes" | "y" => Some(Verdict::Approve),
        "no" | "n" => Some(Verdict::Deny("the person said no".into())),
        _ => None,
    }
}

/// Returns the text of an event for the person. A call is a paragraph of its own.
fn shown(event: Result<Event, Arc<ChatError>>) -> String {
    match event {
        Ok(Event::Text(text)) => text,
        Ok(Event::Called(call)) => match call.result {
            Ok(result) => format!("\n  {}{} -> {}\n", call.name, call.arguments, result.text()),
            Err(error) => format!("\n  {error}\n"),
        },
        Ok(Event::Retry(retry)) => format!("\n  {}; asking again\n", retry.error),
        Ok(Event::Done(turn)) => match turn.stop {
            Stop::Answered => "\n".into(),
            Stop::Approval => String::new(),
            stop => format!("\n  the turn has ended early: {stop:?}\n"),
        },
        Ok(_) => String::new(),
        Err(error) => format!("\n  the turn has failed: {error}\n"),
    }
}
