//! An agent whose commands fail in every possible way: with wrong arguments, with their own error, with an answer or a
//! state that JSON cannot hold.

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// An account with its movements.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "account",
    config = AccountConfig,
    signals("account.**"),
    actions(Deposit, Withdraw, Share, Remember, Balance, Audit)
)]
pub struct Account {
    #[skill(from_config)]
    pub limit: f64,
    #[skill(default = 0.0)]
    pub balance: f64,
    #[skill(default)]
    pub entries: Vec<Entry>,
    #[skill(default)]
    pub last: Option<Entry>,
}

/// One movement of money.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Entry {
    pub amount: f64,
    pub kind: Kind,
    pub notes: BTreeMap<String, String>,
}

/// The reason for a movement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    #[default]
    Deposit,
    Withdrawal,
    Share {
        people: u32,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AccountConfig {
    pub limit: f64,
    pub currency: String,
    pub rates: BTreeMap<String, f64>,
}

impl Default for AccountConfig {
    fn default() -> Self {
        Self {
            limit: -100.0,
            currency: "EUR".to_owned(),
            rates: BTreeMap::new(),
        }
    }
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{balance} would be below {limit}")]
pub struct Overdrawn {
    pub balance: f64,
    pub limit: f64,
}

fn add_entry(account: &mut Account, amount: f64, kind: Kind) {
    account.balance += amount;
    let notes = BTreeMap::new();
    let entry = Entry {
        amount,
        kind,
        notes,
    };
    account.last = Some(entry.clone());
    account.entries.push(entry);
}

/// Put money in.
#[action(derive(Clone, Debug))]
pub fn deposit(account: &mut Account, amount: f64) -> f64 {
    add_entry(account, amount, Kind::Deposit);
    account.balance
}

/// Take money out. The state changes before the limit is checked.
#[action(derive(Clone, Debug))]
pub fn withdraw(
    account: &mut Account,
    cx: &mut Context<Account>,
    amount: f64,
) -> Result<f64, Overdrawn> {
    add_entry(account, -amount, Kind::Withdrawal);
    cx.emit(Signal::new(
        "account.withdrawn",
        json!({ "balance": account.balance }),
    ));
    if account.balance < account.limit {
        return Err(Overdrawn {
            balance: account.balance,
            limit: account.limit,
        });
    }
    Ok(account.balance)
}

/// Divide the balance among people. With zero people the answer is NaN or infinite.
#[action(derive(Clone, Debug))]
pub fn share(account: &mut Account, people: u32) -> Vec<f64> {
    let part = account.balance / f64::from(people);
    add_entry(account, -account.balance, Kind::Share { people });
    vec![part; people.clamp(1, 3) as usize]
}

/// Attach a note to the last movement.
#[action(derive(Clone, Debug))]
pub fn remember(
    account: &mut Account,
    cx: &mut Context<Account>,
    #[arg(length(1..=8))] key: String,
    #[arg(default = "yes".to_owned())] text: String,
) -> bool {
    cx.run(Instruction::new("audit", json!({ "strict": false })));
    match &mut account.last {
        Some(last) => last.notes.insert(key, text).is_none(),
        None => false,
    }
}

/// Return the balance.
#[action(derive(Clone, Debug))]
pub fn balance(account: &Account) -> f64 {
    account.balance
}

/// Check that the movements add up to the balance.
#[action(internal, derive(Clone, Debug))]
pub fn audit(account: &mut Account, strict: bool) -> Result<usize, String> {
    let sum: f64 = account.entries.iter().map(|entry| entry.amount).sum();
    account.last = account.entries.last().cloned();
    if strict && sum != account.balance {
        return Err(format!("{sum} is not {}", account.balance));
    }
    Ok(account.entries.len())
}

/// Open or close the agent.
#[action(derive(Clone, Debug))]
pub fn set_open(agent: &mut AccountAgentBase, open: bool) -> Result<u32, String> {
    agent.changes += 1;
    if agent.open == open {
        return Err("nothing to change".to_owned());
    }
    agent.open = open;
    Ok(agent.changes)
}

agent! {
    /// Two accounts, one of them under an alias.
    #[derive(Debug, PartialEq)]
    pub struct AccountAgent {
        name: "account_agent",
        state: {
            open: bool = true,
            changes: u32,
            motto: Option<String>,
        },
        skills: [Account, Account as savings { limit: 0.0 }],
        actions: [SetOpen],
    }
}

/// Formats the whole agent, including its id and configuration. Floats keep every bit, except the payload of a NaN.
pub fn debug_dump(agent: &AccountAgent) -> String {
    format!("{agent:?}")
}

/// A typed command to one of the accounts (`true` is `savings`) or to the agent itself.
#[derive(Clone, Debug)]
pub enum Command {
    Deposit(bool, f64),
    Withdraw(bool, f64),
    Share(bool, u32),
    Remember(bool, String, String),
    Balance(bool),
    Audit(bool, bool),
    SetOpen(bool),
}

/// The printed output and the directives of a command, or the text of its error.
pub type CommandResult = Result<(String, Vec<Directive>), String>;

impl Command {
    /// Executes the command by `cmd`.
    pub fn execute(self, agent: &mut AccountAgent) -> CommandResult {
        fn on_account<A>(agent: &mut AccountAgent, savings: bool, action: A) -> CommandResult
        where
            A: PureAction<Skill = Account>,
            A::Output: std::fmt::Debug,
            A::Error: std::fmt::Display,
        {
            printed(if savings {
                agent.savings().cmd(action)
            } else {
                agent.cmd(action)
            })
        }
        match self {
            Self::Deposit(savings, amount) => on_account(agent, savings, Deposit { amount }),
            Self::Withdraw(savings, amount) => on_account(agent, savings, Withdraw { amount }),
            Self::Share(savings, people) => on_account(agent, savings, Share { people }),
            Self::Remember(savings, key, text) => {
                on_account(agent, savings, Remember { key, text })
            }
            Self::Balance(savings) => on_account(agent, savings, Balance {}),
            Self::Audit(savings, strict) => on_account(agent, savings, Audit { strict }),
            Self::SetOpen(open) => printed(agent.cmd(SetOpen { open })),
        }
    }

    /// Returns the command as an instruction, if JSON can hold its arguments.
    pub fn instruction(&self) -> Option<Instruction> {
        let (savings, instruction) = match self.clone() {
            Self::Deposit(savings, amount) => (savings, Instruction::of(&Deposit { amount })),
            Self::Withdraw(savings, amount) => (savings, Instruction::of(&Withdraw { amount })),
            Self::Share(savings, people) => (savings, Instruction::of(&Share { people })),
            Self::Remember(savings, key, text) => {
                (savings, Instruction::of(&Remember { key, text }))
            }
            Self::Balance(savings) => (savings, Instruction::of(&Balance {})),
            Self::Audit(savings, strict) => (savings, Instruction::of(&Audit { strict })),
            Self::SetOpen(open) => (false, Instruction::of(&SetOpen { open })),
        };
        let mut instruction = instruction.ok()?;
        if savings {
            instruction.action = format!("savings_{}", instruction.action).into();
        }
        Some(instruction)
    }
}

fn printed<T: std::fmt::Debug, E: std::fmt::Display>(
    result: Result<Outcome<T>, E>,
) -> CommandResult {
    match result {
        Ok(outcome) => Ok((format!("{:?}", outcome.output), outcome.directives)),
        Err(error) => Err(error.to_string()),
    }
}

/// Ordinary amounts, very large and very small ones, NaN and the infinities.
pub fn any_amount() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -200.0..200.0f64,
        2 => any::<f64>(),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE]),
    ]
}

