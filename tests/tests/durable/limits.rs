//! The limits of what a command leads to hold across restarts, and a stop says what the store keeps.

use super::fan_agent::*;
use super::{kill, start};
use skill_agent::prelude::*;
use skill_agent::server::{AgentServerBuilder, MAX_DIRECTIVES, MAX_FOLLOW_UPS, MAX_SCHEDULES};
use skill_agent::store::{Commit, Logged, Memory, Record, RecordKind, Recovered, Store};
use skill_agent::testing::{Fault, FaultyStore, ManualClock};
use std::time::{Duration, Instant};

fn fan_on(store: &(impl Store + Clone)) -> AgentServerBuilder<FanAgent> {
    fan().store(store.clone()).grace(Duration::ZERO)
}

async fn recovered(store: &impl Store) -> Recovered {
    store.open("fan-1").unwrap().recover().await.unwrap()
}

/// The end of a server.
#[derive(Clone, Copy, Debug)]
enum End {
    /// The count is in the records.
    Kill,
    /// The count is in the snapshot.
    Stop,
}

/// Ends a server, and starts the next one, which finds pending directives.
async fn restart(server: AgentServer<FanAgent>, end: End, store: &Memory) -> AgentServer<FanAgent> {
    match end {
        End::Kill => kill(server).await,
        End::Stop => {
            let report = server.stop().await.unwrap();
            let pending = recovered(store).await.snapshot.unwrap().pending;
            assert_eq!((report.pending, report.dropped), (pending.len(), 0));
        }
    }
    let server = start(fan_on(store)).await;
    assert!(server.recovery().directives > 0, "{end:?}");
    server
}

#[timed_test::test]
async fn the_follow_ups_of_a_cause_are_counted_across_restarts() {
    for (kind, end) in [
        (Kind::Run, End::Kill),
        (Kind::Run, End::Stop),
        (Kind::Loopback, End::Stop),
        (Kind::Now, End::Kill),
    ] {
        reset_turns();
        let memory = Memory::default();
        let server = start(fan_on(&memory)).await;
        server.call(Repeat { kind, count: 25 }).await.unwrap();
        while state_of(&server).await.commands < 200 {}
        let server = restart(server, end, &memory).await;
        while server.stats().failed == 0 {
            tokio::task::yield_now().await;
        }
        // As many as without a restart: all others fail.
        let commands = state_of(&server).await.commands;
        assert_eq!(commands, MAX_FOLLOW_UPS / 25, "{kind:?} {end:?}");
    }
}

#[timed_test::test]
async fn a_follow_up_that_was_logged_early_knows_of_the_later_ones_after_a_restart() {
    for how in [End::Kill, End::Stop] {
        let memory = Memory::default();
        hold(true);
        let server = start(fan_on(&memory)).await;
        let before = ended(&server);
        // the two, 999 runs of `queue`, and 8,989 marks
        let (count, mut counts) = (20, vec![9; 998]);
        counts.push(7);
        server.call(FetchAndSpread { count, counts }).await.unwrap();
        // of 9,990 follow-ups, one waits and the others end
        let all = until_ended(&server, before, 1 + 9_989).await;
        assert_eq!(all, 1 + 9_989);
        server.call(Mark {}).await.unwrap();
        let marks = state_of(&server).await.marks;
        let server = restart(server, how, &memory).await;
        assert_eq!(server.recovery().directives, 1, "{how:?}");
        kill(server).await;
        hold(false);
        let server = start(fan_on(&memory)).await;
        while server.stats().failed == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(state_of(&server).await.marks, marks, "{how:?}");
        assert_eq!(server.stop().await.unwrap().pending, 0);
    }
}

#[timed_test::test]
async fn follow_ups_that_are_done_count_after_a_kill() {
    let memory = Memory::default();
    hold(true);
    let server = start(fan_on(&memory)).await;
    let before = ended(&server);
    let (count, counts) = (0, vec![3, 4]);
    server.call(FetchAndSpread { count, counts }).await.unwrap();
    until_ended(&server, before, 1 + 1 + 2 + 7).await;
    kill(server).await;
    start(fan_on(&memory)).await.stop().await.unwrap();
    let pending = recovered(&memory).await.snapshot.unwrap().pending;
    let counted: Vec<_> = pending
        .iter()
        .map(|logged| logged.cause.unwrap().follow_ups)
        .collect();
    assert_eq!(counted, [2 + 2 + 7]);
}

#[timed_test::test]
async fn a_stop_in_a_chain_leaves_the_rest_to_the_next_start() {
    let memory = Memory::default();
    let clock = ManualClock::new();
    let server = start(
        fan_on(&memory)
            .clock(clock.clone())
            .grace(Duration::from_secs(5)),
    )
    .await;
    let kind = Kind::Run;
    server.call(Repeat { kind, count: 10 }).await.unwrap();
    while turns() < 300 {
        tokio::task::yield_now().await;
    }
    advance_each_turn(&clock);
    let began = Instant::now();
    let report = server.stop().await.unwrap();
    let at_stop = turns();
    println!(
        "stopped in {:?}, {} turns after 300, {} directives pending",
        began.elapsed(),
        at_stop - 300,
        report.pending
    );
    assert!(at_stop <= 300 + 2 * 256 + 5, "{at_stop} turns");
    assert_eq!((report.pending, report.dropped), (9 * at_stop + 1, 0));

    let server = start(fan_on(&memory).clock(clock)).await;
    assert_eq!(server.recovery().directives, report.pending);
    until_ended(&server, 0, report.pending as u64).await;
    assert_eq!(state_of(&server).await.commands, MAX_FOLLOW_UPS / 10);
    assert_eq!(server.stop().await.unwrap(), Default::default());
}

