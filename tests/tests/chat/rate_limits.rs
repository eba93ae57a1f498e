//! Requests that wait for a rate limit, on a clock that the tests advance.

use crate::support::*;
use skill_agent::chat::{OwnedTurnStream, RateLimit, Scripted, Stop};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, advance};

#[timed_test::test]
async fn a_rate_limit_is_shared_by_chats() {
    tokio::time::pause();
    let server = server().await;
    let limit = RateLimit::per_minute(6);
    let begin = Instant::now();
    for _ in 0..3 {
        let model = Scripted::new().text("Hello.");
        let chat = builder(&model, &server).rate_limit(limit.clone()).build();
        chat.unwrap().send("Hi.").await.unwrap();
    }
    assert_eq!(begin.elapsed().as_secs(), 20);
}

/// A turn that waits for the limit, unless a request may be sent at once.
async fn begun(limit: &RateLimit) -> OwnedTurnStream {
    let model = Scripted::new().text("Hello.");
    let chat = builder(&model, &server().await).rate_limit(limit.clone());
    let mut turn = chat.build().unwrap().into_stream("Hi.");
    read_until_it_waits(&mut turn);
    turn
}

/// A limit of a request in ten seconds, and the time at which the first one was sent.
async fn after_a_request() -> (Instant, RateLimit) {
    tokio::time::pause();
    let limit = RateLimit::per_minute(6);
    drop(begun(&limit).await);
    (Instant::now(), limit)
}

/// The second at which the turn ends.
fn end(turn: OwnedTurnStream, begin: Instant) -> JoinHandle<u64> {
    tokio::spawn(async move {
        ended(turn).await;
        begin.elapsed().as_secs()
    })
}

#[timed_test::test]
async fn a_turn_that_is_dropped_or_cancelled_while_it_waits_leaves_its_time_to_those_behind_it() {
    let (begin, limit) = after_a_request().await;
    let second = begun(&limit).await;
    let chat = builder(&Scripted::new(), &server().await).rate_limit(limit.clone());
    let chat = chat.build().unwrap();
    let canceller = chat.canceller();
    let mut third = chat.into_stream("Hi.");
    read_until_it_waits(&mut third);
    let fourth = end(begun(&limit).await, begin);
    let fifth = begun(&limit).await;
    let sixth = end(begun(&limit).await, begin);
    advance(Duration::from_secs(3)).await;
    drop(fifth);
    canceller.cancel();
    assert_eq!(ended(third).await.0.stop, Stop::Cancelled);
    drop(second);
    assert_eq!((fourth.await.unwrap(), sixth.await.unwrap()), (10, 20));
    // unsent requests do not count
    assert_eq!(end(begun(&limit).await, begin).await.unwrap(), 30);
}

#[timed_test::test]
async fn a_time_that_becomes_free_too_late_brings_no_requests_closer_together() {
    let (begin, limit) = after_a_request().await;
    let unread = begun(&limit).await;
    let (third, fourth) = (begun(&limit).await, begun(&limit).await);
    advance(Duration::from_secs(14)).await; // the second could have been sent for four seconds
    drop(unread);
    let (third, fourth) = (end(third, begin), end(fourth, begin));
    assert_eq!((third.await.unwrap(), fourth.await.unwrap()), (14, 24));
}

#[timed_test::test]
async fn a_turn_that_is_not_read_keeps_no_other_from_its_time() {
    let (begin, limit) = after_a_request().await;
    let unread = begun(&limit).await;
    let third = end(begun(&limit).await, begin);
    assert_eq!(third.await.unwrap(), 20);
    // it is late, and still not closer to the others
    let fourth = end(begun(&limit).await, begin);
    let times = [end(unread, begin).await.unwrap(), fourth.await.unwrap()];
    assert!(times == [30, 40] || times == [40, 30], "{times:?}");
    assert_eq!(end(begun(&limit).await, begin).await.unwrap(), 50);
}