pub fn any_command() -> impl Strategy<Value = Command> {
    let on = any::<bool>;
    prop_oneof![
        (on(), any_amount()).prop_map(|(on, amount)| Command::Deposit(on, amount)),
        (on(), any_amount()).prop_map(|(on, amount)| Command::Withdraw(on, amount)),
        (on(), 0..4u32).prop_map(|(on, people)| Command::Share(on, people)),
        (on(), "[a-z]{0,10}", ".{0,4}")
            .prop_map(|(on, key, text)| Command::Remember(on, key, text)),
        on().prop_map(Command::Balance),
        (on(), on()).prop_map(|(on, strict)| Command::Audit(on, strict)),
        on().prop_map(Command::SetOpen),
    ]
}

/// An agent after up to five commands.
pub fn any_agent() -> impl Strategy<Value = AccountAgent> {
    prop::collection::vec(any_command(), 0..6).prop_map(|commands| {
        let mut agent = AccountAgent::with_id("agent 3");
        for command in commands {
            let _ = command.execute(&mut agent);
        }
        agent
    })
}

/// An instruction that is valid, has wrong arguments, or names an unknown action.
pub fn any_instruction() -> impl Strategy<Value = Instruction> {
    let right =
        || any_command().prop_filter_map("JSON has no NaN", |command| command.instruction());
    prop_oneof![
        8 => right(),
        2 => (right(), super::json_mutation::any_json()).prop_map(|(instruction, params)| Instruction::new(instruction.action, params)),
        1 => Just(Instruction::new("depositt", json!({ "amount": 1.5 }))),
        1 => Just(Instruction::new("savings_deposit", Value::Null)),
    ]
}
