//! The `skills` program: checks, lists and shows SKILL.md documents, checks the tools that they name, creates documents and
//! crates with skills, and compares contract files.
//!
//! The output is text in the style of rustc, or one line of JSON for each document. Exit codes: 0 for success, 1 if a document is
//! invalid or something failed, 2 for wrong usage, such as a path that does not exist.
#![forbid(unsafe_code)]

mod args;
mod check;
mod check_file;
mod contract;
mod draw;
mod escape;
mod explain;
mod failure;
mod list;
mod new;
mod new_crate;
mod progress;
mod prompt;
mod screen;
mod show;
mod sources;
mod validate;
mod walk;

use args::{Args, CliCommand};
use clap::Parser;
use screen::Screen;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    let mut screen = Screen::new(args.color);
    let done = match &args.command {
        CliCommand::Validate(args) => validate::validate(args, &mut screen),
        CliCommand::Check(args) => check::check(args, &mut screen),
        CliCommand::List(args) => list::list(args, &mut screen),
        CliCommand::Show(args) => show::show(args, &mut screen),
        CliCommand::Prompt(args) => prompt::prompt(args, &mut screen),
        CliCommand::Explain(args) => explain::explain(args, &mut screen),
        CliCommand::Contract(args) => contract::contract(args, &mut screen),
        CliCommand::New(args) if args.is_crate => new_crate::new_crate(args, &mut screen),
        CliCommand::New(args) => new::new(args, &mut screen),
    };
    done.unwrap_or_else(|failure| failure.report(&screen))
}
