//! Shows which documents of a folder a question selects, why, and the exact text that a model gets.
//!
//! Run it with `cargo run -p skill-examples --example librarian -- "Please review this pull request"`.

use skill_examples::librarian::report;
use std::error::Error;
use std::path::PathBuf;

const HELP: &str = "\
Shows which documents a question selects, and what a model gets of them.

Usage: librarian [--folder FOLDER] [--file FILE]... [QUESTION]...

  --folder FOLDER  folders with a SKILL.md each [default: the documents of the examples]
  --file FILE      a file that the question is about
  --help           this text";

fn main() -> Result<(), Box<dyn Error>> {
    let mut folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/documents"));
    let (mut files, mut questions) = (Vec::new(), Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--help" => {
                println!("{HELP}");
                return Ok(());
            }
            "--folder" => folder = arguments.next().ok_or("--folder needs a folder")?.into(),
            "--file" => files.push(arguments.next().ok_or("--file needs a file")?),
            option if option.starts_with("--") => {
                return Err(format!("unknown option {option}; see --help").into());
            }
            _ => questions.push(argument),
        }
    }
    if questions.is_empty() {
        questions
            .push("Please review this pull request, and fix the dates in orders.csv".to_owned());
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    for question in questions {
        println!("{}", report(&folder, &question, &files)?);
    }
    Ok(())
}
