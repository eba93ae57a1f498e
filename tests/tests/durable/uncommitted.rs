//! State that is not recorded yet does not leave the server: not to a caller, an async action, an approver or a subscriber.

use super::start;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::HookError;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, ErrorPolicy};
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};
use std::cell::RefCell;

thread_local! {
    /// The balances that async actions and approvers saw. Each test has its own thread, which also runs its server.
    static SEEN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn see(text: String) {
    SEEN.with_borrow_mut(|seen| seen.push(text));
}

/// Holds money.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "account",
    actions(Deposit, Check, Crash, Audit, Tell, Show),
    hooks
)]
pub struct Account {
    balance: u64,
}

/// The error of `check`.
#[derive(Debug, thiserror::Error)]
#[error("the balance is {0}")]
pub struct Balance(u64);

/// Add to the balance.
#[action]
pub fn deposit(account: &mut Account, n: u64) -> u64 {
    account.balance += n;
    account.balance
}

/// Fail with the balance.
#[action(on("account.check"))]
pub fn check(account: &Account) -> Result<(), Balance> {
    Err(Balance(account.balance))
}

/// Panic with the balance.
#[action(on("account.crash"))]
pub fn crash(account: &Account) {
    panic!("the balance is {}", account.balance);
}

/// Report the balance from an async action.
#[action(on("account.audit"))]
pub async fn audit(account: &Account, _: &mut Context<Account>) {
    see(format!("the balance is {}", account.balance));
}

/// Take a text that needs approval.
#[action(on("account.tell"))]
pub fn tell(_: &Account, text: String) -> usize {
    text.len()
}

/// Return the balance, which needs approval.
#[action(on("account.show"))]
pub fn show(account: &Account) -> String {
    format!("the balance is {}", account.balance)
}

impl Hooks for Account {
    fn prepare_signal(
        &mut self,
        signal: Signal,
        _: &mut Context<Self>,
    ) -> Result<Signal, HookError> {
        match signal.ty() {
            "account.tell" => {
                let text = format!("the balance is {}", self.balance);
                Ok(Signal::new("account.tell", json!({ "text": text })))
            }
            "account.refuse" => Err(Balance(self.balance).into()),
            _ => Ok(signal),
        }
    }
}

agent! {
    /// Holds money.
    pub struct Bank {
        name: "bank",
        skills: [Account],
    }
}

fn guard(attempt: &Attempt<'_>) -> Decision {
    match attempt.tool.name {
        "tell" | "show" => Decision::Ask,
        _ => Decision::Allow,
    }
}

async fn approve(request: ApprovalRequest) -> bool {
    see(format!("{} {:?}", request.arguments, request.preview));
    request.tool.name != "show"
}

listed_enum! {
    /// A command that shows the balance.
    enum Reader {
        Check,
        CheckJson,
        CheckSignal,
        CheckSent,
        Crash,
        CrashSignal,
        Refused,
        Audit,
        AuditJson,
        AuditSignal,
        AuditSent,
        Told,
        Previewed,
        PreviewedJson,
        Shown,
        ShownJson,
        ShownSignal,
        ShownSent,
        State,
    }
}

/// The texts of an error and its causes.
fn texts<T>(result: Result<T, impl std::error::Error + 'static>) -> String {
    result.map_or_else(|error| super::chain(&error), |_| String::new())
}

async fn read(server: &AgentServer<Bank>, reader: Reader) -> String {
    let signal = |ty: &'static str| Signal::new(ty, json!({}));
    match reader {
        Reader::Check => texts(server.call(Check {}).await),
        Reader::CheckJson => texts(server.call_json("check", "{}").await),
        Reader::CheckSignal => texts(server.request(signal("account.check")).await),
        Reader::CheckSent => texts(server.send(signal("account.check")).await),
        Reader::Crash => texts(server.call(Crash {}).await),
        Reader::CrashSignal => texts(server.request(signal("account.crash")).await),
        Reader::Refused => texts(server.request(signal("account.refuse")).await),
        Reader::Audit => texts(server.call(Audit {}).await),
        Reader::AuditJson => texts(server.call_json("audit", "{}").await),
        Reader::AuditSignal => texts(server.request(signal("account.audit")).await),
        Reader::AuditSent => texts(server.send(signal("account.audit")).await),
        Reader::Told => texts(server.request(signal("account.tell")).await),
        Reader::Previewed => format!("{:?}", server.preview(Show {}).await),
        Reader::PreviewedJson => format!("{:?}", server.preview_json("show", "{}").await),
        Reader::Shown => texts(server.call(Show {}).await),
        Reader::ShownJson => texts(server.call_json("show", "{}").await),
        Reader::ShownSignal => texts(server.request(signal("account.show")).await),
        Reader::ShownSent => texts(server.send(signal("account.show")).await),
        Reader::State => {
            let state = server.state_json().await.unwrap_or_default();
            state.replace("\"balance\":", "the balance is ")
        }
    }
}

/// Everything that leaves the server while it writes a deposit, which ends with a fault or well.
async fn shown(reader: Reader, fault: Option<Fault>) -> Vec<String> {
    SEEN.take();
    let store = FaultyStore::new(Memory::default());
    let builder = AgentServer::builder(Bank::with_id("lib-1"))
        .store(store.clone())
        .guard(guard)
        .approver(approve)
        .error_policy(ErrorPolicy::Emit);
    let (builder, mut errors) = super::subscribed(builder, "agent.error");
    let server = start(builder).await;
    if let Some(fault) = fault {
        store.on_commit(0, fault);
    }
    // One batch: the server runs when both are in its mailbox.
    let (deposited, answer) = tokio::join!(server.call(Deposit { n: 5 }), read(&server, reader));
    assert_eq!(deposited.is_err(), fault.is_some(), "{reader:?}");
    let _ = server.stop().await;
    let mut shown = SEEN.take();
    shown.push(answer);
    while let Some(error) = errors.next().await {
        shown.push(error.data().to_string());
    }
    shown
}

#[timed_test::test]
async fn a_recorded_state_is_shown() {
    for &reader in Reader::ALL {
        let shown = shown(reader, None).await;
        assert!(
            shown.iter().any(|text| text.contains("the balance is 5")),
            "{reader:?}: {shown:?}"
        );
    }
}

#[timed_test::test]
async fn nothing_shows_a_state_that_is_undone() {
    for fault in [
        Fault::Refuse,
        Fault::FailBefore,
        Fault::FailAfter,
        Fault::Panic,
    ] {
        for &reader in Reader::ALL {
            let shown = shown(reader, Some(fault)).await;
            assert!(
                !shown.iter().any(|text| text.contains("the balance is 5")),
                "{fault:?} {reader:?}: {shown:?}"
            );
        }
    }
}
