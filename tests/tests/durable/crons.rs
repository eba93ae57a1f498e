//! Schedules at the times of cron expressions.

use super::repeats::{Pulse, scheduled, seconds};
use super::{kill, start};
use skill_agent::clock::Clock;
use skill_agent::directive::Repeat;
use skill_agent::prelude::*;
use skill_agent::server::{AgentServerBuilder, RepeatError};
use skill_agent::store::{Memory, Store};
use skill_agent::testing::ManualClock;
use skill_agent::{HookError, StartError};
use std::time::SystemTime;

/// Half past two, which the last Sunday in March skips, and the last Sunday in October has twice.
const NIGHTLY: Repeat = cron("30 2 * * *", "Europe/Berlin").missed(Missed::All);

agent! {
    /// Has a pulse each night.
    pub struct Night {
        name: "night",
        skills: [Pulse],
        schedules: [nightly = NIGHTLY => "pulse.beat"],
    }
}

fn night_on(store: impl Store, clock: &ManualClock) -> AgentServerBuilder<Night> {
    AgentServer::builder(Night::with_id("night-1"))
        .store(store)
        .clock(clock.clone())
}

/// The clock of these tests, at a time in seconds since the Unix epoch.
fn clock_at(time: u64) -> ManualClock {
    ManualClock::at(SystemTime::UNIX_EPOCH + seconds(time))
}

/// The times of the runs, in seconds since the Unix epoch.
async fn runs(server: &AgentServer<Night>, count: usize) -> Vec<u64> {
    let zero = ManualClock::new().now();
    let zero = zero.duration_since(SystemTime::UNIX_EPOCH).unwrap();
    loop {
        scheduled(server).await;
        let agent = server.agent().await.unwrap();
        let beats = &agent.state().pulse.beats;
        if beats.len() >= count {
            return beats.iter().map(|beat| beat + zero.as_secs()).collect();
        }
    }
}

#[timed_test::test]
async fn each_night_has_one_run_when_the_clocks_change() {
    // 2026-03-28 at noon, and 2026-10-24 at noon, both in UTC
    for (noon, expected) in [
        // at 3:00 in summer time, which is 1:00 in UTC, and then at 2:30
        (1_774_699_200, [1_774_746_000, 1_774_830_600]),
        // at the first 2:30, which is 0:30 in UTC, and then at 1:30 in UTC
        (1_792_843_200, [1_792_888_200, 1_792_978_200]),
    ] {
        for is_restarted in [false, true] {
            let (memory, clock) = (Memory::default(), clock_at(noon));
            let mut server = start(night_on(memory.clone(), &clock)).await;
            assert_eq!(scheduled(&server).await, 1);
            if is_restarted {
                kill(server).await;
                clock.advance(seconds(2 * 86_400));
                server = start(night_on(memory, &clock)).await;
            } else {
                for _ in 0..2 * 24 * 4 {
                    clock.advance(seconds(900));
                    scheduled(&server).await;
                }
            }
            assert_eq!(runs(&server, 2).await, expected);
        }
    }
}

/// Begins to repeat a signal with the texts that it gets.
#[derive(Skill, Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
#[skill(name = "alarm", config = AlarmConfig, actions(Wake, Ring), hooks)]
pub struct Alarm {
    pub rings: u64,
}

#[derive(Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct AlarmConfig {
    /// An expression to begin with.
    pub cron: String,
}

/// Ring at the times of a cron expression.
#[action]
pub fn wake(alarm: &mut Alarm, cx: &mut Context<Alarm>, cron: String, zone: String) {
    alarm.rings += 1;
    cx.repeat_as(
        "wake",
        Repeat::cron(cron, zone),
        Signal::without_data("alarm.ring"),
    );
}

/// Ring.
#[action(on("alarm.ring"))]
pub fn ring(alarm: &mut Alarm) {
    alarm.rings += 1;
}

impl Hooks for Alarm {
    fn on_mount(&mut self, _: skill_agent::Start, cx: &mut Context<Self>) -> Result<(), HookError> {
        let cron = cx.config().cron.clone();
        if !cron.is_empty() {
            cx.repeat_as(
                "wake",
                Repeat::cron(cron, "UTC"),
                Signal::without_data("alarm.ring"),
            );
        }
        Ok(())
    }
}

agent! {
    /// Has an alarm.
    pub struct Bedroom {
        name: "bedroom",
        skills: [Alarm],
    }
}

agent! {
    /// Declares a zone that does not exist.
    pub struct Nowhere {
        name: "nowhere",
        skills: [Alarm],
        schedules: [daily = cron("0 9 * * *", "Europe/Berln") => "alarm.ring"],
    }
}

