//! One agent in several builds.

/// The first build.
pub mod old {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use skill_agent::prelude::*;
    use std::collections::HashMap;

    /// Names and amounts.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "ledger", version = "1.0.0", actions(Enter))]
    pub struct Ledger {
        pub amounts: HashMap<u32, f64>,
        pub total: f64,
    }

    /// Enter an amount.
    #[action]
    pub fn enter(ledger: &mut Ledger, account: u32, amount: f64) {
        *ledger.amounts.entry(account).or_default() += amount;
        ledger.total += amount;
    }

    /// How notes are kept.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct NotesConfig {
        /// How many.
        pub limit: u32,
    }

    /// Notes.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "notes", config = NotesConfig, actions(Note))]
    pub struct Notes {
        pub notes: Vec<String>,
    }

    /// Note something.
    #[action]
    pub fn note(notes: &mut Notes, text: String) {
        notes.notes.push(text);
    }

    agent! {
        /// Keeps books.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Office {
            name: "office",
            skills: [Ledger, Notes],
        }
    }
}

/// The next build: the ledger has another shape, and takes the old one over.
pub mod new {
    use super::old::Notes;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;
    use skill_agent::HookError;
    use skill_agent::prelude::*;
    use std::collections::BTreeMap;

    /// Names and amounts in cents.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "ledger", version = "2.0.0", actions(EnterCents), hooks)]
    pub struct Ledger {
        pub cents: BTreeMap<String, i64>,
        pub from: String,
    }

    /// Enter an amount.
    #[action]
    pub fn enter_cents(ledger: &mut Ledger, account: String, cents: i64) {
        *ledger.cents.entry(account).or_default() += cents;
    }

    impl Hooks for Ledger {
        fn restore(version: &str, state: Value) -> Result<Self, HookError> {
            let amounts = state["amounts"]
                .as_object()
                .ok_or_else(|| HookError::new("no amounts"))?;
            let cents = |amount: &Value| (amount.as_f64().unwrap_or_default() * 100.0) as i64;
            Ok(Self {
                cents: amounts
                    .iter()
                    .map(|(account, amount)| (account.clone(), cents(amount)))
                    .collect(),
                from: version.to_owned(),
            })
        }
    }

    agent! {
        /// Keeps books.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Office {
            name: "office",
            skills: [Ledger, Notes],
        }
    }
}

/// A build in which more is said, and in another order.
pub mod wordy {
    use super::old::Notes;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use skill_agent::prelude::*;
    use std::collections::HashMap;

    /// The debts by debtor.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "ledger", version = "1.0.1")]
    pub struct Ledger {
        /// All of it.
        pub total: f64,
        /// Each.
        pub amounts: HashMap<u32, f64>,
    }

    agent! {
        /// Keeps books well.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Office {
            name: "office",
            skills: [Ledger, Notes],
        }
    }
}

/// A build that does not say how the ledger is taken over.
pub mod rude {
    use super::old::Notes;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use skill_agent::prelude::*;

    /// Names.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "ledger", version = "3.0.0", hooks)]
    pub struct Ledger {
        pub names: Vec<String>,
    }

    impl Hooks for Ledger {}

    agent! {
        /// Keeps books.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Office {
            name: "office",
            skills: [Ledger, Notes],
        }
    }
}

/// A build whose ledger fails to restore an older state, with an error that has a cause.
pub mod failing {
    use super::old::Notes;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;
    use skill_agent::HookError;
    use skill_agent::prelude::*;

    /// An amount in words.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "ledger", version = "3.0.0", hooks)]
    pub struct Ledger {
        pub words: Vec<String>,
    }

    #[derive(Debug, thiserror::Error)]
    #[error("the amounts cannot be converted")]
    struct Unconverted(#[source] std::num::ParseIntError);

    impl Hooks for Ledger {
        fn restore(_: &str, _: Value) -> Result<Self, HookError> {
            let words = "ten".parse::<i64>().map_err(Unconverted)?;
            Ok(Self {
                words: vec![words.to_string()],
            })
        }
    }

    agent! {
        /// Keeps books.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Office {
            name: "office",
            skills: [Ledger, Notes],
        }
    }
}

/// A build without the ledger.
pub mod bare {
    use super::old::Notes;
    use skill_agent::prelude::*;

    agent! {
        /// Keeps notes.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Office {
            name: "office",
            skills: [Notes],
        }
    }
}
