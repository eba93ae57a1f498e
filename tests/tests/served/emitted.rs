//! Emitted signals: subscribers, the signal sink, and loopback.

use crate::recorded_traces::Traces;
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

#[timed_test::test]
async fn subscribers_get_emitted_signals_but_not_received_ones() {
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    let mut all = server.subscribe("**").unwrap();
    server
        .request(Signal::new("bell.ring", ring_data("one")))
        .await
        .unwrap();
    let emitted = all.next().await.unwrap();
    assert_eq!((emitted.ty(), emitted.data()), ("bell.rung", &json!("one")));
    assert!(all.try_next().is_none());
}

#[timed_test::test]
async fn an_emitted_signal_has_an_id_the_agent_as_source_and_the_time_of_the_clock() {
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
    // The signal type starts with the name of the instance.
    assert_eq!((first.ty(), second.ty()), ("chime.rung", "bell.rung"));
    assert_eq!(first.source(), Some("/tower/north"));
    assert_eq!(first.time(), Some(clock.now()));
    assert!(first.id().is_some() && first.id() != second.id());
}

#[timed_test::test]
async fn an_emitted_signal_returns_to_the_agent_only_with_loopback() {
    let echo = || Signal::new("bell.echo", json!({ "left": 2 }));
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    server.request(echo()).await.unwrap();
    assert_eq!(rung(&server).await, ["2"]);

    let looped = AgentServer::builder(Tower::new()).loopback("bell.*");
    let server = looped.start().await.unwrap();
    server.request(echo()).await.unwrap();
    assert_eq!(rung(&server).await, ["2", "1", "0"]);
}

#[timed_test::test]
async fn a_signal_that_nothing_receives_although_a_route_has_its_type_is_one_warning() {
    let traces = Traces::record();
    let echo = || Signal::new("bell.echo", json!({ "left": 1 }));
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    server.request(echo()).await.unwrap();
    server.request(echo()).await.unwrap();
    let name = "one".to_owned();
    server.call(Ring { name }).await.unwrap(); // emits `bell.rung`, which has no route
    let warnings = traces.take_warnings("ty");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let expected = "nothing receives an emitted signal that has a route in this agent; deliver it with \
                    `AgentServer::builder(...).loopback(\"bell.echo\")`, or queue the action itself with `cx.run(...)`";
    assert!(warnings[0].contains(expected), "{warnings:?}");

    // a program that delivers or forwards it
    let builder = AgentServer::builder(Tower::new()).loopback("bell.*");
    builder
        .start()
        .await
        .unwrap()
        .request(echo())
        .await
        .unwrap();
    let (builder, _bell) = subscribed(AgentServer::builder(Tower::new()), "bell.*");
    builder
        .start()
        .await
        .unwrap()
        .request(echo())
        .await
        .unwrap();
    let (sender, _published) = mpsc::unbounded_channel();
    let builder = AgentServer::builder(Tower::new()).signal_sink(ChannelSink(sender));
    builder
        .start()
        .await
        .unwrap()
        .request(echo())
        .await
        .unwrap();
    assert_eq!(traces.take_warnings("ty"), [""; 0]);
}

#[timed_test::test]
async fn the_longest_allowed_chain_of_runs_is_executed_completely() {
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    server.call(Repeat { left: MAX_HOPS }).await.unwrap();
    assert_eq!(rung(&server).await.len(), MAX_HOPS as usize + 1);
    assert_eq!(server.stats().failed, 0);
}

#[timed_test::test]
async fn the_run_that_exceeds_the_longest_chain_is_undone_and_reported() {
    let builder = AgentServer::builder(Tower::new()).error_policy(ErrorPolicy::Emit);
    let server = builder.start().await.unwrap();
    let mut repeated = server.subscribe("bell.repeated").unwrap();
    let mut errors = server.subscribe("agent.error").unwrap();
    server.call(Repeat { left: MAX_HOPS + 1 }).await.unwrap();
    let error = errors.next().await.unwrap();
    let message = error.data()["message"].as_str().unwrap();
    assert!(message.contains("more than 32 commands"), "{message}");
    assert_eq!(rung(&server).await.len(), MAX_HOPS as usize);
    assert_eq!(heard(&mut repeated).len(), MAX_HOPS as usize);
}

