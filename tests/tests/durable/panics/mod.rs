//! Panics in every piece of user code, under every kind of call, with and without a store.

mod fuse_agent;

use super::{kill, start};
use fuse_agent::*;
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::{Applied, StartError, StopReason};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

listed_enum! {
    /// A use of a server.
    enum Use {
        Call,
        CallWithKey,
        CallWithUsedKey,
        CallJson,
        Request,
        RequestWithId,
        Send,
        Fail,
        FailJson,
        FailRequest,
        FailSend,
        Later,
        LaterWithKey,
        LaterJson,
        LaterRequest,
        Chain,
        Plan,
        Tell,
        Prepare,
        Heard,
        Set,
        Mount,
        Unmount,
        MountedCall,
        Agent,
        DroppedCall,
        DroppedFail,
        DroppedLater,
        Stop,
    }
}

/// The result of a use, with its error as text; `None` if no caller waits for it.
type Seen = Option<Result<(), String>>;

fn seen<T, E: Debug>(result: Result<T, E>) -> Seen {
    // The value is dropped on the caller's side, whose panics are its own.
    let text = result.as_ref().err().map(|error| format!("{error:?}"));
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(result)));
    Some(text.map_or(Ok(()), Err))
}

/// Polls a future once and drops it.
async fn poll_once<F: Future>(future: F) -> Seen {
    let mut future = pin!(future);
    poll_fn(|cx| {
        let _ = future.as_mut().poll(cx);
        Poll::Ready(())
    })
    .await;
    None
}

fn by() -> InArguments {
    InArguments(1)
}

fn signal(ty: &'static str) -> Signal {
    Signal::new(ty, json!({ "by": 1 }))
}

fn signal_with_id() -> Signal {
    let text = json!({
        "specversion": "1.0", "type": "bomb.tick", "id": "1", "source": "/outside", "data": { "by": 1 },
    });
    serde_json::from_value(text).unwrap()
}

/// Prepares a server for a use.
async fn set_up(used: Use, server: &AgentServer<FuseAgent>) {
    match used {
        Use::CallWithUsedKey => {
            server.call_with_key("k", Tick { by: by() }).await.unwrap();
        }
        Use::Unmount | Use::MountedCall => server.mount("charge", json!({})).await.unwrap(),
        _ => {}
    }
}

async fn act(used: Use, server: &AgentServer<FuseAgent>) -> Seen {
    let arguments = r#"{"by":1}"#;
    match used {
        Use::Call => seen(server.call(Tick { by: by() }).await),
        Use::CallWithKey | Use::CallWithUsedKey => {
            seen(server.call_with_key("k", Tick { by: by() }).await)
        }
        Use::CallJson => seen(server.call_json("tick", arguments).await),
        Use::Request => seen(server.request(signal("bomb.tick")).await),
        Use::RequestWithId => seen(server.request(signal_with_id()).await),
        Use::Send => {
            server.send(signal("bomb.tick")).await.unwrap();
            None
        }
        Use::Fail => seen(server.call(Fail { by: by() }).await),
        Use::FailJson => seen(server.call_json("fail", arguments).await),
        Use::FailRequest => seen(server.request(signal("bomb.fail")).await),
        Use::FailSend => {
            server.send(signal("bomb.fail")).await.unwrap();
            None
        }
        Use::Later => seen(server.call(Later { by: by() }).await),
        Use::LaterWithKey => seen(server.call_with_key("k", Later { by: by() }).await),
        Use::LaterJson => seen(server.call_json("later", arguments).await),
        Use::LaterRequest => seen(server.request(signal("bomb.later")).await),
        Use::Chain => seen(server.call(Chain {}).await),
        Use::Plan => seen(server.call(Plan {}).await),
        Use::Tell => seen(server.call(Tell {}).await),
        Use::Prepare => seen(server.call(Prepare {}).await),
        Use::Heard => seen(server.request(signal("bomb.heard")).await),
        Use::Set => seen(server.set(json!({ "bomb": { "count": 1 } })).await),
        Use::Mount => seen(server.mount("charge", json!({})).await),
        Use::Unmount => seen(server.unmount("charge").await),
        Use::MountedCall => seen(server.call_json("load", "{}").await),
        Use::Agent => seen(server.agent().await),
        Use::DroppedCall => poll_once(server.call(Tick { by: by() })).await,
        Use::DroppedFail => poll_once(server.call(Fail { by: by() })).await,
        Use::DroppedLater => poll_once(server.call(Later { by: by() })).await,
        Use::Stop => None,
    }
}

/// By how much a use that succeeded changes the count.
fn growth(used: Use) -> u32 {
    match used {
        Use::Call
        | Use::CallWithKey
        | Use::CallJson
        | Use::Request
        | Use::RequestWithId
        | Use::Later
        | Use::LaterWithKey
        | Use::LaterJson
        | Use::LaterRequest
        | Use::Prepare
        | Use::Heard
        | Use::Set => 1,
        _ => 0,
    }
}