fn bedroom_on(store: impl Store, cron: &str) -> AgentServerBuilder<Bedroom> {
    let config = AlarmConfig { cron: cron.into() };
    let agent = Bedroom::builder()
        .id("bedroom-1")
        .config::<Alarm>(config)
        .build()
        .unwrap();
    AgentServer::builder(agent).store(store)
}

#[timed_test::test]
async fn a_wrong_expression_fails_the_command_or_the_start_and_changes_nothing() {
    let memory = Memory::default();
    let server = start(bedroom_on(memory.clone(), "")).await;
    let of = async |cron: &str| {
        let arguments = format!(r#"{{"cron":"{cron}","zone":"Asia/Tokyo"}}"#);
        let called = server.call_json("wake", &arguments).await;
        called.map_err(|error| error.to_string())
    };
    let error = of("0 25 * * *").await.unwrap_err();
    assert!(
        error.starts_with(
            "the schedule of `alarm` cannot repeat: `0 25 * * *` is not a cron expression ("
        ),
        "{error}"
    );
    assert_eq!(
        of("0 0 30 2 *").await.unwrap_err(),
        "the schedule of `alarm` cannot repeat: `0 0 30 2 *` has no time in the future; nothing of the command was applied"
    );
    assert_eq!(server.agent().await.unwrap().state().alarm.rings, 0);
    of("0 7 * * *").await.unwrap();
    assert_eq!(scheduled(&server).await, 1);
    kill(server).await;

    let failed = bedroom_on(memory.clone(), "never")
        .start()
        .await
        .unwrap_err();
    let StartError::Repeat { skill, reason, .. } = &failed else {
        panic!("{failed:?}");
    };
    assert_eq!(skill, "alarm");
    assert!(matches!(reason, RepeatError::Expression { .. }));
    let server = start(bedroom_on(memory, "")).await;
    assert_eq!(server.agent().await.unwrap().state().alarm.rings, 1);
    assert_eq!(scheduled(&server).await, 1);
}

#[timed_test::test]
async fn a_wrong_declared_zone_fails_the_start() {
    let memory = Memory::default();
    let agent = Nowhere::with_id("nowhere-1");
    let started = AgentServer::builder(agent).store(memory.clone()).start();
    assert_eq!(
        started.await.unwrap_err().to_string(),
        "the schedule of `nowhere` cannot repeat: the time zone `Europe/Berln` of the cron expression `0 9 * * *` is unknown; \
         write an IANA name, such as `Europe/Berlin` or `UTC`"
    );
    let mut log = memory.open("nowhere-1").unwrap();
    assert!(log.recover().await.unwrap().snapshot.is_none());
}

#[timed_test::test]
async fn a_schedule_ends_after_its_last_run() {
    // 2026-12-31 at noon
    let (memory, clock) = (Memory::default(), clock_at(1_798_718_400));
    let server = start(bedroom_on(memory.clone(), "").clock(clock.clone())).await;
    let arguments = r#"{"cron":"0 0 0 1 1 * 2027","zone":"UTC"}"#;
    server.call_json("wake", arguments).await.unwrap();
    assert_eq!(scheduled(&server).await, 1);
    clock.advance(seconds(86_400));
    while server.agent().await.unwrap().state().alarm.rings < 2 {}
    assert_eq!(scheduled(&server).await, 0);
    kill(server).await;
    let server = start(bedroom_on(memory, "").clock(clock)).await;
    assert_eq!(scheduled(&server).await, 0);
    assert_eq!(server.agent().await.unwrap().state().alarm.rings, 2);
}

#[timed_test::test]
async fn an_endless_night_is_over_in_time() {
    // the last time that a civil date can have
    let clock = clock_at(253_402_300_000);
    let builder = AgentServer::builder(Night::new()).clock(clock);
    let server = builder.start().await.unwrap();
    assert_eq!(scheduled(&server).await, 0);
}

agent! {
    /// Declares a schedule whose last year has passed.
    pub struct Past {
        name: "past",
        skills: [Pulse],
        schedules: [year = cron("0 0 0 1 1 * 2020", "UTC") => "pulse.beat"],
    }
}

#[timed_test::test]
async fn a_declared_expression_whose_last_year_has_passed_does_not_prevent_the_start() {
    let past = |time| AgentServer::builder(Past::new()).clock(clock_at(time));
    let in_2019 = past(1_550_000_000).start().await.unwrap();
    assert_eq!(scheduled(&in_2019).await, 1);
    let in_2021 = past(1_610_000_000).start().await.unwrap();
    assert_eq!(scheduled(&in_2021).await, 0);
}
