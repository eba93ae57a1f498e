//! Wrong uses, and their messages.

use super::desk::*;
use skill_agent::store::Memory;

#[timed_test::test]
async fn wrong_uses_have_messages_that_say_what_to_write() {
    let (_server, chats) = open(Memory::default()).await;
    let said = |error: skill_agent::chat::RewindError| error.to_string();
    let unknown = "there is no conversation `ann`; `send` and `start` begin one";
    assert_eq!(said(chats.rewind("ann", 1).await.unwrap_err()), unknown);
    assert_eq!(said(chats.redo("ann").await.unwrap_err()), unknown);
    assert_eq!(
        said(chats.preview_rewind("ann", 1).await.unwrap_err()),
        unknown
    );
    assert_eq!(
        said(chats.fork("ann", 1, "bob").await.unwrap_err()),
        unknown
    );
    say(&chats, "ann", ["note a"]).await;
    let nothing = "the conversation `ann` has no turns to bring back; `rewind` takes turns back, and the next message makes \
         that final";
    assert_eq!(said(chats.redo("ann").await.unwrap_err()), nothing);
    assert_eq!(said(chats.preview_redo("ann").await.unwrap_err()), nothing);
    let only = "the conversation `ann` has no turn 0; its only turn is 1";
    assert_eq!(said(chats.rewind("ann", 0).await.unwrap_err()), only);
    assert_eq!(
        said(chats.preview_rewind("ann", 0).await.unwrap_err()),
        only
    );
    say(&chats, "ann", ["note b"]).await;
    let two = "the conversation `ann` has no turn 3; its turns are 1 to 2";
    assert_eq!(said(chats.rewind("ann", 3).await.unwrap_err()), two);
    let two = two.replace("turn 3", "turn 4");
    assert_eq!(said(chats.fork("ann", 4, "bob").await.unwrap_err()), two);
    let exists = "there already is a conversation `ann`; delete it first, or choose another id";
    assert_eq!(said(chats.fork("ann", 1, "ann").await.unwrap_err()), exists);
    let empty = "the id of a conversation has 1 to 1024 bytes, and this one has 0";
    assert_eq!(said(chats.fork("ann", 1, "").await.unwrap_err()), empty);
    chats.rewind("ann", 1).await.unwrap();
    let none = "the conversation `ann` has no turn 1; it has no turns";
    assert_eq!(said(chats.rewind("ann", 1).await.unwrap_err()), none);
    assert_eq!(
        said(chats.rewind("ann", 1).force().await.unwrap_err()),
        none
    );
    // dropped without `await`, nothing happens
    drop(chats.redo("ann"));
    assert_eq!(super::desk::said(&chats, "ann").await, owned([]));
    chats.delete("ann").await.unwrap();
    assert_eq!(said(chats.redo("ann").await.unwrap_err()), unknown);
}
