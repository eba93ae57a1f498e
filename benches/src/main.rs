//! Measures calls, durability and compile time of `skill-agent`, compared with hand-written code, rmcp, rig, redb and SQLite.

mod allocations;
mod callers;
mod calls;
mod compile;
mod durable;
mod measure;
mod options;
mod report;
mod source;
mod tools;

use options::{Options, USAGE};
use report::Report;
use source::Variant;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Ok(file) = std::env::var(compile::MEASUREMENTS_FILE) {
        return compile::run_as_rustc_wrapper(&file, std::env::args_os().skip(1));
    }
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    let mut report = Report::new(options.is_json);
    if ["all", "calls", "compile", "durable"].contains(&options.command.as_str())
        && !options.is_json
    {
        println!(
            "# Results\n\n{}\n\nWritten by `{}`.",
            report::environment(),
            options.repeat()
        );
    }
    match options.command.as_str() {
        "calls" => calls::run(&options, &mut report),
        "durable" => durable::run(&options, &mut report),
        command @ ("compile" | "all") => {
            if command == "all" {
                calls::run(&options, &mut report);
                durable::run(&options, &mut report);
            }
            if let Err(error) = compile::run(&options, &mut report) {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
        "write" => return write(),
        // a process that the part `first-use` starts
        "first-use" => {
            let round = options.rest.first().and_then(|round| round.parse().ok());
            calls::first_use_child(round.unwrap_or(0));
            return ExitCode::SUCCESS;
        }
        "help" | "--help" => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        other => {
            eprintln!("there is no command `{other}`\n\n{USAGE}");
            return ExitCode::FAILURE;
        }
    }
    report.finish();
    ExitCode::SUCCESS
}

/// Regenerates the tools.
fn write() -> ExitCode {
    for variant in Variant::ALL {
        let path = format!(
            "{}/src/tools/{}.rs",
            env!("CARGO_MANIFEST_DIR"),
            variant.file()
        );
        if let Err(error) = std::fs::write(&path, variant.source(tools::COUNT)) {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