#[timed_test::test]
async fn a_chain_of_looped_back_signals_ends_at_the_limit() {
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

/// Sends everything to the test.
struct ChannelSink(mpsc::UnboundedSender<OutboundSignal>);

impl SignalSink for ChannelSink {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        self.0.send(outbound).unwrap();
        Box::pin(async { Ok(()) })
    }
}

#[timed_test::test]
async fn a_signal_sink_gets_emitted_signals_and_addressed_replies_in_order() {
    let (sender, mut published) = mpsc::unbounded_channel();
    let builder = AgentServer::builder(Tower::new()).signal_sink(ChannelSink(sender));
    let server = builder.start().await.unwrap();
    server
        .call(Ring {
            name: "one".to_owned(),
        })
        .await
        .unwrap();
    let request = signal("bell.reply")
        .with_extension("replyto", "inbox.7")
        .unwrap();
    assert_eq!(server.request(request).await.unwrap(), "bell");
    // Without a reply address, the reply is only the response.
    server.request(signal("bell.reply")).await.unwrap();
    server.stop().await.unwrap();
    let mut all = Vec::new();
    while let Some(outbound) = published.recv().await {
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
        ("inbox.7", "bell.name", &json!("bell"))
    );
}

/// Fails or panics the first time it gets a signal with that name.
#[derive(Default)]
struct FlakySink {
    published: Mutex<Vec<Value>>,
}

impl SignalSink for FlakySink {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        let OutboundSignal::Emitted(signal) = outbound else {
            panic!("the agent sends no replies")
        };
        Box::pin(async move {
            let name = signal.data().clone();
            let is_new = {
                let mut published = self.published.lock().unwrap();
                let is_new = !published.contains(&name);
                published.push(name.clone());
                is_new
            };
            match name.as_str() {
                Some("panic") if is_new => panic!("the sink panicked"),
                Some("fail") if is_new => Err(HookError::new("the sink failed")),
                _ => Ok(()),
            }
        })
    }
}

#[timed_test::test]
async fn a_signal_sink_that_fails_or_panics_gets_the_signal_again() {
    let sink = Arc::new(FlakySink::default());
    let builder = AgentServer::builder(Tower::new())
        .signal_sink(sink.clone())
        .error_policy(ErrorPolicy::Emit);
    let (builder, mut errors) = subscribed(builder, "agent.error");
    let server = builder.start().await.unwrap();
    for name in ["panic", "fail", "fine"] {
        let name = name.to_owned();
        server.call(Ring { name }).await.unwrap();
    }
    for reason in ["the sink panicked", "the sink failed"] {
        let error = errors.next().await.unwrap();
        let message = error.data()["message"].as_str().unwrap();
        assert!(message.contains(reason), "{message}");
    }
    server.stop().await.unwrap();
    let published = sink.published.lock().unwrap();
    let names = published.iter().filter_map(Value::as_str);
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["panic", "panic", "fail", "fail", "fine"]);
}

/// Never finishes publishing.
struct StuckSink(mpsc::UnboundedSender<()>);

impl SignalSink for StuckSink {
    fn publish(&self, _: OutboundSignal) -> PublishFuture<'_> {
        let _ = self.0.send(());
        Box::pin(std::future::pending())
    }
}

#[timed_test::test]
async fn a_stop_waits_for_a_stuck_signal_sink_at_most_for_the_grace_time() {
    let clock = ManualClock::new();
    let (calls, mut published) = mpsc::unbounded_channel();
    let builder = AgentServer::builder(Tower::new())
        .clock(clock.clone())
        .signal_sink(StuckSink(calls));
    let server = builder.start().await.unwrap();
    // Emits more signals than the sink has room for, which makes the agent wait.
    for _ in 0..SIGNAL_SINK_CAPACITY {
        let name = "on".to_owned();
        server.call(Ring { name }).await.unwrap();
    }
    for _ in 0..8 {
        server
            .try_send(Signal::new("bell.ring", ring_data("on")))
            .unwrap();
    }
    published.recv().await.unwrap();
    let stopping = tokio::spawn(async move { server.stop().await });
    clock.wait_for_sleepers(1).await;
    clock.advance(Duration::from_secs(60));
    let report = stopping.await.unwrap().unwrap();
    assert_eq!(report.dropped, SIGNAL_SINK_CAPACITY + 8);
    assert!(
        published.recv().await.is_none(),
        "the signal sink is still alive"
    );
}
