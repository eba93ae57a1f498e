//! Measures the reader of JSON in skill-core against serde_path_to_error and serde_ignored: what rustc takes to compile it for
//! many argument types, how large the program is, how long a call takes, and what each says about wrong documents.
//!
//! `cargo run --release --manifest-path benches/reader/Cargo.toml` prints the tables of the section in RESULTS.md.
//! `-- --types N` sets the number of compiled argument types (32), `-- --rounds N` the number of measurements per crate (5), and
//! `-- --quick` leaves out rustc.

use reader_bench::{both_crates, path_to_error, serde_json_alone, skill_core};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// The function of the library, and the name in tables.
const READERS: [(&str, &str); 4] = [
    ("serde_json_alone", "serde_json alone"),
    ("skill_core", "skill-core"),
    ("path_to_error", "serde_path_to_error"),
    ("both_crates", "serde_path_to_error and serde_ignored"),
];

/// The variable with the file that the wrapper of rustc writes to.
const MEASURED: &str = "READER_BENCH_MEASURED";

fn main() -> ExitCode {
    if let Ok(file) = std::env::var(MEASURED) {
        return wrap_rustc(&file);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: usize| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok())
            .unwrap_or(default)
    };
    calls();
    messages();
    if !arguments.iter().any(|argument| argument == "--quick") {
        compile(number("--types", 32), number("--rounds", 5));
    }
    ExitCode::SUCCESS
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Divide {
    a: f64,
    b: f64,
    precision: Option<u32>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Count {
    numbers: Vec<i64>,
    least: i64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Order {
    items: Vec<Item>,
    mode: Mode,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Item {
    name: String,
    count: u32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Mode {
    Fast,
    Slow { delay: f32 },
}

const ORDER: &str =
    r#"{"items":[{"name":"a","count":1},{"name":"b","count":2}],"mode":{"Slow":{"delay":1.5}}}"#;
const WRONG: &str =
    r#"{"items":[{"name":"a","count":1},{"name":"b","count":-2}],"mode":{"Slow":{"delay":1.5}}}"#;

fn calls() {
    println!(
        "| call | {} |\n| --- | --- | --- | --- | --- |",
        READERS.map(|(_, name)| name).join(" | ")
    );
    row(
        "two numbers, right",
        r#"{"a":1.5,"b":2.0}"#,
        [
            serde_json_alone::<Divide>,
            skill_core,
            path_to_error,
            both_crates,
        ],
    );
    row(
        "two numbers, one of them text",
        r#"{"a":1.5,"b":"2"}"#,
        [
            serde_json_alone::<Divide>,
            skill_core,
            path_to_error,
            both_crates,
        ],
    );
    row(
        "a list of numbers, right",
        r#"{"numbers":[1,5,9,13],"least":5}"#,
        [
            serde_json_alone::<Count>,
            skill_core,
            path_to_error,
            both_crates,
        ],
    );
    row(
        "a list of objects, right",
        ORDER,
        [
            serde_json_alone::<Order>,
            skill_core,
            path_to_error,
            both_crates,
        ],
    );
    row(
        "a list of objects, wrong in the second",
        WRONG,
        [
            serde_json_alone::<Order>,
            skill_core,
            path_to_error,
            both_crates,
        ],
    );
    println!();
}

fn row<T>(what: &str, text: &str, readers: [fn(&str) -> Result<T, String>; 4]) {
    const CALLS: u32 = 10_000;
    let mut best = [f64::INFINITY; 4];
    for round in 0..40 {
        for step in 0..readers.len() {
            let reader = (step + round) % readers.len();
            let start = Instant::now();
            for _ in 0..CALLS {
                drop(black_box(readers[reader](black_box(text))));
            }
            let each = start.elapsed().as_nanos() as f64 / f64::from(CALLS);
            best[reader] = best[reader].min(each);
        }
    }
    println!(
        "| {what} | {} |",
        best.map(|best| format!("{best:.0} ns")).join(" | ")
    );
}

/// Prints the result of each reader.
fn messages() {
    for (what, text) in [
        ("wrong type", WRONG),
        ("unknown key", r#"{"items":[],"mod":"Fast"}"#),
        ("unknown variant", r#"{"items":[],"mode":"Fasd"}"#),
        (
            "repeated key in an object within",
            r#"{"items":[{"name":"a","name":"b","count":1}],"mode":"Fast"}"#,
        ),
        (
            "f32 that overflows, as a value",
            r#"{"items":[],"mode":{"Slow":{"delay":1e39}}}"#,
        ),
    ] {
        println!("{what}: `{text}`\n");
        let readers: [fn(&str) -> Result<Order, String>; 4] =
            [serde_json_alone, skill_core, path_to_error, both_crates];
        for ((_, name), reader) in READERS.iter().zip(readers) {
            match reader(text) {
                Ok(_) => println!("- {name}: accepted"),
                Err(error) => println!("- {name}: {error}"),
            }
        }
        println!();
    }
}

/// Runs rustc for cargo, and writes its processor time down.
fn wrap_rustc(file: &str) -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(rustc) = arguments.next() else {
        return ExitCode::FAILURE;
    };
    let status = Command::new(rustc).args(arguments).status();
    // the fields `cutime` and `cstime`, in hundredths of a second
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<u64> = stat
        .split(' ')
        .map(|field| field.parse().unwrap_or(0))
        .collect();
    let ticks = fields.get(15).unwrap_or(&0) + fields.get(16).unwrap_or(&0);
    let _ = fs::write(file, ticks.to_string());
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn compile(count: usize, rounds: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/generated");
    let members = READERS.map(|(reader, _)| format!("{reader}_{count}"));
    write(
        &root.join("Cargo.toml"),
        &format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"),
    );
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
    let _ = fs::copy(lock, root.join("Cargo.lock"));
    for (reader, _) in READERS {
        let folder = root.join(format!("{reader}_{count}"));
        write(
            &folder.join("Cargo.toml"),
            &manifest(&format!("{reader}_{count}")),
        );
        write(&folder.join("src/main.rs"), &source(reader, count));
    }
    println!(
        "| rustc, processor time | {} |\n| --- | --- | --- | --- | --- |",
        READERS.map(|(_, name)| name).join(" | ")
    );
    for mode in ["check", "build"] {
        let mut best = [f64::INFINITY; 4];
        for round in 0..=rounds {
            for step in 0..READERS.len() {
                let at = (step + round) % READERS.len();
                let took = measure(&root, &format!("{}_{count}", READERS[at].0), mode);
                // the first round builds the dependencies
                if round > 0 {
                    best[at] = best[at].min(took);
                }
            }
        }
        let mode = if mode == "check" {
            "`cargo check`"
        } else {
            "release build"
        };
        println!(
            "| {count} types, {mode} | {} |",
            best.map(|best| format!("{best:.2} s")).join(" | ")
        );
    }
    let size = |(reader, _): (&str, &str)| {
        let path = root
            .join("target/release")
            .join(format!("{reader}_{count}"));
        let bytes = fs::metadata(path).map_or(0, |file| file.len());
        format!("{} KiB", bytes / 1024)
    };
    println!(
        "| {count} types, stripped program | {} |",
        READERS.map(size).join(" | ")
    );
}

fn manifest(name: &str) -> String {
    format!(
        "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nreader-bench = {{ path = {:?} }}\nschemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\n",
        env!("CARGO_MANIFEST_DIR")
    )
}

/// A program with `count` types of two arguments, each read by the same reader.
fn source(reader: &str, count: usize) -> String {
    const ARGUMENTS: [&str; 4] = [
        "a: i64, b: i64",
        "value: f64, factor: f64",
        "text: String, width: u32",
        "numbers: Vec<i64>, least: i64",
    ];
    let mut types = String::new();
    let mut arms = String::new();
    for number in 0..count {
        let arguments = ARGUMENTS[number % ARGUMENTS.len()];
        let _ = writeln!(
            types,
            "#[derive(Serialize, Deserialize, JsonSchema)]\n#[serde(deny_unknown_fields)]\nstruct Tool{number} {{ {arguments} }}"
        );
        let _ = writeln!(
            arms,
            "        \"tool_{number}\" => reader_bench::{reader}::<Tool{number}>(&text).is_ok(),"
        );
    }
    format!(
        "#![allow(dead_code)]\nuse schemars::JsonSchema;\nuse serde::{{Deserialize, Serialize}};\n\n{types}\nfn main() {{\n    let mut arguments = std::env::args().skip(1);\n    let (name, text) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());\n    let is_read = match name.as_str() {{\n{arms}        _ => false,\n    }};\n    println!(\"{{is_read}}\");\n}}\n"
    )
}

fn measure(root: &Path, name: &str, mode: &str) -> f64 {
    let main = root.join(name).join("src/main.rs");
    let source = fs::read_to_string(&main).expect("the source was generated");
    // cargo goes by the time of the last change
    write(&main, &source);
    let measured: PathBuf = root.join("measured.txt");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args([mode, "-q", "-p", name]);
    if mode == "build" {
        cargo
            .arg("--release")
            .env("CARGO_PROFILE_RELEASE_STRIP", "true");
    }
    let status = cargo
        .current_dir(root)
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TARGET_DIR", root.join("target"))
        .env(
            "RUSTC_WORKSPACE_WRAPPER",
            std::env::current_exe().expect("this program has a path"),
        )
        .env(MEASURED, &measured)
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "`{name}` was not built"
    );
    let ticks: f64 = fs::read_to_string(&measured)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(f64::NAN);
    ticks / 100.0
}

fn write(path: &Path, text: &str) {
    let folder = path.parent().expect("a file is in a folder");
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .expect("the target folder can be written");
}