/// Whether a use may change the count after its response, or without one.
fn may_change_later(used: Use) -> bool {
    matches!(
        used,
        Use::Send | Use::Chain | Use::Plan | Use::DroppedCall | Use::DroppedLater
    )
}

/// The count when the server has nothing more to do.
async fn settled(server: &AgentServer<FuseAgent>) -> Result<u32, String> {
    let mut total = 0;
    for _ in 0..20 {
        tokio::task::yield_now().await;
        let called = server.call(Total {}).await;
        total = called.map_err(|error| format!("afterwards: {error:?}"))?;
    }
    Ok(total)
}

/// Runs a case. Returns whether the armed code ran, or a description of the failure.
async fn run_case(point: Point, used: Use, store: Option<&Memory>) -> Result<bool, String> {
    let server = start(fuse_server(store)).await;
    set_up(used, &server).await;
    let before = settled(&server).await?;
    arm(point);
    let seen = act(used, &server).await;
    if let Use::Stop = used {
        let stopped = server.stop().await;
        return stopped
            .map(|_| disarm())
            .map_err(|reason| super::chain(&reason));
    }
    let after = settled(&server).await;
    let has_panicked = disarm();
    let Ok(after) = after else {
        return Err(format!(
            "{after:?}: {}",
            super::chain(&server.closed().await)
        ));
    };

    if matches!(&seen, Some(Err(error)) if error == "Stopped") {
        return Err("the caller sees that the server has stopped".to_owned());
    }
    let least = match &seen {
        Some(Ok(())) => before + growth(used),
        _ => before,
    };
    let most = least + u32::from(may_change_later(used));
    if !(least..=most).contains(&after) {
        return Err(format!(
            "the count grew from {before} to {after} ({seen:?})"
        ));
    }
    let fails = matches!(used, Use::Fail | Use::FailJson | Use::FailRequest);
    if !has_panicked && !fails && matches!(seen, Some(Err(_))) {
        return Err(format!("without a panic: {seen:?}"));
    }
    let Some(store) = store else {
        return Ok(has_panicked);
    };
    kill(server).await;
    let server = start(fuse_server(Some(store))).await;
    // A directive that could not be executed is executed by the next server.
    let recovered = settled(&server).await?;
    if (after..=most).contains(&recovered) {
        Ok(has_panicked)
    } else {
        Err(format!("{after} before a restart and {recovered} after it"))
    }
}

#[timed_test::test]
async fn no_panic_ends_a_server_or_hides_a_change() {
    let (mut ran, mut count, mut wrong) = (BTreeSet::new(), 0, Vec::new());
    for &point in Point::ALL {
        for &used in Use::ALL {
            for is_durable in [false, true] {
                let memory = Memory::default();
                match run_case(point, used, is_durable.then_some(&memory)).await {
                    Ok(true) => {
                        ran.insert(point);
                        count += 1;
                    }
                    Ok(false) => {}
                    Err(error) => wrong.push(format!("{point:?} {used:?} {is_durable}: {error}")),
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cases:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(ran, Point::ALL.iter().copied().collect());
    println!("{count} panics");
    assert!(count >= 100, "{count}");
}

#[timed_test::test]
async fn a_panic_while_a_state_is_restored_is_a_start_error() {
    let memory = Memory::default();
    let server = start(fuse_server(Some(&memory))).await;
    server.call(Tick { by: by() }).await.unwrap();
    kill(server).await;
    arm(Point::StateDeserialize);
    let error = fuse_server(Some(&memory)).start().await.unwrap_err();
    assert!(disarm());
    assert!(matches!(error, StartError::Panicked { .. }), "{error:?}");
    let server = start(fuse_server(Some(&memory))).await;
    assert_eq!(server.call(Total {}).await.unwrap(), 1);
}

#[timed_test::test]
async fn a_clock_that_panics_while_a_server_starts_is_replaced() {
    arm(Point::ClockNow);
    let server = start(fuse_server(Some(&Memory::default()))).await;
    assert!(disarm());
    server.call(Tick { by: by() }).await.unwrap();
    assert_eq!(server.call(Total {}).await.unwrap(), 1);
}

#[timed_test::test]
async fn a_store_that_panics_stops_the_server_as_one_that_fails() {
    let store = FaultyStore::new(Memory::default());
    let server = start(fuse_server(Some(&store))).await;
    store.on_commit(0, Fault::Panic);
    let error = server.call(Tick { by: by() }).await.unwrap_err();
    assert_eq!(error.applied(), Applied::Unknown);
    let reason = server.closed().await;
    assert!(matches!(reason, StopReason::Store(_)), "{reason:?}");
    assert!(
        super::chain(&reason).contains("the log panicked"),
        "{reason:?}"
    );
}
