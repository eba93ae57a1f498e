//! A bank with an agent for each account.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::agents::{Agents, AgentsBuilder};
use skill_agent::children::Backoff;
use skill_agent::prelude::*;
use skill_agent::store::Store;
use skill_agent::testing::ManualClock;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// An account.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "account",
    actions(
        Balance, Deposit, Transfer, Credit, Ask, Wait, RemindIn, RemindEach, Remind, Crash
    )
)]
pub struct Account {
    pub cents: i64,
    pub credits: Vec<i64>,
    pub reminders: u32,
}

/// How much the account has.
#[action(read_only)]
pub fn balance(account: &Account) -> i64 {
    account.cents
}

/// Put money into the account.
#[action]
pub fn deposit(account: &mut Account, cents: i64) -> i64 {
    account.cents += cents;
    account.cents
}

/// Send money to another account.
#[action]
pub fn transfer(account: &mut Account, cx: &mut Context<Account>, to: String, cents: i64) -> i64 {
    account.cents -= cents;
    cx.emit(Signal::new("account.credit", json!({ "cents": cents })).with_subject(to));
    account.cents
}

/// Take money from another account.
#[action(internal, on("account.credit"))]
pub fn credit(account: &mut Account, cents: i64) -> Result<(), String> {
    if account.cents < 0 {
        return Err("the account is closed".into());
    }
    account.cents += cents;
    account.credits.push(cents);
    Ok(())
}

/// Ask each account of a chain for the next one's balance.
#[action(read_only)]
pub async fn ask(
    account: &Account,
    bank: &Agents<Bank>,
    chain: Vec<String>,
) -> Result<i64, String> {
    let Some((next, chain)) = chain.split_first() else {
        return Ok(account.cents);
    };
    let chain = chain.to_vec();
    let asked = bank.agent(next).call(Ask { chain }).await;
    asked.map_err(|error| error.to_string())
}

/// Wait until the test goes on.
#[action(read_only, on("account.wait"))]
pub async fn wait(_: &Account, gate: &Gate) -> Result<(), String> {
    gate.0
        .acquire()
        .await
        .map_err(|error| error.to_string())?
        .forget();
    Ok(())
}

/// Remind in some minutes.
#[action]
pub fn remind_in(_: &mut Account, cx: &mut Context<Account>, minutes: u32) {
    let after = Duration::from_secs(60 * u64::from(minutes));
    cx.schedule(after, Signal::new("account.remind", json!({})));
}

/// Remind again and again.
#[action]
pub fn remind_each(_: &mut Account, cx: &mut Context<Account>, minutes: u32) {
    let interval = Duration::from_secs(60 * u64::from(minutes));
    let signal = Signal::new("account.remind", json!({}));
    cx.repeat_as("reminder", every(interval), signal);
}

/// Count a reminder.
#[action(internal, on("account.remind"))]
pub fn remind(account: &mut Account) {
    account.reminders += 1;
}

/// Stop the agent.
#[action]
pub fn crash(_: &mut Account, cx: &mut Context<Account>) {
    cx.stop("it crashed");
}

agent! {
    pub struct Bank {
        name: "bank",
        skills: [Account],
    }
}

/// Opens when a test says so.
#[derive(Clone)]
pub struct Gate(pub Arc<Semaphore>);

#[derive(Resources)]
pub struct World {
    bank: Agents<Bank>,
    gate: Gate,
}

/// A minute.
pub const MINUTE: Duration = Duration::from_secs(60);

/// Two places; an agent sleeps after a minute. The subject of a signal names its agent.
pub fn builder(store: impl Store, clock: &ManualClock, gate: &Gate) -> AgentsBuilder<Bank> {
    let builder = undelivering(store, clock, gate);
    builder.deliver("account.**", |signal| signal.subject().map(str::to_owned))
}

/// Like [`builder`], without a rule of delivery.
pub fn undelivering(store: impl Store, clock: &ManualClock, gate: &Gate) -> AgentsBuilder<Bank> {
    let gate = gate.clone();
    Agents::builder(store, move |id, bank| {
        if id.starts_with("no ") {
            return Err(format!("there is no account `{id}`"));
        }
        let gate = gate.clone();
        let builder = AgentServer::builder(Bank::with_id(id)).time_limit(60 * MINUTE);
        Ok(builder.resources(World { bank, gate }))
    })
    .clock(clock.clone())
    .backoff(3, Backoff::new(MINUTE, 2, MINUTE))
    .idle_after(MINUTE)
    .most_awake(2)
    .within(MINUTE)
}

/// A gate that is closed.
pub fn gate() -> Gate {
    Gate(Arc::new(Semaphore::new(0)))
}

/// The account of an agent.
pub async fn account(bank: &Agents<Bank>, id: &str) -> Account {
    bank.agent(id)
        .agent()
        .await
        .unwrap()
        .state()
        .account
        .clone()
}
