//! The program `skills`: checks SKILL.md documents, lists and shows those of folders, and creates new ones.
//!
//! The output is for people, in the style of rustc, or one line of JSON for each document. Exit codes: 0 success, 1 a document
//! is invalid or something failed, 2 wrong usage.
#![forbid(unsafe_code)]

mod args;
mod draw;
mod escape;
mod examine;
mod failure;
mod list;
mod new;
mod progress;
mod prompt;
mod screen;
mod show;
mod sources;
mod validate;
mod walk;

use args::{Args, Command};
use clap::Parser;
use screen::Screen;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    let mut screen = Screen::new(args.color);
    let done = match &args.command {
        Command::Validate(it) => validate::validate(it, &mut screen),
        Command::List(it) => list::list(it, &mut screen),
        Command::Show(it) => show::show(it, &mut screen),
        Command::Prompt(it) => prompt::prompt(it, &mut screen),
        Command::New(it) => new::new(it, &mut screen),
    };
    done.unwrap_or_else(|failure| failure.tell(&screen))
}
