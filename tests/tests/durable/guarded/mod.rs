//! The guard and the approver, by every way in: attempts of a caller that is denied, verdicts, and decisions made later.

mod attempts;
mod decided;
mod previews;
mod rules;
mod signals;
mod verdicts;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::server::{AgentServerBuilder, ApprovalRequest, Verdict};
use skill_agent::store::Memory;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An account.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "accounts",
    actions(Pay, Wire, Later, Queue, Follow, Weigh, Close, SetPin, Audit)
)]
pub struct Accounts {
    pub paid: Vec<i64>,
    /// By the names of banks.
    #[skill(secret)]
    pub pins: BTreeMap<String, u32>,
}

/// Pay an amount.
#[action(on("accounts.pay"))]
pub fn pay(accounts: &mut Accounts, #[arg(default = 50_000)] cents: i64) -> i64 {
    accounts.paid.push(cents);
    cents
}

/// Pay an amount through a bank.
#[action(on("accounts.wire"))]
pub async fn wire(
    _: &Accounts,
    cx: &mut Context<Accounts>,
    #[arg(default = 50_000)] cents: i64,
) -> i64 {
    cx.then(Pay { cents });
    cents
}

/// Pay by a schedule without a delay.
#[action]
pub fn later(_: &Accounts, cx: &mut Context<Accounts>, arguments: Value) {
    let signal = Signal::new("accounts.pay", arguments);
    cx.schedule(std::time::Duration::ZERO, signal);
}

/// Run an action with arguments.
#[action]
pub fn queue(_: &Accounts, cx: &mut Context<Accounts>, action: String, arguments: Value) {
    cx.run(Instruction::new(action, arguments));
}

/// Queue a payment from an async action.
#[action]
pub async fn follow(_: &Accounts, cx: &mut Context<Accounts>, cents: i64) {
    cx.then(Pay { cents });
}

/// Pay by weight.
#[action]
pub fn weigh(accounts: &mut Accounts, grams: f64, wide: Option<u128>) -> bool {
    let _ = wide;
    accounts.paid.push(grams as i64);
    true
}

/// Set a PIN.
#[action]
pub fn set_pin(accounts: &mut Accounts, bank: String, pin: u32) -> usize {
    accounts.pins.insert(bank, pin);
    accounts.pins.len()
}

/// Count the payments.
#[action(internal)]
pub fn audit(accounts: &Accounts) -> usize {
    accounts.paid.len()
}

/// Close the account, and return the number of payments.
#[action(destructive, on("accounts.close"))]
pub fn close(accounts: &mut Accounts, #[arg(default = false)] quietly: bool) -> usize {
    let _ = quietly;
    std::mem::take(&mut accounts.paid).len()
}

agent! {
    /// Has two accounts.
    pub struct Bank {
        name: "bank",
        skills: [Accounts, Accounts as savings],
    }
}

fn bank(store: Option<Memory>) -> AgentServerBuilder<Bank> {
    let builder = AgentServer::builder(Bank::with_id("bank-1"));
    match store {
        Some(store) => builder.store(store),
        None => builder,
    }
}

/// The payments from both accounts.
async fn paid(server: &AgentServer<Bank>) -> Vec<i64> {
    let agent = server.agent().await.unwrap();
    let state = agent.state();
    let paid = state.accounts.paid.iter().chain(&state.savings.paid);
    paid.copied().collect()
}

/// A signal with an id of its sender.
fn stamped(ty: &str, id: &str, data: Value) -> Signal {
    let text = json!({ "specversion": "1.0", "type": ty, "id": id, "source": "/a", "data": data });
    serde_json::from_value(text).unwrap()
}

/// An approver that gives one verdict, and the number of requests that it got.
fn verdict(
    verdict: Verdict,
) -> (
    impl Fn(ApprovalRequest) -> std::future::Ready<Verdict> + Send + Sync + 'static,
    Arc<AtomicUsize>,
) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let approver = move |_: ApprovalRequest| {
        counted.fetch_add(1, Ordering::Relaxed);
        std::future::ready(verdict.clone())
    };
    (approver, asked)
}
