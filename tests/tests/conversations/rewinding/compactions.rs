//! A rewind across a compaction of the history.

use super::desk::*;
use crate::support::json_of;
use skill_agent::chat::{BoxStream, ModelError, ModelEvent};
use skill_agent::chat::{Chat, ChatModel, ChatRequest, Conversations, ModelProfile};
use skill_agent::store::Memory;
use skill_agent::toolbox::Toolbox;
use std::sync::{Arc, Mutex};

/// A model with a small context, which records how many messages each request has.
#[derive(Clone, Default)]
struct Small(Arc<Mutex<Vec<usize>>>);

impl ChatModel for Small {
    fn profile(&self) -> ModelProfile {
        Doer.profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        self.0.lock().unwrap().push(request.messages.len());
        Doer.stream(request)
    }
}

#[timed_test::test]
async fn a_rewind_across_a_compaction_undoes_it_too() {
    let server = serve(Memory::default()).await;
    let (model, toolbox) = (Small::default(), Toolbox::of(&server));
    let of_chat = model.clone();
    let build = move |_| {
        let builder = Chat::builder(of_chat.clone(), toolbox.clone());
        builder.history_tokens(1_000)
    };
    let chats = Conversations::open(&server, build).await.unwrap();
    say(&chats, "ann", ["note a", "note b", "note c"]).await;
    let before = json_of(&chats.get("ann").await.unwrap().history);
    let asked = || *model.0.lock().unwrap().last().unwrap();
    let long = "Long.".repeat(900);
    say(&chats, "ann", [&*long, "note d"]).await;
    let all = chats.get("ann").await.unwrap().history.len();
    assert!(
        asked() < all - 1,
        "nothing was compacted: {} of {all}",
        asked()
    );
    let rewound = chats.rewind("ann", 4).await.unwrap();
    assert_eq!(
        (rewound.turns, rewound.message.text().len()),
        (2, long.len())
    );
    assert_eq!(json_of(&chats.get("ann").await.unwrap().history), before);
    assert_eq!(desk(&server).await.0, ["a", "b", "c"]);
    // the next request has the whole history again
    say(&chats, "ann", ["note e"]).await;
    let all = chats.get("ann").await.unwrap().history.len();
    assert_eq!(asked(), all - 1);
    // a turn before the compaction
    say(&chats, "ann", [&*long, "note f"]).await;
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(desk(&server).await.0, ["a"]);
    chats.redo("ann").await.unwrap();
    assert_eq!(desk(&server).await.0, ["a", "b", "c", "e", "f"]);
}
