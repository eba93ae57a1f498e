//! Readers of a conversation's events.

use crate::support::*;
use skill_agent::chat::{
    BoxStream, ChatEvent, ChatModel, ChatRequest, Conversations, Event, ModelError, ModelEvent,
    ModelProfile, Scripted, Stream,
};
use skill_agent::models::Finish;
use skill_agent::store::Memory;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// A model that writes so many pieces, of so many bytes, and lets others run in between.
#[derive(Clone, Copy)]
struct Slow {
    pieces: usize,
    bytes: usize,
}

struct Pieces {
    model: Slow,
    written: usize,
    waits: bool,
}

impl ChatModel for Slow {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, _: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        Box::pin(Pieces {
            model: *self,
            written: 0,
            waits: true,
        })
    }
}

impl Stream for Pieces {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.waits = !self.waits;
        if !self.waits {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.written += 1;
        Poll::Ready(Some(Ok(match self.written {
            written if written <= self.model.pieces => {
                let end = format!("{written} ");
                ModelEvent::Text(format!("{}{end}", "x".repeat(self.model.bytes)))
            }
            _ => ModelEvent::Finish(Finish::Answered),
        })))
    }
}

fn shown(event: &ChatEvent) -> String {
    format!("{}: {:?}", event.number, event.event)
}

/// Reads to the end.
async fn all(mut events: skill_agent::chat::ConversationEvents) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(event) = events.next().await {
        all.push(shown(&event));
    }
    all
}

#[timed_test::test(threads = 4)]
async fn a_thousand_readers_get_the_same_and_a_stalled_one_slows_nothing_down() {
    const PIECES: usize = 500;
    let model = Slow {
        pieces: PIECES,
        bytes: 3,
    };
    let (_server, chats) = open(Memory::default(), model).await;
    let running = chats.start("ann", "Write.").await.unwrap();
    let mut stalled = chats.events("ann", None).unwrap();
    let first = shown(&stalled.next().await.unwrap());
    let gate = Arc::new(Semaphore::new(0));
    let opened = Arc::clone(&gate);
    let stalled = tokio::spawn(async move {
        let _open = opened.acquire().await.unwrap();
        let mut read = vec![first];
        read.extend(all(stalled).await);
        read
    });
    let mut readers = JoinSet::new();
    for _ in 0..1_000 {
        readers.spawn(all(chats.events("ann", None).unwrap()));
    }
    let turn = wait(&running).await;
    assert_eq!(turn.text().split_whitespace().count(), PIECES);
    let late = all(chats.events("ann", None).unwrap()).await;
    assert_eq!(late.len(), PIECES + 3); // and the message, the step and the end
    while let Some(read) = readers.join_next().await {
        assert!(read.unwrap() == late);
    }
    gate.add_permits(1);
    assert!(stalled.await.unwrap() == late);
}

#[timed_test::test(threads = 2)]
async fn a_reader_that_returns_a_hundred_times_gets_each_event_once() {
    let model = Slow {
        pieces: 400,
        bytes: 3,
    };
    let (_server, chats) = open(Memory::default(), model).await;
    let running = chats.start("ann", "Write.").await.unwrap();
    let (mut last, mut read) = (None, Vec::new());
    for _ in 0..100 {
        let mut events = chats.events("ann", last).unwrap();
        for _ in 0..4 {
            let event = events.next().await.unwrap();
            last = Some(event.number);
            read.push(shown(&event));
        }
    }
    wait(&running).await;
    read.extend(all(chats.events("ann", last).unwrap()).await);
    assert!(read == all(chats.events("ann", None).unwrap()).await);
}

#[timed_test::test]
async fn a_page_and_the_events_behind_it_are_everything() {
    let model = Slow {
        pieces: 60,
        bytes: 3,
    };
    let (_server, chats) = open(Memory::default(), model).await;
    for _ in 0..3 {
        let running = chats.start("ann", "Write.").await.unwrap();
        loop {
            let page = chats.get("ann").await.unwrap();
            let mut history = page.history;
            let mut events = chats.events("ann", page.last_event).unwrap();
            let mut text = String::new();
            while let Some(event) = events.next().await {
                match event.event.unwrap() {
                    Event::Text(piece) => text.push_str(&piece),
                    Event::StepEnd(end) => {
                        assert_eq!(texts(&end.messages), [&*text]);
                        history.extend(end.messages);
                        text.clear();
                    }
                    Event::Said(message) => history.push(message),
                    _ => {}
                }
            }
            let page = chats.get("ann").await.unwrap();
            assert_eq!(json_of(&history), json_of(&page.history));
            if page.info.status == skill_agent::chat::ConversationStatus::Idle {
                break;
            }
        }
        wait(&running).await;
    }
}

