//! How many instructions a command takes, counted by callgrind, beside the bounds in `instructions.txt`.
//!
//! Time differs from run to run; instructions do not, so a change that makes a call dearer shows on any machine. Run it with
//! `cargo bench -p skill-core --bench instructions`; with `-- --write` at the end it writes the bounds anew. Without
//! valgrind it says so and does nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_core::{Agent, Instruction, Skill, action, agent};
use std::fmt;
use std::hint::black_box;
use std::process::{Command, ExitCode};

/// So much more than the bound is an error: another libc allocates a little differently.
const TOLERANCE: f64 = 0.03;

/// And so many instructions: a copy takes a turn more where the memory happens to lie across the lines it copies.
const A_TURN: f64 = 16.0;

/// What takes less copies nothing.
const COPIES: f64 = 100.0;

/// So many calls more does the longer of two runs make; what both have in common falls out.
const CALLS: u64 = 1_000;

const BOUNDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.txt");

/// Tools of one kind and another.
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
    numbers.iter().filter(|it| **it >= least).count()
}

/// One kilobyte of samples.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "log", actions(Record))]
pub struct Log {
    #[skill(default = vec![0.0; 128])]
    samples: Vec<f64>,
}

/// Put a sample at its place, and give what was there.
#[action]
pub fn record(log: &mut Log, at: usize, sample: f64) -> Result<f64, NoPlace> {
    let place = log.samples.get_mut(at).ok_or(NoPlace(at))?;
    Ok(std::mem::replace(place, sample))
}

/// There is no such place.
#[derive(Debug)]
pub struct NoPlace(usize);

impl fmt::Display for NoPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no place {}", self.0)
    }
}

impl std::error::Error for NoPlace {}

agent! {
    /// Has all of them.
    pub struct Worker {
        name: "worker",
        skills: [Kit, Log],
    }
}

/// Something that is counted: what it is called, and doing it so many times.
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
            let _ = black_box(black_box(&mut worker).cmd(Add { a, b }).map(|it| it.output));
        }
    }),
    ("cmd-can-fail", |times| recorded(times, 7)),
    ("cmd-fails", |times| recorded(times, 1_000)),
    ("call-numbers", |times| {
        called(times, "add", r#"{"a":40,"b":2}"#);
    }),
    ("call-text", |times| {
        called(times, "label", r#"{"text":"shelf","width":12}"#);
    }),
    ("call-list", |times| {
        called(times, "count", r#"{"numbers":[1,5,9,13],"least":5}"#);
    }),
    ("hand-numbers", |times| {
        by_hand(times, "add", r#"{"a":40,"b":2}"#);
    }),
    ("hand-text", |times| {
        by_hand(times, "label", r#"{"text":"shelf","width":12}"#);
    }),
    ("hand-list", |times| {
        by_hand(times, "count", r#"{"numbers":[1,5,9,13],"least":5}"#);
    }),
    ("call-unknown", |times| called(times, "additon", "{}")),
    ("run-of-10", |times| {
        let add = |a| Instruction::of(&Add { a, b: 2 }).expect("integers are JSON");
        let (mut worker, batch): (_, Vec<_>) = (Worker::new(), (0..10).map(add).collect());
        for _ in 0..times {
            let _ = black_box(worker.run(black_box(&batch)));
        }
    }),
];

fn recorded(times: u64, at: usize) {
    let mut worker = Worker::new();
    for _ in 0..times {
        let (at, sample) = (black_box(at), black_box(1.5));
        let _ = black_box(worker.cmd(Record { at, sample }).map(|it| it.output));
    }
}

fn called(times: u64, name: &str, arguments: &str) {
    let mut worker = Worker::new();
    for _ in 0..times {
        let _ = black_box(worker.call_json(black_box(name), black_box(arguments)));
    }
}

/// The same calls without skills: what of the instructions is serde's.
fn by_hand(times: u64, name: &str, arguments: &str) {
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
        _ => match counted(arguments.contains(&"--write")) {
            Ok(()) => ExitCode::SUCCESS,
            Err(wrong) => {
                eprintln!("{wrong}");
                ExitCode::FAILURE
            }
        },
    }
}

fn counted(is_written: bool) -> Result<(), String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind is not installed, which counts the instructions");
        return Ok(());
    }
    let mut text = String::from(
        "# Instructions for each call. Written by `cargo bench -p skill-core --bench instructions -- --write`.\n",
    );
    let bounds = std::fs::read_to_string(BOUNDS).unwrap_or_default();
    let mut wrong = Vec::new();
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
                let most = match bound < COPIES {
                    true => bound + 2.0,
                    false => bound * (1.0 + TOLERANCE) + A_TURN,
                };
                if each > most {
                    wrong.push(name);
                } else if each < bound * (1.0 - 2.0 * TOLERANCE) {
                    println!("  less than the bound: write it anew with `-- --write`");
                }
            }
        }
    }
    if is_written {
        return std::fs::write(BOUNDS, text).map_err(|error| format!("{BOUNDS}: {error}"));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "more instructions than their bound: {}; if that has to be, write the bounds anew with `-- --write`",
            wrong.join(", ")
        )),
    }
}

/// All the instructions of a process that does it so many times.
fn instructions(name: &str, times: u64) -> Result<u64, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let ran = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .args(["run", name, &times.to_string()])
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&ran.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected :"));
    collected
        .and_then(|(_, count)| count.trim().parse().ok())
        .filter(|_| ran.status.success())
        .ok_or_else(|| format!("valgrind did not count `{name}`:\n{said}"))
}
