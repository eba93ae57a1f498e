//! A new crate is built and tested by the commands that are printed. `BLESS=1` writes the contract of its template.

use crate::support::{Run, program};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Three names of one crate that differ from one another and from every other word.
const NAME: &str = "made-skill";
const LIBRARY: &str = "made_skill";
const TYPE: &str = "MadeSkill";

/// A name of the most characters for a skill crate.
const LONGEST: &str = "a-name-with-the-most-characters-that-are-accepted1";

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns an empty folder that is the same in every run, so that cargo does not keep the artifacts of many.
pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Creates a crate that depends on this checkout. `kind` is `--crate` or `--agent`.
pub(crate) fn create(kind: &str, name: &str, folder: &Path) -> Run {
    let checkout = package().join("../..");
    let run = Run::of(
        program()
            .args(["new", kind, name, "--path"])
            .arg(checkout)
            .current_dir(folder),
    );
    assert_eq!(run.code, 0, "{}", run.err);
    run
}

/// Gives a crate the versions of this workspace, which are there without a network, and makes its warnings errors.
pub(crate) fn prepare(crate_folder: &Path) {
    let lock = package().join("../../Cargo.lock");
    fs::copy(lock, crate_folder.join("Cargo.lock")).unwrap();
    let manifest = crate_folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let lints = "\n[lints.rust]\nwarnings = \"deny\"\n";
    fs::write(manifest, text + lints).unwrap();
}

/// The folder of the artifacts. The UI tests have compiled the dependencies there, or will find them there.
pub(crate) fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild")
}

/// Runs a program without the network, and returns what it printed. Builds of cargo include the lints of clippy, so that the
/// dependencies are not compiled again for these.
pub(crate) fn run(program: &str, arguments: &[&str], folder: &Path) -> Result<String, String> {
    let program = if program == "cargo" {
        env!("CARGO")
    } else {
        program
    };
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", target())
        .env(
            "RUSTC_WORKSPACE_WRAPPER",
            Path::new(env!("CARGO")).with_file_name("clippy-driver"),
        )
        .env("UPDATE_CONTRACT", if is_blessed() { "1" } else { "0" })
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let printed = text(&output.stdout) + &text(&output.stderr);
    if output.status.success() {
        Ok(printed)
    } else {
        Err(printed)
    }
}

fn is_blessed() -> bool {
    env::var_os("BLESS").as_deref() == Some(OsStr::new("1"))
}

#[cfg(unix)]
#[test]
fn the_printed_commands_test_a_new_crate() {
    let folder = empty_folder("new_crate");
    let commands = create("--crate", NAME, &folder).out;
    let crate_folder = folder.join(NAME);
    prepare(&crate_folder);
    let contract = crate_folder.join("contract.json");
    if is_blessed() {
        fs::remove_file(&contract).unwrap();
    }
    let printed = run("sh", &["-ec", &commands], &folder).unwrap_or_else(|error| panic!("{error}"));
    for passed in ["test result: ok. 5 passed", "test result: ok. 1 passed"] {
        assert!(printed.contains(passed), "{printed}");
    }
    if is_blessed() {
        let text = fs::read_to_string(&contract).unwrap();
        let template = [(LIBRARY, "{library}"), (TYPE, "{Type}"), (NAME, "{name}")];
        let text = template
            .iter()
            .fold(text, |text, (word, key)| text.replace(word, key));
        let path = package().join("src/new_crate/template/skill/contract.json");
        fs::write(path, text).unwrap();
    }
    let printed = run("cargo", &["fmt", "--check"], &crate_folder);
    assert_eq!(printed.as_deref(), Ok(""));
}

#[test]
fn a_new_crate_of_any_name_is_formatted() {
    for (kind, longest) in [("--crate", LONGEST), ("--agent", &"a".repeat(64))] {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "string", longest] {
            create(kind, name, folder.path());
            let printed = run("cargo", &["fmt", "--check"], &folder.path().join(name));
            assert_eq!(printed.as_deref(), Ok(""), "{kind} {name}");
        }
    }
}
