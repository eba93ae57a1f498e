//! Many callers who do all kinds of things to the same conversations at once.

use crate::numbers::Numbers;
use crate::support::*;
use serde_json::{Value, json};
use skill_agent::chat::{
    BoxStream, Chat, ChatError, ChatModel, ChatRequest, ConversationStatus, Conversations, Message,
    ModelError, ModelEvent, ModelProfile, Scripted,
};
use skill_agent::server::{Applied, Verdict};
use skill_agent::store::Memory;
use skill_agent::toolbox::Toolbox;
use std::collections::BTreeMap;
use tokio::task::{JoinSet, yield_now};

const CALLERS: u64 = 6;
const STEPS: u64 = 60;

fn called(message: &Message) -> Vec<String> {
    let calls = message.calls();
    let text = |arguments: &str| {
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        arguments["text"].as_str().map(str::to_owned)
    };
    calls
        .filter_map(|call| text(&call.call.arguments))
        .collect()
}

/// A model that adds each note that a message asks for, and sometimes wants to clear them.
#[derive(Clone)]
struct Secretary;

impl ChatModel for Secretary {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let done: Vec<String> = request.messages.iter().flat_map(called).collect();
        let asked = request
            .messages
            .iter()
            .filter(|message| message.is_of_user());
        let asked = asked.map(|message| message.text().to_string());
        let missing: Vec<_> = asked.filter(|text| !done.contains(text)).collect();
        if missing.is_empty() {
            return Scripted::new().text("Done.").stream(request);
        }
        let calls = missing
            .iter()
            .map(|text| ("add_note", json!({ "text": text })));
        let clears = missing[0]
            .ends_with('7')
            .then(|| ("clear_notes", json!({})));
        Scripted::new().calls(calls.chain(clears)).stream(request)
    }
}

async fn act(chats: &Conversations, text: String, numbers: &mut Numbers) -> Result<(), ChatError> {
    let id = ["ann", "bob"][numbers.below(2) as usize];
    match numbers.below(10) {
        0..4 => drop(chats.start(id, text).await?),
        4 | 5 => drop(chats.steer(id, text).await?),
        6 => drop(chats.cancel(id).await?),
        7 => drop(chats.resume(id).await?),
        8 => {
            // a caller who leaves
            poll_times(chats.start(id, text), numbers.below(6) as usize).await;
        }
        _ => {
            let pending = chats.get(id).await?.pending;
            let Some(call) = pending.first() else {
                return Ok(());
            };
            let deny = Verdict::Deny("no".into());
            drop(chats.decide(id, &call.id, deny).await?);
        }
    }
    for _ in 0..numbers.below(8) {
        yield_now().await;
    }
    Ok(())
}

#[timed_test::test(threads = 4)]
async fn each_call_runs_once_with_many_callers_at_once() {
    for seed in 1..=5 {
        let store = Memory::default();
        let (server, chats) = open(store.clone(), Secretary).await;
        let mut callers = JoinSet::new();
        for caller in 0..CALLERS {
            let chats = chats.clone();
            callers.spawn(async move {
                let mut numbers = Numbers::new(seed * 100 + caller);
                for step in 0..STEPS {
                    match act(&chats, format!("{caller}.{step}"), &mut numbers).await {
                        Ok(())
                        | Err(
                            ChatError::Busy { .. }
                            | ChatError::Pending(_)
                            | ChatError::Unknown { .. }
                            | ChatError::NothingToResume
                            | ChatError::Decision { .. },
                        ) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
        while let Some(ended) = callers.join_next().await {
            ended.unwrap();
        }
        for id in ["ann", "bob"] {
            finish(&chats, id).await;
        }
        let mut histories = BTreeMap::new();
        for info in chats.list("").await.unwrap() {
            let page = chats.get(&info.id).await.unwrap();
            let built = Chat::builder(Secretary, Toolbox::of(&server));
            built.history(page.history.clone()).build().unwrap();
            histories.insert(info.id, page.history);
        }
        assert_eq!(histories.len(), 2);
        check(&lines(&server).await, histories.values().flatten());
        server.stop().await.unwrap();
        let (_server, chats) = open(store, Secretary).await;
        for (id, history) in histories {
            let page = chats.get(&id).await.unwrap();
            assert_eq!(json_of(&page.history), json_of(&history));
            assert_eq!(page.info.status, ConversationStatus::Idle);
        }
    }
}

/// Takes a conversation to its end.
async fn finish(chats: &Conversations, id: &str) {
    loop {
        let page = chats.get(id).await.unwrap();
        let running = match page.info.status {
            ConversationStatus::Idle if page.queued.is_empty() => return,
            ConversationStatus::Interrupted => chats.resume(id).await,
            ConversationStatus::Waiting => {
                let deny = Verdict::Deny("no".into());
                chats.decide(id, &page.pending[0].id, deny).await
            }
            _ => {
                yield_now().await;
                continue;
            }
        };
        match running {
            Ok(running) => drop(running.wait().await.unwrap()),
            Err(ChatError::Busy { .. } | ChatError::NothingToResume) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Compares the results in the histories with the notes.
fn check<'a>(lines: &[String], history: impl Iterator<Item = &'a Message> + Clone) {
    let mut times: BTreeMap<&String, usize> = BTreeMap::new();
    for line in lines {
        *times.entry(line).or_default() += 1;
    }
    assert!(times.values().all(|times| *times == 1), "{times:?}");
    let said = history.clone().filter(|message| message.is_of_user());
    let mut said: Vec<_> = said.map(|message| message.text().to_string()).collect();
    let count = said.len();
    said.sort();
    said.dedup();
    assert_eq!(said.len(), count, "a message is twice in a history");
    let results = history.clone().flat_map(|message| message.results());
    let texts = history.flat_map(|message| message.calls()).map(|call| {
        let arguments: Value = serde_json::from_str(&call.call.arguments).unwrap();
        arguments["text"].as_str().map(str::to_owned)
    });
    let mut ran = 0;
    for (text, result) in texts.zip(results) {
        let Some(text) = text else { continue };
        let has_run = times.contains_key(&text);
        match &result.result {
            Ok(_) => assert!(has_run, "{text}"),
            Err(error) if error.applied() == Applied::No => assert!(!has_run, "{text}: {error}"),
            Err(_) => {}
        }
        ran += usize::from(has_run);
    }
    assert_eq!(ran, lines.len(), "a call is in no history");
}
