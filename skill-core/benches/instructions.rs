//! Counts the instructions of commands with callgrind, and compares the counts with the bounds in `instructions.txt`.
//!
//! Unlike time, the number of instructions is the same in every run, so a regression shows on any machine. Run it with
//! `cargo bench -p skill-agent-core --bench instructions`; append `-- --write` to update the bounds. Without valgrind, it prints
//! that it is skipped.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_core::{Agent, Instruction, Skill, action, agent};
use std::fmt;
use std::hint::black_box;
use std::process::{Command, ExitCode};

/// The relative tolerance above the bound, for differences between versions of libc.
const TOLERANCE: f64 = 0.03;

/// The absolute tolerance in instructions: a copy takes one more loop iteration if the memory is aligned differently.
const COPY_ITERATION: f64 = 16.0;

/// Below this number of instructions, nothing is copied.
const COPYING: f64 = 100.0;

/// The number of additional calls in the longer of two runs. The difference in instructions between the runs excludes the
/// startup.
const CALLS: u64 = 1_000;

const BOUNDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.txt");

/// A skill with three actions.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "kit", actions(Add, Label, Count))]
pub struct Kit {
    used: u64,
}

/// Add two numbers.
#[action]
pub fn add(kit: &mut Kit, a: i64, b: i64) -> i64 {
    kit.used += 1;
    a.wrapping_add(b)
}

/// Write a label for a text.
#[action]
pub fn label(kit: &mut Kit, text: String, width: u32) -> String {
    kit.used += 1;
    format!("{text}-{width}")
}

/// Count the numbers that are not below a bound.
#[action]
pub fn count(kit: &mut Kit, numbers: Vec<i64>, least: i64) -> usize {
    kit.used += 1;
    numbers.iter().filter(|number| **number >= least).count()
}

/// One kilobyte of samples.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "log", actions(Record))]
pub struct Log {
    #[skill(default = vec![0.0; 128])]
    samples: Vec<f64>,
}

/// Replace a sample and return the old one.
#[action]
pub fn record(log: &mut Log, at: usize, sample: f64) -> Result<f64, OutOfBounds> {
    let place = log.samples.get_mut(at).ok_or(OutOfBounds(at))?;
    Ok(std::mem::replace(place, sample))
}

/// The index is out of bounds.
#[derive(Debug)]
pub struct OutOfBounds(usize);

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the index {} is out of bounds", self.0)
    }
}

impl std::error::Error for OutOfBounds {}

agent! {
    /// Lists both skills.
    pub struct Worker {
        name: "worker",
        skills: [Kit, Log],
    }
}

