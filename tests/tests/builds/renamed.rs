//! Agents and skills that have other names in the next build.

use super::{chain, kill, start, subscribed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::server::{
    AgentServerBuilder, ApprovalRequest, ErrorPolicy, RecoveryError, Verdict,
};
use skill_agent::store::{Memory, Store};
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::{ServeError, StartError, StopReason};

/// Keeps amounts.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "ledger", actions(Enter, EnterLater))]
pub struct Ledger {
    pub amounts: Vec<i64>,
}

/// Enter an amount.
#[action]
pub fn enter(ledger: &mut Ledger, amount: i64) -> usize {
    ledger.amounts.push(amount);
    ledger.amounts.len()
}

/// Enter an amount afterwards.
#[action]
pub fn enter_later(_: &Ledger, cx: &mut Context<Ledger>, amount: i64) {
    cx.run(Instruction::new("enter", json!({ "amount": amount })));
}

agent! {
    /// Keeps books.
    pub struct Clerk {
        name: "clerk",
        skills: [Ledger],
    }
}

agent! {
    /// Keeps books under another name.
    pub struct Accountant {
        name: "accountant",
        skills: [Ledger],
    }
}

agent! {
    /// Keeps two books. The first has another name.
    pub struct Bookkeeper {
        name: "clerk",
        skills: [Ledger as sales, Ledger as costs],
    }
}

agent! {
    /// Keeps the books of a bookkeeper under other names.
    pub struct Auditor {
        name: "clerk",
        skills: [Ledger as costs, Ledger as archive],
    }
}

/// The ledger with another state key.
mod rekeyed {
    use super::*;

    /// Keeps amounts.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "ledger", state_key = "books", actions(Enter, EnterLater))]
    pub struct Ledger {
        pub amounts: Vec<i64>,
    }

    /// Enter an amount.
    #[action]
    pub fn enter(ledger: &mut Ledger, amount: i64) -> usize {
        ledger.amounts.push(amount);
        ledger.amounts.len()
    }

    /// Enter an amount afterwards.
    #[action]
    pub fn enter_later(_: &Ledger, cx: &mut Context<Ledger>, amount: i64) {
        cx.run(Instruction::new("enter", json!({ "amount": amount })));
    }

    agent! {
        /// Keeps books.
        pub struct Clerk {
            name: "clerk",
            skills: [Ledger],
        }
    }
}

fn server<G: Agent + AgentRunsWith<()>>(store: &(impl Store + Clone)) -> AgentServerBuilder<G> {
    AgentServer::builder(G::with_id("books-1")).store(store.clone())
}

/// The amounts that a clerk has entered, one of them under a key.
async fn enter_two(store: &Memory) {
    let clerk = start(server::<Clerk>(store)).await;
    clerk.call(Enter { amount: 1 }).await.unwrap();
    assert_eq!(
        clerk.call_with_key("k", Enter { amount: 2 }).await.unwrap(),
        2
    );
    kill(clerk).await;
}

#[timed_test::test]
async fn the_state_of_an_agent_with_another_name_is_refused_unless_it_is_adopted() {
    let store = Memory::default();
    enter_two(&store).await;
    let error = server::<Accountant>(&store).start().await.unwrap_err();
    assert_eq!(
        chain(&error),
        "the stored state of `books-1` cannot be restored: the stored state is that of the agent `clerk`, and this agent is `accountant`; \
         take it over with `AgentServer::builder(...).adopt_agent(\"clerk\")`, or start this agent under another id"
    );
    let clerk = start(server::<Clerk>(&store)).await;
    assert_eq!(clerk.agent().await.unwrap().state().ledger.amounts, [1, 2]);
    kill(clerk).await;

    let builder = server::<Accountant>(&store)
        .adopt_agent("other")
        .adopt_agent("clerk");
    let accountant = start(builder).await;
    assert_eq!(
        accountant.agent().await.unwrap().state().ledger.amounts,
        [1, 2]
    );
    assert_eq!(
        accountant
            .call_with_key("k", Enter { amount: 2 })
            .await
            .unwrap(),
        2
    );
    kill(accountant).await;
    // It is the state of the accountant from here on.
    let accountant = start(server::<Accountant>(&store)).await;
    assert_eq!(
        accountant.agent().await.unwrap().state().ledger.amounts,
        [1, 2]
    );
    kill(accountant).await;
    let error = server::<Clerk>(&store).start().await.unwrap_err();
    assert!(
        chain(&error).contains("adopt_agent(\"accountant\")"),
        "{error:?}"
    );
}

#[timed_test::test]
async fn the_state_of_a_skill_with_another_key_is_refused_unless_it_is_adopted() {
    let store = Memory::default();
    enter_two(&store).await;
    let error = server::<Bookkeeper>(&store).start().await.unwrap_err();
    assert!(
        matches!(
            &error,
            StartError::Recovery {
                source: RecoveryError::UnknownSkill { .. },
                ..
            }
        ),
        "{error:?}"
    );
    let text = chain(&error);
    for way in [
        r#".adopt_skill("ledger", "new_key")"#,
        r#".forget("ledger")"#,
    ] {
        assert!(text.contains(way), "{text}");
    }
    let adopting = || server::<Bookkeeper>(&store).adopt_skill("ledger", "sales");
    let bookkeeper = start(adopting()).await;
    let sales = bookkeeper.instance(Bookkeeper::sales);
    let costs = bookkeeper.instance(Bookkeeper::costs);
    assert_eq!(
        sales.call_with_key("k", Enter { amount: 2 }).await.unwrap(),
        2
    );
    assert_eq!(
        costs.call_with_key("k", Enter { amount: 2 }).await.unwrap(),
        1
    );
    let state = bookkeeper.agent().await.unwrap().state().clone();
    assert_eq!(
        (&*state.sales.amounts, &*state.costs.amounts),
        (&[1, 2][..], &[2][..])
    );
    kill(bookkeeper).await;
    // Once it is adopted, the builder may say so or not.
    for builder in [adopting(), server::<Bookkeeper>(&store)] {
        let bookkeeper = start(builder).await;
        let sales = bookkeeper.instance(Bookkeeper::sales);
        assert_eq!(
            sales.call_with_key("k", Enter { amount: 2 }).await.unwrap(),
            2
        );
        assert_eq!(bookkeeper.agent().await.unwrap().state().costs.amounts, [2]);
        kill(bookkeeper).await;
    }
}

#[timed_test::test]
async fn skills_that_are_renamed_in_a_row_keep_their_states_and_keys() {
    for is_reversed in [false, true] {
        let store = Memory::default();
        let bookkeeper = start(server::<Bookkeeper>(&store)).await;
        let sales = bookkeeper.instance(Bookkeeper::sales);
        let costs = bookkeeper.instance(Bookkeeper::costs);
        sales.call_with_key("k", Enter { amount: 1 }).await.unwrap();
        costs.call_with_key("k", Enter { amount: 2 }).await.unwrap();
        costs.call(Enter { amount: 3 }).await.unwrap();
        kill(bookkeeper).await;
        let adopting = || {
            let mut pairs = [("sales", "costs"), ("costs", "archive")];
            if is_reversed {
                pairs.reverse();
            }
            let builder = server::<Auditor>(&store);
            pairs
                .into_iter()
                .fold(builder, |builder, (old, new)| builder.adopt_skill(old, new))
        };
        for _ in 0..2 {
            let auditor = start(adopting()).await;
            let costs = auditor.instance(Auditor::costs);
            let archive = auditor.instance(Auditor::archive);
            let repeated = [
                costs.call_with_key("k", Enter { amount: 1 }).await.unwrap(),
                archive
                    .call_with_key("k", Enter { amount: 2 })
                    .await
                    .unwrap(),
            ];
            assert_eq!(repeated, [1, 1]);
            let state = auditor.agent().await.unwrap().state().clone();
            assert_eq!(
                (&*state.costs.amounts, &*state.archive.amounts),
                (&[1][..], &[2, 3][..])
            );
            kill(auditor).await;
        }
    }
}

#[timed_test::test]
async fn a_request_that_was_deferred_before_its_skill_was_renamed_has_the_same_key() {
    let store = Memory::default();
    let clerk = server::<Clerk>(&store)
        .ask_when::<Enter>(|_| true)
        .approver(async |_: ApprovalRequest| Verdict::Later);
    let clerk = start(clerk).await;
    let error = clerk
        .call_with_key("k", Enter { amount: 2 })
        .await
        .unwrap_err();
    let ServeError::Pending(request) = error else {
        panic!("{error:?}");
    };
    kill(clerk).await;
    let clerk = server::<rekeyed::Clerk>(&store).adopt_skill("ledger", "books");
    let clerk = start(clerk).await;
    let again = rekeyed::Enter { amount: 2 };
    assert_eq!(clerk.call_with_key("k", again).await.unwrap(), 1);
    assert_eq!(clerk.decide(*request, true).await.unwrap(), "1");
    assert_eq!(clerk.agent().await.unwrap().state().ledger.amounts, [2]);
}

/// Kills a clerk whose action has queued an instruction that has not run.
async fn queue_enter(store: &FaultyStore) {
    let clerk = start(server::<Clerk>(store)).await;
    store.on_commit(1, Fault::FailBefore);
    clerk.call(EnterLater { amount: 1 }).await.unwrap();
    assert!(matches!(clerk.closed().await, StopReason::Store(_)));
}

#[timed_test::test]
async fn an_instruction_that_waits_runs_after_the_state_key_of_its_skill_has_changed() {
    let store = FaultyStore::new(Memory::default());
    queue_enter(&store).await;
    let builder = server::<rekeyed::Clerk>(&store).adopt_skill("ledger", "books");
    let clerk = start(builder).await;
    assert_eq!(clerk.recovery().directives, 1);
    assert_eq!(clerk.agent().await.unwrap().state().ledger.amounts, [1]);
}

#[timed_test::test]
async fn an_instruction_that_waits_fails_once_after_its_skill_was_listed_under_another_name() {
    let store = FaultyStore::new(Memory::default());
    queue_enter(&store).await;
    let builder = || {
        let builder = server::<Bookkeeper>(&store).error_policy(ErrorPolicy::Emit);
        subscribed(builder.adopt_skill("ledger", "sales"), "agent.error")
    };
    let (first, mut errors) = builder();
    let bookkeeper = start(first).await;
    assert_eq!(bookkeeper.recovery().directives, 1);
    let error = errors.next().await.unwrap();
    assert_eq!(
        error.data()["message"],
        "the agent `clerk` has no action `enter`"
    );
    let agent = bookkeeper.agent().await.unwrap();
    assert!(agent.state().sales.amounts.is_empty());
    bookkeeper.stop().await.unwrap();
    let bookkeeper = start(builder().0).await;
    assert_eq!(bookkeeper.recovery().directives, 0);
}
