//! Agents by id behind chats, conversations, MCP clients and files.

use crate::bank::{Bank, Deposit, MINUTE, account, builder, gate};
use serde_json::json;
use skill_agent::agents::Agents;
use skill_agent::chat::{Chat, Conversations, Scripted, Turn};
use skill_agent::mcp::{self, McpClient};
use skill_agent::prelude::*;
use skill_agent::server::Verdict;
use skill_agent::store::{Memory, Redb};
use skill_agent::testing::ManualClock;
use skill_agent::toolbox::Toolbox;
use tokio::runtime::Builder;

/// Advances the clock until idle agents sleep.
async fn sleep(bank: &Agents<Bank>, clock: &ManualClock) {
    clock.advance(MINUTE);
    bank.settled().await;
}

fn results(turn: &Turn) -> Vec<String> {
    let results = turn.calls.iter().map(|call| call.result.as_ref().unwrap());
    results.map(|output| output.text().into_owned()).collect()
}

#[timed_test::test]
async fn a_chat_goes_on_while_its_agent_sleeps() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let model = Scripted::new()
        .calls([("deposit", json!({ "cents": 5 }))])
        .text("You have 5.")
        .calls([("balance", json!({}))])
        .text("Still 5.");
    let toolbox = Toolbox::of(&bank.agent("alice"));
    let mut chat = Chat::builder(model.clone(), toolbox).build().unwrap();
    assert_eq!(bank.awake(), 0);
    let turn = chat.send("Put 5 in.").await.unwrap();
    assert_eq!(
        (turn.text(), results(&turn)),
        ("You have 5.", vec!["5".to_owned()])
    );
    sleep(&bank, &clock).await;
    assert_eq!(bank.awake(), 0);
    let turn = chat.send("How much?").await.unwrap();
    assert_eq!(
        (turn.text(), results(&turn)),
        ("Still 5.", vec!["5".to_owned()])
    );
    let requests = model.requests();
    let lengths: Vec<_> = requests
        .iter()
        .map(|request| request.messages.len())
        .collect();
    assert_eq!(lengths, [1, 3, 5, 7]);
}

#[timed_test::test]
async fn a_turn_of_an_agent_that_does_not_wake_shows_why() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let model = Scripted::new()
        .calls([("deposit", json!({ "cents": 5 }))])
        .text("I could not.");
    let toolbox = Toolbox::of(&bank.agent("no one"));
    let mut chat = Chat::builder(model, toolbox).build().unwrap();
    let turn = chat.send("Put 5 in.").await.unwrap();
    let error = turn.calls[0].result.as_ref().unwrap_err().to_string();
    assert_eq!(
        error,
        "`deposit` cannot be called now: no server can be built for the agent `no one`: there is no account `no one`"
    );
    assert_eq!(turn.text(), "I could not.");
}

#[timed_test::test]
async fn a_conversation_over_an_id_is_kept_and_taken_back() {
    let (store, clock, gate) = (Memory::default(), ManualClock::new(), gate());
    let bank = builder(store.clone(), &clock, &gate).start().await.unwrap();
    let model = Scripted::new()
        .calls([("deposit", json!({ "cents": 5 }))])
        .text("Done.");
    let chats = conversations(&bank, &model).await;
    let turn = chats.send("ann", "Put 5 in.").await.unwrap();
    assert_eq!(turn.text(), "Done.");
    // a conversation in memory keeps its agent awake, so a turn can be taken back
    sleep(&bank, &clock).await;
    assert_eq!(bank.awake(), 1);
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(account(&bank, "alice").await.cents, 0);
    chats.redo("ann").await.unwrap();
    assert_eq!(account(&bank, "alice").await.cents, 5);
    drop(chats);
    bank.stop().await.unwrap();
    // the next process
    let bank = builder(store, &clock, &gate).start().await.unwrap();
    let chats = conversations(&bank, &model).await;
    assert_eq!(chats.get("ann").await.unwrap().info.last_turn, Some(1));
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(account(&bank, "alice").await.cents, 0);
}

async fn conversations(bank: &Agents<Bank>, model: &Scripted) -> Conversations {
    let alice = bank.agent("alice");
    let (model, toolbox) = (model.clone(), Toolbox::of(&alice));
    let build = move |_id| Chat::builder(model.clone(), toolbox.clone());
    Conversations::open(&alice, build).await.unwrap()
}

#[timed_test::test]
async fn an_mcp_client_wakes_the_agent_of_its_id() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(mcp::serve(Toolbox::of(&bank.agent("alice")), there));
    let client = McpClient::connect(here).await.unwrap();
    let tools = Toolbox::builder().mcp("far", client);
    let tools = tools.approver(|_| async { Verdict::Approve });
    let tools = tools.build().await.unwrap();
    let session = tools.session(ForeignCaller::Model);
    for total in ["5", "10"] {
        let output = session
            .call("far__deposit", r#"{"cents":5}"#)
            .await
            .unwrap();
        assert_eq!(output.text(), total);
        sleep(&bank, &clock).await;
        assert_eq!(bank.awake(), 0);
    }
}

#[test]
fn a_transfer_survives_a_crash_in_a_file_and_the_next_model_sees_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.redb");
    let (clock, gate) = (ManualClock::new(), gate());
    let runtime = || Builder::new_current_thread().enable_all().build().unwrap();
    let open = || Redb::open(&path).unwrap();
    let before = runtime();
    before.block_on(async {
        let bank = builder(open(), &clock, &gate).start().await.unwrap();
        bank.agent("alice")
            .call(Deposit { cents: 9 })
            .await
            .unwrap();
        let arguments = json!({ "to": "bob", "cents": 7 });
        let model = Scripted::new()
            .calls([("transfer", arguments)])
            .text("Sent.");
        let toolbox = Toolbox::of(&bank.agent("alice"));
        let mut chat = Chat::builder(model, toolbox).build().unwrap();
        assert_eq!(results(&chat.send("Send 7 to Bob.").await.unwrap()), ["2"]);
    });
    drop(before); // all tasks end where they are
    runtime().block_on(async {
        let bank = loop {
            // a write that was under way may still hold the log
            match builder(open(), &clock, &gate).start().await {
                Ok(bank) => break bank,
                Err(_) => tokio::task::yield_now().await,
            }
        };
        bank.settled().await;
        let model = Scripted::new()
            .calls([("balance", json!({}))])
            .text("You have 7.");
        let toolbox = Toolbox::of(&bank.agent("bob"));
        let mut chat = Chat::builder(model, toolbox).build().unwrap();
        let turn = chat.send("How much?").await.unwrap();
        assert_eq!(
            (turn.text(), results(&turn)),
            ("You have 7.", vec!["7".to_owned()])
        );
        assert_eq!(
            bank.agent("alice")
                .agent()
                .await
                .unwrap()
                .state()
                .account
                .cents,
            2
        );
        bank.stop().await.unwrap();
    });
}
