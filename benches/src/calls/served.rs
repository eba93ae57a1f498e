//! Calls to a server, compared with a minimal task that answers messages.

use super::typed::{BenchAgent, Step};
use crate::callers::{Round, round};
use crate::measure::Sample;
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use skill_agent::AgentServer;
use skill_agent::prelude::Agent;
use tokio::sync::{mpsc, oneshot};

const CALLS: usize = 64_000;

/// A message of the minimal task: the numbers to add, and a channel for the answer.
type Message = ((u64, u64), oneshot::Sender<u64>);

fn bare_task() -> mpsc::Sender<Message> {
    let (mailbox, mut messages) = mpsc::channel::<Message>(1024);
    tokio::spawn(async move {
        let mut count = 0u64;
        while let Some(((by, times), answer)) = messages.recv().await {
            count = count.wrapping_add(by.wrapping_mul(times));
            let _ = answer.send(count);
        }
    });
    mailbox
}

async fn ask_bare(mailbox: mpsc::Sender<Message>, calls: usize) -> bool {
    for _ in 0..calls {
        let (answer, answered) = oneshot::channel();
        if mailbox.send(((1, 1), answer)).await.is_err() || answered.await.is_err() {
            return false;
        }
    }
    true
}

async fn ask_served(server: AgentServer<BenchAgent>, calls: usize) -> bool {
    for _ in 0..calls {
        if server.call(Step { by: 1, times: 1 }).await.is_err() {
            return false;
        }
    }
    true
}

async fn compared(rounds: usize, callers: usize) -> [Vec<Round>; 2] {
    let mailbox = bare_task();
    let server = AgentServer::builder(BenchAgent::new())
        .start()
        .await
        .expect("the server starts");
    let (mut bare, mut served) = (Vec::new(), Vec::new());
    for number in 0..rounds + 2 {
        let ours = round(callers, CALLS, |calls| ask_served(server.clone(), calls)).await;
        let theirs = round(callers, CALLS, |calls| ask_bare(mailbox.clone(), calls)).await;
        // the first two rounds warm up
        if number >= 2 {
            bare.push(theirs);
            served.push(ours);
        }
    }
    server.stop().await.expect("the server stops");
    [bare, served]
}

pub fn run(options: &Options, report: &mut Report) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime starts");
    let rounds = options.rounds(31);
    let mut figures = Vec::new();
    for (callers, goal) in [(64, Some(Goal::RatioAtLeast(0.85))), (1, None)] {
        let measured = runtime.block_on(compared(rounds, callers));
        let whose = if callers == 1 {
            "1 caller".to_owned()
        } else {
            format!("{callers} callers")
        };
        let sample = |at: usize, part: fn(&Round) -> f64| {
            Sample::new(
                "mpsc + oneshot",
                measured[at].iter().map(part).collect::<Vec<_>>(),
            )
        };
        let [bare, served] = [0, 1].map(|at| sample(at, |round| round.rate));
        figures.push(Figure::of(
            format!("mpsc + oneshot, {whose}"),
            &bare,
            "calls/s",
        ));
        let figure = Figure::of(format!("server call, {whose}"), &served, "calls/s")
            .compared_to(&served, &bare);
        figures.push(Figure { goal, ..figure });
        let [bare, served] = [0, 1].map(|at| sample(at, |round| round.cpu));
        figures.push(
            Figure::of(
                format!("server call, {whose}, processor time"),
                &served,
                "ns",
            )
            .compared_to(&served, &bare),
        );
    }
    report.section(
        "A call to a server",
        "`server.call(Step { .. })` on tokio's multi-threaded runtime, compared with a task that receives from an `mpsc` and answers \
         through a `oneshot`. More calls per second are better, and `least` is the slowest round.",
        &figures,
    );
}
