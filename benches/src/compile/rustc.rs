//! This program in the place of rustc: it runs rustc, and writes down what that took.

use nix::sys::resource::{UsageWho, getrusage};
use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// The variable with the file that measurements are written to. Where it is set, this program is called as a wrapper.
pub const MEASURED: &str = "SKILL_BENCHES_MEASURED";

/// What rustc took for one crate.
#[derive(Clone, Copy, Debug)]
pub struct Took {
    /// Seconds on the clock.
    pub wall: f64,
    /// Seconds of processor time, of all threads.
    pub cpu: f64,
    /// The most memory it had at one time, in megabytes.
    pub memory: f64,
}

/// Runs the command that cargo gives to a wrapper of rustc.
pub fn stand_in(file: &str, mut command: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(rustc) = command.next() else {
        return ExitCode::FAILURE;
    };
    let arguments: Vec<_> = command.collect();
    let start = Instant::now();
    let status = Command::new(rustc).args(&arguments).status();
    let wall = start.elapsed().as_secs_f64();
    let name = arguments
        .iter()
        .position(|it| it == "--crate-name")
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

/// What was written down of a crate.
pub fn read(text: &str, name: &str) -> Option<Took> {
    text.lines().rev().find_map(|line| {
        let mut parts = line
            .strip_prefix(name)?
            .strip_prefix(' ')?
            .split(' ')
            .map(str::parse);
        let mut next = || parts.next()?.ok();
        Some(Took {
            wall: next()?,
            cpu: next()?,
            memory: next()?,
        })
    })
}
