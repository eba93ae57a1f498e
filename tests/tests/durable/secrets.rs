//! Errors about stored states: they quote no values, unless payloads are traced, and never a secret.

use super::{chain, kill, start};
use serde_json::json;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::store::Memory;

/// One agent in several builds, each with another `Vault` and another mounted `Safe`.
macro_rules! build {
    ($build:ident, $(#[$vault:meta])* { $($fields:tt)* } $($code:tt)*) => {
        mod $build {
            use schemars::JsonSchema;
            use serde::{Deserialize, Serialize};
            use serde_json::Value;
            use skill_agent::prelude::*;

            /// Keeps a value and a secret.
            #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
            $(#[$vault])*
            #[skill(name = "vault", hooks)]
            pub struct Vault { $($fields)* }

            /// The same, mounted.
            #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
            $(#[$vault])*
            #[skill(name = "safe", hooks)]
            pub struct Safe { $($fields)* }

            agent! {
                pub struct Bank { name: "bank", skills: [Vault], mounted: [Safe] }
            }

            $($code)*
        }
    };
}

build!(
    old,
    #[serde(default)]
    {
        pub owner: String,
        #[skill(secret)]
        pub code: String,
    }
    impl Hooks for Vault {}
    impl Hooks for Safe {}
    fn _unused(_: Value) {}
);

// Its states have another schema, and its hooks quote what they refuse.
build!(
    quoting,
    #[serde(default)]
    {
        pub owner: u32,
        #[skill(secret)]
        pub code: String,
    }
    impl Hooks for Vault {
        fn restore(_: &str, state: Value) -> Result<Self, HookError> {
            if state["owner"] == "" {
                return Ok(Self::default());
            }
            let code = &state["code"];
            let _: Self = serde_json::from_value(state.clone())
                .map_err(|error| HookError::new(format!("{error}; its code is {code}")))?;
            Ok(Self::default())
        }
    }
    impl Hooks for Safe {
        fn restore(_: &str, state: Value) -> Result<Self, HookError> {
            Vault::restore("", state).map(|_| Self::default())
        }
    }
);

// Its states have the same schema, and less is accepted.
build!(
    strict,
    #[serde(default, try_from = "Loose")]
    {
        pub owner: String,
        #[skill(secret)]
        pub code: String,
    }
    impl Hooks for Vault {}
    impl Hooks for Safe {}

    #[derive(Default, Deserialize, JsonSchema)]
    #[serde(default)]
    struct Loose {
        owner: String,
        code: String,
    }
    impl TryFrom<Loose> for Vault {
        type Error = String;
        fn try_from(loose: Loose) -> Result<Self, String> {
            if loose.owner.is_empty() {
                Ok(Self::default())
            } else {
                Err(format!("{} has the code {}", loose.owner, loose.code))
            }
        }
    }
    impl TryFrom<Loose> for Safe {
        type Error = String;
        fn try_from(loose: Loose) -> Result<Self, String> {
            Vault::try_from(loose).map(|_| Self::default())
        }
    }
    fn _unused(_: Value) {}
);

// Its hooks panic with what they refuse.
build!(
    panicking,
    #[serde(default)]
    {
        pub owner: u32,
        #[skill(secret)]
        pub code: String,
    }
    impl Hooks for Vault {
        fn restore(_: &str, state: Value) -> Result<Self, HookError> {
            assert!(state["owner"] == "", "{state}");
            Ok(Self::default())
        }
    }
    impl Hooks for Safe {
        fn restore(_: &str, state: Value) -> Result<Self, HookError> {
            panic!("{state}");
        }
    }
);

/// A store in which the listed skill, or the mounted one, has an owner and a code.
async fn filled(is_mounted: bool) -> Memory {
    let memory = Memory::default();
    let bank = old::Bank::with_id("bank-1");
    let server = start(AgentServer::builder(bank).store(memory.clone())).await;
    let state = json!({ "owner": "Ada", "code": "hunter2" });
    let patch = if is_mounted {
        json!({ "skills": { "safe": state } })
    } else {
        json!({ "vault": state })
    };
    server.set(patch).await.unwrap();
    kill(server).await;
    memory
}

/// The text of the error with which a build refuses the store.
async fn refused<G: Agent + AgentRunsWith<()>>(memory: &Memory, payloads: bool) -> String {
    let builder = AgentServer::builder(G::with_id("bank-1")).store(memory.clone());
    let error = builder.trace_payloads(payloads).start().await.unwrap_err();
    let text = chain(&error);
    assert!(!text.contains("hunter2"), "{text}");
    assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
    text
}

#[timed_test::test]
async fn errors_about_stored_states_quote_values_only_with_payloads_and_never_secrets() {
    for is_mounted in [false, true] {
        let memory = filled(is_mounted).await;
        for (without, with, shown, quoted) in [
            (
                refused::<quoting::Bank>(&memory, false).await,
                refused::<quoting::Bank>(&memory, true).await,
                "invalid type: string \"…\", expected u32; its code is \"<secret>\"",
                "invalid type: string \"Ada\", expected u32; its code is \"<secret>\"",
            ),
            (
                refused::<strict::Bank>(&memory, false).await,
                refused::<strict::Bank>(&memory, true).await,
                "… has the code <secret>",
                "Ada has the code <secret>",
            ),
            (
                refused::<panicking::Bank>(&memory, false).await,
                refused::<panicking::Bank>(&memory, true).await,
                "\"owner\":\"…\"",
                "\"owner\":\"Ada\"",
            ),
        ] {
            assert!(without.contains(shown), "mounted: {is_mounted}: {without}");
            assert!(with.contains(quoted), "mounted: {is_mounted}: {with}");
        }
    }
}
