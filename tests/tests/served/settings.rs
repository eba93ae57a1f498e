//! Settings at the ends of their ranges, and the runtime that a server needs.

use crate::errors::chain;
use crate::recorded_traces::Traces;
use crate::support::counter::*;
use crate::support::subscribed;
use serde_json::json;
use skill_agent::StartError;
use skill_agent::prelude::*;
use skill_agent::server::ErrorPolicy;
use skill_agent::testing::ManualClock;
use std::time::Duration;
use tokio::runtime::Builder;

fn builder() -> skill_agent::server::AgentServerBuilder<Clerk> {
    AgentServer::builder(Clerk::new())
}

#[timed_test::test]
async fn a_deadline_beyond_the_end_of_the_clock_is_none() {
    for server in [
        clerk().await,
        builder().clock(ManualClock::new()).start().await.unwrap(),
    ] {
        for time in [Duration::MAX, Duration::from_secs(i64::MAX as u64)] {
            let server = server.within(time);
            server.call(Add { by: 1 }).await.unwrap();
            server.call_json("add", r#"{"by":1}"#).await.unwrap();
            let caller = server.on_behalf_of(ForeignCaller::Model);
            caller.within(time).call(Add { by: 1 }).await.unwrap();
        }
        assert_eq!(server.call(Add { by: 0 }).await.unwrap(), 6);
    }
}

#[timed_test::test]
async fn every_setting_of_a_server_may_be_its_largest_or_its_smallest_value() {
    for (count, time) in [(0, Duration::ZERO), (usize::MAX, Duration::MAX)] {
        let traces = Traces::record();
        let server = builder()
            .mailbox_capacity(count)
            .subscription_capacity(count)
            .concurrent_actions(count)
            .time_limit(time)
            .grace(time)
            .approver_time_limit(time)
            .start()
            .await
            .unwrap();
        let mut counts = server.subscribe("counter.count").unwrap();
        assert_eq!(server.call(Add { by: 1 }).await.unwrap(), 1);
        server.call(EmitCount { times: 1 }).await.unwrap();
        assert!(counts.next().await.is_some());
        assert_eq!(server.stats().mailbox, 0);
        server.stop().await.unwrap();
        for method in [
            "mailbox_capacity",
            "subscription_capacity",
            "concurrent_actions",
        ] {
            let warning = format!("`{method}(0)` allows one at a time");
            assert_eq!(traces.text().contains(&warning), count == 0);
        }
    }
}

#[test]
fn a_runtime_without_a_timer_is_an_error_unless_the_clock_needs_none() {
    let without = || Builder::new_current_thread().build().unwrap();
    let error = without().block_on(builder().start()).unwrap_err();
    assert!(matches!(error, StartError::NoTimer), "{error:?}");
    for cure in ["enable_time()", ".clock("] {
        assert!(error.to_string().contains(cure), "{error}");
    }
    without().block_on(async {
        let manual = builder().clock(ManualClock::new()).start().await;
        assert_eq!(manual.unwrap().call(Add { by: 1 }).await.unwrap(), 1);
    });
    let with = Builder::new_current_thread().enable_time().build().unwrap();
    with.block_on(builder().start()).unwrap();
}

#[timed_test::test]
async fn an_error_has_at_most_200_characters_of_the_type_of_a_signal() {
    let builder = builder().error_policy(ErrorPolicy::Emit);
    let (builder, mut errors) = subscribed(builder, "agent.error");
    let server = builder.start().await.unwrap();
    let long = Signal::new("é".repeat(1 << 20), json!({}));
    let error = server.request(long.clone()).await.unwrap_err();
    server.send(long).await.unwrap();
    let sent = errors.next().await.unwrap().data().to_string();
    for text in [chain(&error), sent] {
        let expected = format!("`{}…`", "é".repeat(200));
        assert!(text.contains(&expected), "{text}");
        assert!(text.chars().count() < 700, "{text}");
    }
}

/// A till whose configuration has a constraint.
mod till {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use skill_agent::prelude::*;

    /// A till.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "till", config = TillConfig)]
    pub struct Till {
        pub coins: u32,
    }

    /// The currency of the till.
    #[derive(SkillConfig, Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct TillConfig {
        #[skill(default = "EUR".to_owned())]
        #[schemars(regex(pattern = "^[A-Z]{3}$"))]
        pub currency: String,
    }

    agent! {
        /// Has a till.
        pub struct Kiosk {
            name: "kiosk",
            skills: [Till { currency: "euro".to_owned() }],
        }
    }
}

#[timed_test::test]
async fn a_server_does_not_start_with_a_configuration_that_violates_a_constraint() {
    let error = AgentServer::builder(till::Kiosk::new()).start().await;
    let error = error.unwrap_err();
    assert!(matches!(error, StartError::Config { .. }), "{error:?}");
    assert_eq!(
        chain(&error),
        "the configuration of `kiosk` is invalid: `till.currency`: \"euro\" does not match the pattern `^[A-Z]{3}$`"
    );
}
