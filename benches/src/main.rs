//! What calls and compile time of `skill-agent` are, beside the way by hand, rmcp and rig.

mod allocations;
mod calls;
mod compile;
mod measure;
mod options;
mod report;
mod source;
mod tools;

use options::{Options, USAGE};
use report::Report;
use source::Way;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Ok(file) = std::env::var(compile::MEASURED) {
        return compile::stand_in(&file, std::env::args_os().skip(1));
    }
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(wrong) => {
            eprintln!("{wrong}\n\n{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    let mut report = Report::new(options.is_json);
    if ["all", "calls", "compile"].contains(&options.command.as_str()) && !options.is_json {
        println!(
            "# Results\n\n{}\n\nWritten by `{}`.",
            report::surroundings(),
            options.repeat()
        );
    }
    match options.command.as_str() {
        "calls" => calls::run(&options, &mut report),
        command @ ("compile" | "all") => {
            if command == "all" {
                calls::run(&options, &mut report);
            }
            if let Err(wrong) = compile::run(&options, &mut report) {
                eprintln!("{wrong}");
                return ExitCode::FAILURE;
            }
        }
        "write" => return write(),
        // processes that the others start
        "first-use" => {
            let round = options.rest.first().and_then(|it| it.parse().ok());
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
    report.end();
    ExitCode::SUCCESS
}

/// Writes the tools anew.
fn write() -> ExitCode {
    for way in Way::ALL {
        let path = format!("{}/src/tools/{}.rs", env!("CARGO_MANIFEST_DIR"), way.file());
        if let Err(error) = std::fs::write(&path, way.source(tools::COUNT)) {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
