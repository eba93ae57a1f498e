//! This program as a wrapper of rustc, which records the cost of each compilation.

use nix::sys::resource::{UsageWho, getrusage};
use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// The environment variable with the file for measurements. If it is set, this program runs as the wrapper.
pub const MEASUREMENTS_FILE: &str = "SKILL_BENCHES_MEASURED";

/// The cost of one compilation.
#[derive(Clone, Copy, Debug)]
pub struct BuildCost {
    /// Wall-clock time in seconds.
    pub wall: f64,
    /// Processor time of all threads in seconds.
    pub cpu: f64,
    /// Peak memory in megabytes.
    pub memory: f64,
}

/// Runs the rustc command that cargo passes to its wrapper.
pub fn run_as_rustc_wrapper(file: &str, mut command: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(rustc) = command.next() else {
        return ExitCode::FAILURE;
    };
    let arguments: Vec<_> = command.collect();
    let start = Instant::now();
    let status = Command::new(rustc).args(&arguments).status();
    let wall = start.elapsed().as_secs_f64();
    let name = arguments
        .iter()
        .position(|argument| argument == "--crate-name")
        .and_then(|at| arguments.get(at + 1));
    if let (Some(name), Ok(usage)) = (name, getrusage(UsageWho::RUSAGE_CHILDREN)) {
        let seconds =
            |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
        let cpu = seconds(usage.user_time()) + seconds(usage.system_time());
        let line = format!(
            "{} {wall} {cpu} {}\n",
            name.to_string_lossy(),
            usage.max_rss() as f64 / 1024.0
        );
        let opened = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(file);
        let _ = opened.and_then(|mut file| file.write_all(line.as_bytes()));
    }
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Reads the recorded cost of a crate.
pub fn read(text: &str, name: &str) -> Option<BuildCost> {
    text.lines().rev().find_map(|line| {
        let mut parts = line
            .strip_prefix(name)?
            .strip_prefix(' ')?
            .split(' ')
            .map(str::parse);
        let mut next = || parts.next()?.ok();
        Some(BuildCost {
            wall: next()?,
            cpu: next()?,
            memory: next()?,
        })
    })
}