/// A measured case: its name, and a function that runs it the given number of times.
type Case = (&'static str, fn(u64));

const CASES: [Case; 12] = [
    ("function", |times| {
        let mut kit = Kit::default();
        for _ in 0..times {
            black_box(add(black_box(&mut kit), black_box(40), black_box(2)));
        }
    }),
    ("cmd", |times| {
        let mut worker = Worker::new();
        for _ in 0..times {
            let (a, b) = (black_box(40), black_box(2));
            let _ = black_box(
                black_box(&mut worker)
                    .cmd(Add { a, b })
                    .map(|outcome| outcome.output),
            );
        }
    }),
    ("cmd-can-fail", |times| run_record(times, 7)),
    ("cmd-fails", |times| run_record(times, 1_000)),
    ("call-numbers", |times| {
        run_call_json(times, "add", r#"{"a":40,"b":2}"#);
    }),
    ("call-text", |times| {
        run_call_json(times, "label", r#"{"text":"shelf","width":12}"#);
    }),
    ("call-list", |times| {
        run_call_json(times, "count", r#"{"numbers":[1,5,9,13],"least":5}"#);
    }),
    ("hand-numbers", |times| {
        run_by_hand(times, "add", r#"{"a":40,"b":2}"#);
    }),
    ("hand-text", |times| {
        run_by_hand(times, "label", r#"{"text":"shelf","width":12}"#);
    }),
    ("hand-list", |times| {
        run_by_hand(times, "count", r#"{"numbers":[1,5,9,13],"least":5}"#);
    }),
    ("call-unknown", |times| {
        run_call_json(times, "additon", "{}")
    }),
    ("run-of-10", |times| {
        let add = |a| Instruction::of(&Add { a, b: 2 }).expect("integers are JSON");
        let (mut worker, batch): (_, Vec<_>) = (Worker::new(), (0..10).map(add).collect());
        for _ in 0..times {
            let _ = black_box(worker.run(black_box(&batch)));
        }
    }),
];

fn run_record(times: u64, at: usize) {
    let mut worker = Worker::new();
    for _ in 0..times {
        let (at, sample) = (black_box(at), black_box(1.5));
        let _ = black_box(
            worker
                .cmd(Record { at, sample })
                .map(|outcome| outcome.output),
        );
    }
}

fn run_call_json(times: u64, name: &str, arguments: &str) {
    let mut worker = Worker::new();
    for _ in 0..times {
        let _ = black_box(worker.call_json(black_box(name), black_box(arguments)));
    }
}

/// Makes the same calls without skills, to show serde's share.
fn run_by_hand(times: u64, name: &str, arguments: &str) {
    let mut kit = Kit::default();
    for _ in 0..times {
        let _ = black_box(hand::call(&mut kit, black_box(name), black_box(arguments)));
    }
}

mod hand {
    use super::Kit;
    use serde::{Deserialize, Serialize};

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Add {
        a: i64,
        b: i64,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Label {
        text: String,
        width: u32,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Count {
        numbers: Vec<i64>,
        least: i64,
    }

    pub(super) fn call(kit: &mut Kit, name: &str, arguments: &str) -> Result<String, String> {
        match name {
            "add" => {
                let Add { a, b } = read(arguments)?;
                write(&super::add(kit, a, b))
            }
            "label" => {
                let Label { text, width } = read(arguments)?;
                write(&super::label(kit, text, width))
            }
            "count" => {
                let Count { numbers, least } = read(arguments)?;
                write(&super::count(kit, numbers, least))
            }
            other => Err(format!("there is no tool `{other}`")),
        }
    }

    fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    fn write<T: Serialize>(answer: &T) -> Result<String, String> {
        serde_json::to_string(answer).map_err(|error| error.to_string())
    }
}

fn main() -> ExitCode {
    // cargo passes `--bench`
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["run", name, times] => {
            let case = CASES.iter().find(|case| case.0 == name);
            let (Some((_, run)), Ok(times)) = (case, times.parse()) else {
                return ExitCode::FAILURE;
            };
            run(times);
            ExitCode::SUCCESS
        }
        _ => match compare_with_bounds(arguments.contains(&"--write")) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
    }
}

fn compare_with_bounds(is_written: bool) -> Result<(), String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind is not installed");
        return Ok(());
    }
    let mut text = String::from(
        "# Instructions for each call. Written by `cargo bench -p skill-agent-core --bench instructions -- --write`.\n",
    );
    let bounds = std::fs::read_to_string(BOUNDS).unwrap_or_default();
    let mut exceeded = Vec::new();
    for (name, _) in CASES {
        let (few, many) = (instructions(name, CALLS)?, instructions(name, 2 * CALLS)?);
        let each = (many.saturating_sub(few) as f64 / CALLS as f64).round();
        text += &format!("{name} {each}\n");
        let bound = bounds.lines().find_map(|line| {
            let (known, bound) = line.split_once(' ')?;
            (known == name).then(|| bound.parse::<f64>().ok())?
        });
        match bound {
            None => println!("{name}: {each} instructions; there is no bound yet"),
            Some(bound) => {
                println!("{name}: {each} instructions, bound {bound}");
                let limit = if bound < COPYING {
                    bound + 2.0
                } else {
                    bound * (1.0 + TOLERANCE) + COPY_ITERATION
                };
                if each > limit {
                    exceeded.push(name);
                } else if each < bound * (1.0 - 2.0 * TOLERANCE) {
                    println!("  below the bound: update it with `-- --write`");
                }
            }
        }
    }
    if is_written {
        return std::fs::write(BOUNDS, text).map_err(|error| format!("{BOUNDS}: {error}"));
    }
    if exceeded.is_empty() {
        return Ok(());
    }
    Err(format!(
        "more instructions than the bound: {}; if this is intended, update the bounds with `-- --write`",
        exceeded.join(", ")
    ))
}

/// Returns the instruction count of a process that runs a case `times` times.
fn instructions(name: &str, times: u64) -> Result<u64, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let ran = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .args(["run", name, &times.to_string()])
        .output()
        .map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&ran.stderr);
    let collected = stderr
        .lines()
        .find_map(|line| line.split_once("Collected :"));
    collected
        .and_then(|(_, count)| count.trim().parse().ok())
        .filter(|_| ran.status.success())
        .ok_or_else(|| format!("valgrind did not count `{name}`:\n{stderr}"))
}
