//! The killed process: conversations that go on as far as they get.

use super::world::{Files, World};
use crate::numbers::Numbers;
use skill_agent::chat::{ChatError, ConversationStatus, Conversations, RunningTurn};
use skill_agent::server::Verdict;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The environment variable with the folder of the victim's files. A process without it is not the victim.
pub const FOLDER: &str = "KILLED_CONVERSATIONS";

/// The word that a victim prints before it opens its files.
pub const STARTING: &str = "starting";

/// The number of conversations that run at once.
pub const CONVERSATIONS: u64 = 4;

/// Runs conversations until the process is killed.
pub async fn run(files: Files) {
    println!("{STARTING}");
    let world = World::open(&files).await;
    let mut tasks = JoinSet::new();
    for number in 0..CONVERSATIONS {
        tasks.spawn(go_on(world.chats.clone(), number));
    }
    let ended = tasks.join_next().await;
    panic!("a conversation ended: {ended:?}");
}

async fn go_on(chats: Conversations, number: u64) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let mut numbers = Numbers::new(now.subsec_nanos().into());
    loop {
        match step(&chats, number, &mut numbers).await {
            // a steered message has begun the next turn
            Err(error) if matches!(*error, ChatError::Busy { .. }) => {
                sleep(Duration::from_millis(1)).await;
            }
            done => done.unwrap(),
        }
    }
}

/// Does the next thing in a conversation.
async fn step(
    chats: &Conversations,
    number: u64,
    numbers: &mut Numbers,
) -> Result<(), Arc<ChatError>> {
    let id = format!("chat/{number}");
    let listed = chats.list(&id).await?;
    let (status, turns) = listed
        .first()
        .map_or((ConversationStatus::Idle, 0), |info| {
            (info.status, info.turns)
        });
    // a verdict that was not carried out allows no message
    let has_verdict =
        status == ConversationStatus::Interrupted && !chats.get(&id).await?.pending.is_empty();
    let turn = match status {
        ConversationStatus::Interrupted if has_verdict || numbers.below(3) > 0 => {
            chats.resume(&id).await?
        }
        ConversationStatus::Waiting => {
            let pending = chats.get(&id).await?.pending;
            let call = &pending[numbers.below(pending.len() as u64) as usize];
            let verdict = match numbers.below(3) {
                0 => Verdict::Deny("not now".into()),
                _ => Verdict::Approve,
            };
            chats.decide(&id, &call.id, verdict).await?
        }
        _ => {
            // also in place of `resume`
            let plan = (turns * CONVERSATIONS + number) * 10 + numbers.below(10);
            chats.start(&id, format!("plan {plan}")).await?
        }
    };
    if numbers.below(4) == 0 {
        steer(chats, &id, &turn).await?;
    }
    turn.wait().await?;
    Ok(())
}

async fn steer(chats: &Conversations, id: &str, turn: &RunningTurn) -> Result<(), Arc<ChatError>> {
    turn.events().next().await;
    chats.steer(id, "be quick").await?;
    Ok(())
}
