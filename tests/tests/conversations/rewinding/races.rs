//! Other work on a conversation that meets a rewind.

use super::desk::*;
use skill_agent::chat::{
    BoxStream, Chat, ChatModel, ChatRequest, Conversations, ModelError, ModelEvent, ModelProfile,
    RewindError,
};
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::toolbox::Toolbox;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Waker};
use tokio::sync::Semaphore;

#[timed_test::test]
async fn rows_that_were_read_before_a_rewind_are_not_used_after_it() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a", "note b", "note c"]).await;
    // a rewind forgets the rows, so the next use reads them
    chats.rewind("ann", 3).await.unwrap();
    {
        let mut page = pin!(chats.get("ann"));
        for _ in 0..2 {
            let polled = page.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(polled.is_pending());
            // the server has responded to the requests before
            desk(&server).await;
            desk(&server).await;
        }
        chats.rewind("ann", 2).await.unwrap();
        let page = page.await.unwrap();
        assert_eq!(page.info.last_turn, Some(1));
    }
    assert_eq!(said(&chats, "ann").await, ["note a"]);
    say(&chats, "ann", ["note d"]).await;
    assert_eq!(said(&chats, "ann").await, ["note a", "note d"]);
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(desk(&server).await.0, owned([]));
}

#[timed_test::test]
async fn a_failed_write_while_a_turn_begins_does_not_keep_what_redo_would_bring_back() {
    let store = FaultyStore::new(Memory::default());
    let server = serve(store.clone()).await;
    let toolbox = Toolbox::of(&server);
    let (entered, passes) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(1)));
    let gates = (Arc::clone(&entered), Arc::clone(&passes));
    let build = move |_| {
        let ((entered, passes), toolbox) = (gates.clone(), toolbox.clone());
        async move {
            entered.add_permits(1);
            passes.acquire().await.unwrap().forget();
            Ok(Chat::builder(Doer, toolbox))
        }
    };
    let chats = Conversations::open(&server, build).await.unwrap();
    say(&chats, "ann", ["note a"]).await;
    entered.acquire().await.unwrap().forget();
    for (said, fails_first) in [("note b", true), ("note c", false)] {
        let turn = chats.get("ann").await.unwrap().info.last_turn.unwrap();
        say(&chats, "ann", ["note x"]).await;
        chats.rewind("ann", turn + 1).await.unwrap();
        let of_turn = chats.clone();
        let turn = tokio::spawn(async move { of_turn.send("ann", said).await });
        entered.acquire().await.unwrap().forget();
        store.on_commit(0, Fault::Refuse);
        {
            let mut renaming = pin!(chats.rename("ann", "Notes"));
            if !fails_first {
                // the turn waits for this write
                let mut context = Context::from_waker(Waker::noop());
                assert!(renaming.as_mut().poll(&mut context).is_pending());
                passes.add_permits(1);
            }
            renaming.await.unwrap_err();
        }
        if fails_first {
            passes.add_permits(1);
        }
        turn.await.unwrap().unwrap();
        let error = chats.redo("ann").await.unwrap_err();
        let is_final = matches!(error, RewindError::NothingToRedo { .. });
        assert!(is_final, "{error}");
    }
    drop(chats);
    server.stop().await.unwrap();
    let (_server, chats) = open(store).await;
    assert_eq!(said(&chats, "ann").await, ["note a", "note b", "note c"]);
}

/// A model that panics when it is dropped, once it is armed.
struct Fragile(Arc<AtomicBool>);

impl ChatModel for Fragile {
    fn profile(&self) -> ModelProfile {
        Doer.profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        Doer.stream(request)
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!self.0.swap(false, Ordering::Relaxed), "a fragile model");
    }
}

#[timed_test::test]
async fn a_refused_rewind_keeps_the_chat_and_a_panic_in_its_drop_changes_nothing() {
    let server = serve(Memory::default()).await;
    let toolbox = Toolbox::of(&server);
    let (built, is_armed) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let of_build = (Arc::clone(&built), Arc::clone(&is_armed));
    let build = move |_| {
        of_build.0.fetch_add(1, Ordering::Relaxed);
        Chat::builder(Fragile(Arc::clone(&of_build.1)), toolbox.clone())
    };
    let chats = Conversations::open(&server, build).await.unwrap();
    say(&chats, "ann", ["note a"]).await;
    server.call(ClearNotes {}).await.unwrap();
    let error = chats.rewind("ann", 1).await.unwrap_err();
    assert!(matches!(error, RewindError::Changed { .. }), "{error}");
    say(&chats, "ann", ["note b"]).await;
    assert_eq!(built.load(Ordering::Relaxed), 1);
    is_armed.store(true, Ordering::Relaxed);
    chats.rewind("ann", 2).await.unwrap();
    assert!(!is_armed.load(Ordering::Relaxed));
    say(&chats, "ann", ["note c"]).await;
    assert_eq!(desk(&server).await.0, ["c"]);
}
