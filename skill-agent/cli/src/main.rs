//! The `skills` program: checks, lists and shows SKILL.md documents, checks the tools that they name, creates documents,
//! crates with skills and programs with agents, and compares contract files.
//!
//! The output is text in the style of rustc, or one line of JSON for each document. The exit code is 0 for success, 1 if a
//! document is invalid or something failed, and 2 for incorrect usage, such as a path that does not exist.
#![forbid(unsafe_code)]

mod args;
pub(crate) mod commands;
mod failure;
mod new_crate;
pub(crate) mod output;
mod sources;
mod walk;

use crate::output::screen::Screen;
use args::{Args, CliCommand};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    let mut screen = Screen::new(args.color);
    let done = match &args.command {
        CliCommand::Validate(args) => crate::commands::validate::validate(args, &mut screen),
        CliCommand::Check(args) => crate::commands::check::check(args, &mut screen),
        CliCommand::List(args) => crate::commands::list::list(args, &mut screen),
        CliCommand::Show(args) => crate::commands::show::show(args, &mut screen),
        CliCommand::Prompt(args) => crate::commands::prompt::prompt(args, &mut screen),
        CliCommand::Explain(args) => crate::commands::explain::explain(args, &mut screen),
        #[cfg(feature = "mcp")]
        CliCommand::Mcp(args) => crate::commands::mcp::mcp(args, &mut screen),
        #[cfg(not(feature = "mcp"))]
        CliCommand::Mcp(_) => Err(failure::Failure::NoMcp),
        CliCommand::Contract(args) => crate::commands::contract::contract(args, &mut screen),
        CliCommand::New(args) => match args.crate_kind() {
            Some(kind) => new_crate::new_crate(kind, args, &mut screen),
            None => crate::commands::new::new(args, &mut screen),
        },
    };
    done.unwrap_or_else(|failure| failure.report(&screen))
}