#[timed_test::test]
async fn a_command_that_queues_too_much_leaves_nothing_in_the_log() {
    let memory = Memory::default();
    let server = start(fan_on(&memory)).await;
    let kind = Kind::Run;
    let queue = |count| Queue { kind, count };
    let error = server.call(queue(MAX_DIRECTIVES + 1)).await.unwrap_err();
    assert!(matches!(error, ServeError::Limit { .. }), "{error:?}");
    kill(server).await;
    let records = recovered(&memory).await.records;
    let kinds: Vec<_> = records.iter().map(|record| record.kind).collect();
    assert_eq!(kinds, [RecordKind::OnMount]);
    let server = start(fan_on(&memory)).await;
    server.call(queue(MAX_DIRECTIVES)).await.unwrap();
    server.stop().await.unwrap();
    let server = start(fan_on(&memory)).await;
    while state_of(&server).await.marks < MAX_DIRECTIVES {}
}

#[timed_test::test]
async fn follow_ups_of_a_command_that_the_store_refused_do_not_count() {
    let store = FaultyStore::new(Memory::default());
    let server = start(fan_on(&store)).await;
    let (kind, before) = (Kind::Run, ended(&server));
    // The two runs of `queue` are refused, first together and then one by one.
    store.on_commit(1, Fault::Refuse);
    store.on_commit(2, Fault::Refuse);
    let counts = vec![9, 9];
    server.call(Spread { kind, counts }).await.unwrap();
    until_ended(&server, before, 1 + 2).await;
    assert_eq!(server.stop().await.unwrap().pending, 2);
    for logged in recovered(&store).await.snapshot.unwrap().pending {
        assert_eq!(logged.cause.unwrap().follow_ups, 2);
    }
}

#[timed_test::test]
async fn overdue_schedules_all_come_after_a_restart_while_calls_are_answered() {
    const COUNT: usize = 20_000;
    let memory = Memory::default();
    let clock = ManualClock::new();
    let server = start(fan_on(&memory).clock(clock.clone())).await;
    for _ in 0..COUNT / 1_000 {
        let (count, seconds) = (1_000, 1);
        server.call(Plan { count, seconds }).await.unwrap();
    }
    kill(server).await;
    clock.advance(Duration::from_secs(1));
    let server = start(fan_on(&memory).clock(clock)).await;
    assert_eq!(server.recovery().directives, COUNT);
    let mut answers = 0;
    while state_of(&server).await.marks < COUNT {
        answers += 1;
    }
    assert!(answers >= 10, "{answers}");
    assert_eq!((server.stats().failed, server.stats().scheduled), (0, 0));
    assert_eq!(server.stop().await.unwrap().pending, 0);
}

#[timed_test::test]
async fn schedules_that_the_store_kept_do_not_prevent_a_start() {
    let memory = Memory::default();
    let clock = ManualClock::new();
    let server = start(fan_on(&memory).clock(clock.clone())).await;
    let (count, seconds) = (1, 3600);
    server.call(Plan { count, seconds }).await.unwrap();
    kill(server).await;
    let mut log = memory.open("fan-1").unwrap();
    let last = log.recover().await.unwrap().records.pop().unwrap();
    let more = (1..MAX_SCHEDULES as u64).map(|n| Logged {
        n: last.directives[0].n + n,
        ..last.directives[0].clone()
    });
    let mut record = Record::new(last.seq + 1, RecordKind::Command, last.at, "more");
    record.directives = more.collect();
    log.commit(Commit::new([record])).await.unwrap();
    drop(log);
    queue_on_mount(Kind::Later, 1);
    let server = start(fan_on(&memory).clock(clock)).await;
    let plan = Plan {
        count: 1,
        seconds: 3600,
    };
    let error = server.call(plan).await.unwrap_err();
    assert!(matches!(error, ServeError::Limit { .. }), "{error:?}");
    assert_eq!(server.stop().await.unwrap().pending, MAX_SCHEDULES + 1);
}

#[timed_test::test]
async fn many_marks_are_written_without_waiting_for_the_next_record() {
    let memory = Memory::default();
    let server = start(fan_on(&memory)).await;
    let queue = || Queue {
        kind: Kind::Emit,
        count: 600,
    };
    // Both are in one batch, so no later record takes the marks of the first.
    let (first, second) = tokio::join!(server.call(queue()), server.call(queue()));
    first.and(second).unwrap();
    server.agent().await.unwrap();
    server.call(Mark {}).await.unwrap();
    kill(server).await;
    let records = recovered(&memory).await.records;
    let kinds: Vec<_> = records.iter().map(|record| record.kind).collect();
    let command = RecordKind::Command;
    assert!(
        kinds.ends_with(&[command, command, RecordKind::Mark, command]),
        "{kinds:?}"
    );
    let marks = &records[records.len() - 2];
    assert_eq!(marks.done.len(), 1_200);
    let server = start(fan_on(&memory)).await;
    assert_eq!(
        (server.recovery().directives, state_of(&server).await.marks),
        (0, 1)
    );
}
