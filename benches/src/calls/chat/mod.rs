//! The loop of a chat, compared with a rig agent: requests, calls and results, with models that answer from a script.

mod script;

use crate::allocations;
use crate::callers::processor_time;
use crate::measure::{Sample, in_turn};
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use crate::tools::ours;
use rig::agent::{Agent, MultiTurnStreamItem};
use rig::completion::message::Message as RigMessage;
use script::{Released, agent, chat, history, rig_history, script, streamed_turns, whole_turns};
use skill_agent::AgentServer;
use skill_agent::chat::{Chat, Event, Stream};
use skill_agent::prelude::Agent as _;
use std::future::poll_fn;
use std::pin::Pin;
use tokio::runtime::Runtime;

/// The cases of a group, each with that which it is compared to.
const CASES: [(&str, Option<usize>); 5] = [
    ("rig", None),
    ("rig, streamed", None),
    ("skill-agent", Some(0)),
    ("skill-agent, streamed", Some(1)),
    ("skill-agent, requests not kept", Some(0)),
];

/// The requests of a turn: all but the last are answered with a call.
const STEPS: usize = 16;

/// The turns of one round, each of a conversation of its own.
const TURNS: usize = 8;

const SYSTEM: &str = "You calculate with the tools that you have.";
const QUESTION: &str = "Calculate all of it again, and say what you think of it.";
const ANSWER: &str = "All of it is calculated, and the numbers are as they were.";

pub fn run(options: &Options, report: &mut Report) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime of one thread starts");
    let mut figures = Vec::new();
    for length in [50, 500] {
        figures.extend(group(options, &runtime, length));
    }
    report.section(
        "A step of a chat",
        "The time of a turn of 16 steps, divided by the steps: 15 requests that a scripted model answers with one call of a tool among \
         32, and one that it answers with text, after a history of 50 or 500 messages. skill-agent: `Chat` and `Scripted` on a server. \
         rig: an agent and its `MockCompletionModel`. Both on a runtime with one thread, with tools that only calculate, and new for each \
         turn; making them is not measured. Processor time, which other load affects less. `Scripted` keeps its requests, so the next \
         step has to copy their messages; a model behind a network does not keep them.",
        &figures,
    );
}

fn group(options: &Options, runtime: &Runtime, length: usize) -> Vec<Figure> {
    let server = runtime
        .block_on(AgentServer::builder(ours::Worker::new()).start())
        .expect("the server starts");
    let (history, rigs) = (history(length), rig_history(length));
    let run = |case: usize| -> (f64, u64) {
        let (mut time, mut allocated) = (0.0, 0);
        for _ in 0..TURNS {
            let mut turn = match case {
                0 => Prepared::Rig(agent(whole_turns()), rigs.clone()),
                1 => Prepared::RigStream(agent(streamed_turns()), rigs.clone()),
                2 => Prepared::Chat(chat(script(), &server, history.clone())),
                3 => Prepared::ChatStream(chat(script(), &server, history.clone())),
                _ => Prepared::Chat(chat(Released(script()), &server, history.clone())),
            };
            let before = processor_time();
            allocated += allocations::count_during(|| runtime.block_on(turn.run()));
            time += processor_time() - before;
        }
        (
            time / (TURNS * STEPS) as f64,
            allocated / (TURNS * STEPS) as u64,
        )
    };
    let allocated: Vec<_> = (0..CASES.len()).map(|case| run(case).1).collect();
    let rounds = in_turn(options.rounds(101), CASES.len(), |case| run(case).0);
    let samples: Vec<_> = CASES
        .iter()
        .zip(rounds)
        .zip(allocated)
        .map(|(((name, _), rounds), allocated)| Sample {
            allocations: Some(allocated as f64),
            ..Sample::new(*name, rounds)
        })
        .collect();
    let figure = |(sample, (name, reference)): (&Sample, &(&str, Option<usize>))| {
        let figure = Figure::of(format!("step, history of {length}: {name}"), sample, "ns");
        match reference {
            Some(at) => figure
                .compared_to(sample, &samples[*at])
                .goal(Goal::RatioAtMost(1.0)),
            None => figure,
        }
    };
    samples.iter().zip(&CASES).map(figure).collect()
}

