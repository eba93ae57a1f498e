//! The builds of an agent that counts its commands.

use super::seen::Seen;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use std::time::Duration;

/// A build of the agent.
pub trait Build: Agent + AgentRunsWith<()> {
    /// The stored field that the build does not have.
    const FORGET: Option<&'static str>;

    /// Applies a number by a typed call. Returns the answer.
    fn apply(server: &AgentServer<Self>, n: u64) -> impl Future<Output = Option<u64>> + Send;

    /// The same with the number as the idempotency key.
    fn apply_with_key(
        server: &AgentServer<Self>,
        n: u64,
    ) -> impl Future<Output = Option<u64>> + Send;
}

/// Declares a build: its module, the version of its skill, the stored field that it does not have, and the sets that it has in addition.
macro_rules! build {
    ($module:ident $version:literal $forget:expr, { $($added:ident)? }) => {
        pub mod $module {
            use super::*;

            /// Which commands were applied, and which of their runs and schedules happened.
            #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            #[skill(name = "tally", version = $version, actions(Apply, RecordRun, RecordSchedule))]
            pub struct Tally {
                pub applied: Seen,
                pub ran: Seen,
                pub scheduled: Seen,
                $(pub $added: Seen,)?
            }

            /// Record a number, and queue a signal, a run and a schedule for it.
            #[action(on("tally.apply"))]
            pub fn apply(tally: &mut Tally, cx: &mut Context<Tally>, n: u64) -> u64 {
                tally.applied.insert(n);
                $(tally.$added.insert(n);)?
                cx.emit(Signal::new("tally.applied", json!({ "n": n })));
                cx.run(Instruction::new("record_run", json!({ "n": n })));
                cx.schedule(
                    Duration::from_millis(n % 50),
                    Signal::new("tally.scheduled", json!({ "n": n })),
                );
                n
            }

            /// Record that a run happened.
            #[action(internal)]
            pub fn record_run(tally: &mut Tally, n: u64) {
                tally.ran.insert(n);
            }

            /// Record that a schedule fired.
            #[action(on("tally.scheduled"), internal)]
            pub fn record_schedule(tally: &mut Tally, n: u64) {
                tally.scheduled.insert(n);
            }

            agent! {
                /// Counts commands.
                #[derive(Clone, Debug, PartialEq)]
                pub struct Counting {
                    name: "counting",
                    skills: [Tally],
                }
            }

            impl Build for Counting {
                const FORGET: Option<&'static str> = $forget;

                async fn apply(server: &AgentServer<Self>, n: u64) -> Option<u64> {
                    server.call(Apply { n }).await.ok()
                }

                async fn apply_with_key(server: &AgentServer<Self>, n: u64) -> Option<u64> {
                    server.call_with_key(n.to_string(), Apply { n }).await.ok()
                }
            }
        }
    };
}

build! { first "1.0.0" Some("tally.audited"), {} }
build! { renamed "1.0.0" Some("tally.audited"), {} }
build! { audited "1.0.0" None, { audited } }
build! { released "2.0.0" Some("tally.audited"), {} }

/// The name of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildName {
    First,
    /// The first one with its module renamed.
    Renamed,
    /// The first one with one more field, which has the numbers that this build applied.
    Audited,
    /// The first one with another version.
    Released,
}

impl BuildName {
    pub const ALL: [Self; 4] = [Self::First, Self::Renamed, Self::Audited, Self::Released];
}
