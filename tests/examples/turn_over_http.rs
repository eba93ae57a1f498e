//! One turn of a chat with a model behind HTTP, printed event by event. For tests/clients/mock_servers.py.
//!
//! ```text
//! turn_over_http FORMAT BASE_URL [OPTION…] QUESTION
//! ```
//!
//! `FORMAT` is `chat`, `responses` or `anthropic`. The option `--whole` asks for a completion at once, `--idle SECONDS` is the time that
//! the server may send nothing, and `--attempts NUMBER` is that of the attempts for one request.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::chat::{
    Anthropic, Chat, ChatBuilder, Event, OpenAi, OpenAiResponses, RequestOptions, Retries,
};
use skill_agent::children::Backoff;
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use std::error::Error;
use std::time::Duration;

/// Notes of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(AddNote))]
pub struct Notes {
    lines: Vec<String>,
}

/// Keep a note, and say how many there are.
#[action]
pub fn add_note(notes: &mut Notes, text: String) -> usize {
    notes.lines.push(text);
    notes.lines.len()
}

agent! {
    pub struct Assistant {
        name: "assistant",
        skills: [Notes],
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("an argument is missing");
    let (format, url) = (next()?, next()?);
    let (mut whole, mut idle, mut attempts) = (false, 20.0, 3);
    let question = loop {
        match next()?.as_str() {
            "--whole" => whole = true,
            "--idle" => idle = next()?.parse()?,
            "--attempts" => attempts = next()?.parse()?,
            question => break question.to_owned(),
        }
    };
    let server = AgentServer::builder(Assistant::new()).start().await?;
    let tools = Toolbox::of(&server);
    let (key, model, idle) = ("sk-test", "test", Duration::from_secs_f64(idle));
    let builder = match format.as_str() {
        "chat" => Chat::builder(OpenAi::new(key, model).base_url(url).idle_time(idle), tools),
        "responses" => Chat::builder(
            OpenAiResponses::new(key, model)
                .base_url(url)
                .idle_time(idle),
            tools,
        ),
        "anthropic" => Chat::builder(
            Anthropic::new(key, model).base_url(url).idle_time(idle),
            tools,
        ),
        other => return Err(format!("there is no format `{other}`").into()),
    };
    turn(builder, whole, attempts, &question).await
}

async fn turn(
    builder: ChatBuilder,
    whole: bool,
    attempts: u32,
    question: &str,
) -> Result<(), Box<dyn Error>> {
    let wait = Duration::from_millis(200);
    let retries = Retries::default()
        .attempts(attempts)
        .backoff(Backoff::new(wait, 2, 4 * wait));
    let mut options = RequestOptions::new();
    if whole {
        options = options.extra("stream", false);
    }
    let mut chat = builder.retries(retries).options(options).build()?;
    let mut events = chat.stream(question);
    let mut shown = String::new();
    while let Some(event) = events.next().await {
        match event {
            Ok(Event::Text(text)) => shown.push_str(&text),
            Ok(Event::Reasoning(text)) => println!("reasoning {text}"),
            Ok(Event::Called(called)) => match called.result {
                Ok(output) => println!(
                    "called {} {} -> {}",
                    called.name,
                    called.arguments,
                    output.text()
                ),
                Err(error) => println!("failed {} {} -> {error}", called.name, called.arguments),
            },
            Ok(Event::Retry(retry)) => {
                println!(
                    "retry {} discard {}: {}",
                    retry.attempt, retry.discard, retry.error
                );
                shown.clear();
            }
            Ok(Event::StepEnd(step)) => {
                println!("step {} tokens {}", step.step, step.usage.total());
                if !shown.is_empty() {
                    println!("text {}", std::mem::take(&mut shown));
                }
            }
            Ok(Event::Done(turn)) => println!("stop {:?}", turn.stop),
            Ok(_) => {}
            Err(error) => println!("error {error}"),
        }
    }
    Ok(())
}