/// A turn that is ready to run.
enum Prepared {
    Chat(Chat),
    ChatStream(Chat),
    Rig(Agent, Vec<RigMessage>),
    RigStream(Agent, Vec<RigMessage>),
}

impl Prepared {
    async fn run(&mut self) {
        match self {
            Self::Chat(chat) => {
                let turn = chat.send(QUESTION).await.expect("the turn ends");
                assert_eq!(turn.text(), ANSWER);
            }
            Self::ChatStream(chat) => {
                let (mut stream, mut end) = (chat.stream(QUESTION), None);
                while let Some(event) = stream.next().await {
                    if let Event::Done(turn) = event.expect("the turn goes on") {
                        end = Some(turn);
                    }
                }
                assert_eq!(end.expect("the turn ends").text(), ANSWER);
            }
            Self::Rig(agent, history) => {
                let run = agent.prompt(QUESTION).history(std::mem::take(history));
                let response = run.max_turns(STEPS).await.expect("the turn ends");
                assert_eq!(response.output(), ANSWER);
                history.extend_from_slice(response.messages());
            }
            Self::RigStream(agent, history) => {
                let run = agent.prompt(QUESTION).history(std::mem::take(history));
                let (mut stream, mut end) = (run.max_turns(STEPS).stream(), None);
                while let Some(item) = next(&mut stream).await {
                    if let MultiTurnStreamItem::FinalResponse(response) =
                        item.expect("the turn goes on")
                    {
                        end = Some(response);
                    }
                }
                assert_eq!(end.expect("the turn ends").output(), ANSWER);
            }
        }
    }
}

async fn next<S: Stream + Unpin>(stream: &mut S) -> Option<S::Item> {
    poll_fn(|cx| Pin::new(&mut *stream).poll_next(cx)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::COUNT;
    use rig::completion::message::{ToolResultContent, UserContent};
    use skill_agent::chat::Message;

    /// The number of messages in each request, and the results that the last request has.
    type Seen = (Vec<usize>, Vec<String>);

    fn ours() -> Seen {
        let model = script();
        let kept = model.clone();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let server = AgentServer::builder(ours::Worker::new());
            let server = server.start().await.unwrap();
            let chat = chat(model, &server, history(50));
            Prepared::Chat(chat).run().await;
        });
        let requests = kept.requests();
        assert!(requests.iter().all(|request| request.tools.len() == COUNT));
        let last = &requests.last().unwrap().messages[51..];
        let results = last.iter().flat_map(Message::results);
        (
            requests.iter().map(|seen| seen.messages.len()).collect(),
            results.map(|result| result.text().into_owned()).collect(),
        )
    }

    fn rigs() -> Seen {
        let model = whole_turns();
        let kept = model.clone();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(Prepared::Rig(agent(model), rig_history(50)).run());
        let requests = kept.requests();
        assert!(requests.iter().all(|request| request.tools.len() == COUNT));
        let is_said = |message: &&RigMessage| !matches!(message, RigMessage::System { .. });
        let said = |request: &rig::completion::CompletionRequest| {
            let said = request.chat_history.iter().filter(is_said);
            said.cloned().collect::<Vec<_>>()
        };
        let texts = said(requests.last().unwrap());
        let results = texts[51..].iter().filter_map(|message| match message {
            RigMessage::User { content } => match &content[0] {
                UserContent::ToolResult(result) => match &result.content[0] {
                    // ours is JSON
                    ToolResultContent::Text(text) => serde_json::to_string(&text.text).ok(),
                    ToolResultContent::Json { value } => Some(value.to_string()),
                    ToolResultContent::Image(_) => None,
                },
                _ => None,
            },
            _ => None,
        });
        (
            requests.iter().map(|seen| said(seen).len()).collect(),
            results.collect(),
        )
    }

    #[test]
    fn both_send_the_same_messages_and_get_the_same_results() {
        let (ours, rigs) = (ours(), rigs());
        assert_eq!(
            ours.0,
            (0..STEPS).map(|step| 51 + 2 * step).collect::<Vec<_>>()
        );
        assert_eq!(ours.0, rigs.0);
        assert_eq!(ours.1, rigs.1);
    }
}
