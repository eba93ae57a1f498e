//! Emitted signals: subscribers, the signal sink, and loopback.

use crate::support::bell::*;
use crate::support::{heard, signal, subscribed};
use serde_json::{Value, json};
use skill_agent::clock::Clock;
use skill_agent::prelude::*;
use skill_agent::server::{
    ErrorPolicy, MAX_HOPS, OutboundSignal, PublishFuture, SIGNAL_SINK_CAPACITY, SignalSink,
};
use skill_agent::testing::ManualClock;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;

#[tokio::test]
async fn subscribers_get_emitted_signals_and_no_received_ones() {
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    let mut all = server.subscribe("**").unwrap();
    server
        .request(Signal::new("bell.ring", name("one")))
        .await
        .unwrap();
    let emitted = all.next().await.unwrap();
    assert_eq!((emitted.ty(), emitted.data()), ("bell.rung", &json!("one")));
    assert!(all.try_next().is_none());
}

#[tokio::test]
async fn an_emitted_signal_has_an_id_the_source_of_the_agent_and_the_time_of_the_clock() {
    let clock = ManualClock::new();
    let builder = AgentServer::builder(Tower::with_id("north")).clock(clock.clone());
    let (builder, mut rung) = subscribed(builder, "*.rung");
    let server = builder.start().await.unwrap();
    server
        .instance(Tower::chime)
        .call(Ring {
            name: "one".to_owned(),
        })
        .await
        .unwrap();
    server
        .call(Ring {
            name: "two".to_owned(),
        })
        .await
        .unwrap();
    let (first, second) = (rung.next().await.unwrap(), rung.next().await.unwrap());
    // the name of the skill in it is that of the instance
    assert_eq!((first.ty(), second.ty()), ("chime.rung", "bell.rung"));
    assert_eq!(first.source(), Some("/tower/north"));
    assert_eq!(first.time(), Some(clock.now()));
    assert!(first.id().is_some() && first.id() != second.id());
}

#[tokio::test]
async fn an_emitted_signal_comes_back_only_where_the_builder_says_so() {
    let echo = || Signal::new("bell.echo", json!({ "left": 2 }));
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    server.request(echo()).await.unwrap();
    assert_eq!(rung(&server).await, ["2"]);

    let looped = AgentServer::builder(Tower::new()).loopback("bell.*");
    let server = looped.start().await.unwrap();
    server.request(echo()).await.unwrap();
    assert_eq!(rung(&server).await, ["2", "1", "0"]);
}

#[tokio::test]
async fn a_chain_of_runs_of_the_longest_length_is_kept_whole() {
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    server.call(Repeat { left: MAX_HOPS }).await.unwrap();
    assert_eq!(rung(&server).await.len(), MAX_HOPS as usize + 1);
    assert_eq!(server.stats().failed, 0);
}

#[tokio::test]
async fn a_longer_chain_of_runs_is_cut_nothing_of_the_last_is_kept_and_it_is_reported() {
    let builder = AgentServer::builder(Tower::new()).error_policy(ErrorPolicy::Emit);
    let server = builder.start().await.unwrap();
    let mut repeated = server.subscribe("bell.repeated").unwrap();
    let mut errors = server.subscribe("agent.error").unwrap();
    server.call(Repeat { left: MAX_HOPS + 1 }).await.unwrap();
    let error = errors.next().await.unwrap();
    let says = error.data()["message"].as_str().unwrap();
    assert!(says.contains("more than 32 commands"), "{says}");
    assert_eq!(rung(&server).await.len(), MAX_HOPS as usize);
    assert_eq!(heard(&mut repeated).len(), MAX_HOPS as usize);
}

#[tokio::test]
async fn a_chain_of_looped_back_signals_is_cut_at_the_limit() {
    let builder = AgentServer::builder(Tower::new()).error_policy(ErrorPolicy::Emit);
    let server = builder.loopback("bell.*").start().await.unwrap();
    let mut errors = server.subscribe("agent.error").unwrap();
    let echo = |left| Signal::new("bell.echo", json!({ "left": left }));
    server.request(echo(MAX_HOPS)).await.unwrap();
    assert_eq!(rung(&server).await.len(), MAX_HOPS as usize + 1);
    assert!(errors.try_next().is_none());
    server.request(echo(MAX_HOPS + 1)).await.unwrap();
    errors.next().await.unwrap();
    assert_eq!(rung(&server).await.len(), 2 * MAX_HOPS as usize + 1);
}