#[timed_test::test]
async fn a_reader_behind_the_bounds_learns_how_many_events_it_lost() {
    // more than the number, and more than the size
    for (pieces, bytes) in [(10_100, 1), (60, 100_000)] {
        let (_server, chats) = open(Memory::default(), Slow { pieces, bytes }).await;
        let running = chats.start("ann", "Write.").await.unwrap();
        let mut slow = chats.events("ann", None).unwrap();
        wait(&running).await;
        let gap = slow.next().await.unwrap();
        let Ok(Event::Lost { count, .. }) = gap.event else {
            panic!("{gap:?}")
        };
        let next = slow.next().await.unwrap();
        assert_eq!((gap.number + 1, next.number), (count, count));
        // a reader that leaves behind the gap returns behind it
        let mut again = chats.events("ann", gap.number).unwrap();
        assert_eq!(again.next().await.unwrap().number, next.number);
        let (mut number, mut size, mut kept) = (next.number, 0, 1);
        while let Some(event) = slow.next().await {
            number += 1;
            kept += 1;
            assert_eq!(event.number, number);
            if let Ok(Event::Text(text)) = &event.event {
                size += text.len();
            }
        }
        assert_eq!(number, pieces as u64 + 2);
        assert!(
            kept <= skill_agent::chat::KEPT_EVENTS && size <= skill_agent::chat::KEPT_EVENT_BYTES
        );
    }
}

#[timed_test::test]
async fn a_reader_of_one_turn_never_reads_the_next_one() {
    let model = Slow {
        pieces: 9_990,
        bytes: 1,
    };
    let (_server, chats) = open(Memory::default(), model).await;
    let first = chats.start("ann", "1").await.unwrap();
    wait(&first).await;
    let mut partly = first.events();
    partly.next().await.unwrap();
    let mut unread = first.events();
    for text in ["2", "3"] {
        wait(&chats.start("ann", text).await.unwrap()).await;
    }
    for (events, lost) in [(&mut partly, 9_992), (&mut unread, 9_993)] {
        let gap = events.next().await.unwrap().event.unwrap();
        assert!(
            matches!(gap, Event::Lost { count, .. } if count == lost),
            "{gap:?}"
        );
        assert!(events.next().await.is_none());
    }
}

#[timed_test::test]
async fn a_reader_from_before_a_restart_learns_of_it_and_numbers_are_never_used_again() {
    let store = Memory::default();
    let mut seen = 0;
    for round in 0..4 {
        let (server, chats) = open(store.clone(), Scripted::new().events([]).then_stall()).await;
        if round > 0 {
            let mut events = chats.events("ann", seen).unwrap();
            let gap = events.next().await.unwrap();
            assert!(matches!(gap.event, Ok(Event::Restarted)), "{gap:?}");
            assert!(events.next().await.is_none());
        }
        // the first event comes before anything is written, unless its number was reserved
        let running = match round {
            0 => chats.start("ann", "Hi.").await.unwrap(),
            _ => chats.resume("ann").await.unwrap(),
        };
        let mut follow = chats.follow("ann", None).unwrap();
        if round == 0 {
            seen = follow.next().await.unwrap().number;
        } else {
            chats.cancel("ann").await.unwrap();
            let number = follow.next().await.unwrap().number;
            assert!(number > seen, "{number} after {seen}");
            seen = number;
        }
        drop(running);
        crash(server).await;
    }
}

#[timed_test::test]
async fn a_follower_goes_on_over_turns() {
    let (_server, chats) = open(
        Memory::default(),
        Slow {
            pieces: 3,
            bytes: 1,
        },
    )
    .await;
    let follow = |chats: &Conversations| chats.follow("ann", None).unwrap();
    wait(&chats.start("ann", "1").await.unwrap()).await;
    let mut events = follow(&chats);
    let reader = tokio::spawn(async move {
        let mut numbers = Vec::new();
        while let Some(event) = events.next().await {
            numbers.push(event.number);
        }
        numbers
    });
    for turn in ["2", "3"] {
        wait(&chats.start("ann", turn).await.unwrap()).await;
    }
    chats.delete("ann").await.unwrap();
    let numbers = reader.await.unwrap();
    assert_eq!(numbers, (0..18).collect::<Vec<_>>());
}
