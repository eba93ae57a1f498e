//! A schedule comes once, at the first moment at or after its time, however the wall clock jumps.

use super::library_agent::*;
use super::numbers::Numbers;
use super::{book_on, kill, read, start};
use skill_agent::clock::Clock;
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::ManualClock;
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

const JUMPS: u64 = 1_000;
/// The server looks at the clock this often.
const CHECK: Duration = Duration::from_secs(1);

/// The schedules, and the signals that are expected of them.
#[derive(Default)]
struct Plans {
    /// The due times of those that wait, by their numbers.
    waiting: BTreeMap<u64, SystemTime>,
    came: Vec<u64>,
    count: u64,
}

impl Plans {
    async fn add(&mut self, server: &AgentServer<Library>, clock: &ManualClock, seconds: u64) {
        self.count += 1;
        let (n, key) = (self.count, None);
        server.call(Plan { n, seconds, key }).await.unwrap();
        let due = clock.now() + Duration::from_secs(seconds);
        self.waiting.insert(n, due);
    }

    /// Waits until all that is due has come, and checks that nothing else has, and nothing twice.
    async fn check(&mut self, server: &AgentServer<Library>, now: SystemTime, jump: u64) {
        let is_due = |_: &u64, due: &mut SystemTime| *due <= now;
        let due: Vec<_> = self.waiting.extract_if(.., is_due).collect();
        self.came.extend(due.iter().map(|(n, _)| n));
        self.came.sort_unstable();
        let mut entries = Vec::new();
        for _ in 0..100 {
            entries = read(server).await.entries;
            if entries.len() == self.came.len() {
                break;
            }
        }
        entries.sort_unstable();
        assert_eq!(entries, self.came, "after jump {jump}: {due:?} were due");
    }
}

#[timed_test::test]
async fn a_schedule_comes_once_at_or_after_its_time_however_the_clock_jumps() {
    let (memory, clock) = (Memory::default(), ManualClock::new());
    let start = || start(book_on(memory.clone()).clock(clock.clone()));
    let (mut numbers, mut plans) = (Numbers::new(1), Plans::default());
    let mut server = start().await;
    let mut jumps_over = 0;
    for jump in 0..JUMPS {
        for _ in 0..numbers.below(3) {
            let seconds = 1 + numbers.below(300);
            plans.add(&server, &clock, seconds).await;
        }
        if !plans.waiting.is_empty() {
            clock.wait_for_sleepers(1).await;
        }
        let before = clock.now();
        let by = Duration::from_secs(numbers.below(200));
        let to = match numbers.below(2) {
            0 => before - by,
            _ => before + by,
        };
        clock.set(to);
        if numbers.below(20) == 0 {
            // The next server finds schedules in the past and in the future.
            kill(server).await;
            server = start().await;
            plans.check(&server, to, jump).await;
        }
        jumps_over += plans.waiting.values().filter(|due| **due <= to).count();
        clock.advance(CHECK);
        plans.check(&server, to + CHECK, jump).await;
    }
    assert!(
        jumps_over > 100,
        "{jumps_over} schedules were due in a jump"
    );
    // All that is left.
    if !plans.waiting.is_empty() {
        clock.wait_for_sleepers(1).await;
    }
    println!(
        "{JUMPS} jumps: {jumps_over} schedules were due at or before one, {} came after them, {} wait",
        plans.came.len(),
        plans.waiting.len()
    );
    let last = clock.now() + Duration::from_secs(1_000_000);
    clock.advance(Duration::from_secs(1_000_000));
    plans.check(&server, last, JUMPS).await;
    assert_eq!(plans.came, (1..=plans.count).collect::<Vec<_>>());
    println!("each of {} schedules came once", plans.count);
    kill(server).await;
    let server = start().await;
    plans.check(&server, last, JUMPS).await;
    assert_eq!(server.stop().await.unwrap().pending, 0);
}