/// Gives everything to a test.
struct Post(mpsc::UnboundedSender<OutboundSignal>);

impl SignalSink for Post {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        self.0.send(outbound).unwrap();
        Box::pin(async { Ok(()) })
    }
}

#[tokio::test]
async fn a_signal_sink_gets_emitted_signals_and_addressed_replies_in_order() {
    let (post, mut posted) = mpsc::unbounded_channel();
    let builder = AgentServer::builder(Tower::new()).signal_sink(Post(post));
    let server = builder.start().await.unwrap();
    server
        .call(Ring {
            name: "one".to_owned(),
        })
        .await
        .unwrap();
    let who = signal("bell.who")
        .with_extension("replyto", "inbox.7")
        .unwrap();
    assert_eq!(server.request(who).await.unwrap(), "bell");
    // without an address the reply is the answer and nothing else
    server.request(signal("bell.who")).await.unwrap();
    server.stop().await.unwrap();
    let mut all = Vec::new();
    while let Some(outbound) = posted.recv().await {
        all.push(outbound);
    }
    let [
        OutboundSignal::Emitted(rung),
        OutboundSignal::Reply { to, signal },
    ] = &all[..]
    else {
        panic!("{all:?}")
    };
    assert_eq!((rung.ty(), rung.data()), ("bell.rung", &json!("one")));
    assert_eq!(
        (&**to, signal.ty(), signal.data()),
        ("inbox.7", "bell.me", &json!("bell"))
    );
}

/// Fails and panics the first time it is given something of that name.
#[derive(Default)]
struct Broken {
    posted: Mutex<Vec<Value>>,
}

impl SignalSink for Broken {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        let OutboundSignal::Emitted(signal) = outbound else {
            panic!("nobody replies here")
        };
        Box::pin(async move {
            let name = signal.data().clone();
            let is_new = {
                let mut posted = self.posted.lock().unwrap();
                let is_new = !posted.contains(&name);
                posted.push(name.clone());
                is_new
            };
            match name.as_str() {
                Some("panic") if is_new => panic!("the post has burnt"),
                Some("fail") if is_new => Err(HookError::new("no stamps")),
                _ => Ok(()),
            }
        })
    }
}

#[tokio::test]
async fn a_signal_sink_that_fails_or_panics_is_offered_the_signal_again() {
    let broken = Arc::new(Broken::default());
    let builder = AgentServer::builder(Tower::new())
        .signal_sink(broken.clone())
        .error_policy(ErrorPolicy::Emit);
    let (builder, mut errors) = subscribed(builder, "agent.error");
    let server = builder.start().await.unwrap();
    for name in ["panic", "fail", "fine"] {
        let name = name.to_owned();
        server.call(Ring { name }).await.unwrap();
    }
    for reason in ["the post has burnt", "no stamps"] {
        let error = errors.next().await.unwrap();
        let message = error.data()["message"].as_str().unwrap();
        assert!(message.contains(reason), "{message}");
    }
    server.stop().await.unwrap();
    let posted = broken.posted.lock().unwrap();
    let names = posted.iter().filter_map(Value::as_str);
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["panic", "panic", "fail", "fail", "fine"]);
}

/// Never done.
struct Stuck(mpsc::UnboundedSender<()>);

impl SignalSink for Stuck {
    fn publish(&self, _: OutboundSignal) -> PublishFuture<'_> {
        let _ = self.0.send(());
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_stop_waits_for_a_stuck_signal_sink_at_most_for_the_grace_time() {
    let clock = ManualClock::new();
    let (told, mut offered) = mpsc::unbounded_channel();
    let builder = AgentServer::builder(Tower::new())
        .clock(clock.clone())
        .signal_sink(Stuck(told));
    let server = builder.start().await.unwrap();
    // more signals than the sink has room for: the agent itself waits
    for _ in 0..SIGNAL_SINK_CAPACITY {
        let name = "on".to_owned();
        server.call(Ring { name }).await.unwrap();
    }
    for _ in 0..8 {
        server
            .try_send(Signal::new("bell.ring", name("on")))
            .unwrap();
    }
    offered.recv().await.unwrap();
    let stopping = tokio::spawn(async move { server.stop().await });
    clock.wait_for_sleepers(1).await;
    clock.advance(Duration::from_secs(60));
    stopping.await.unwrap().unwrap();
    assert!(
        offered.recv().await.is_none(),
        "the signal sink is still alive"
    );
}
