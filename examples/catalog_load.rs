//! Measures what a catalog of many documents costs: to load, to keep, to reload.
//!
//! Run it with `cargo run --release -p skill-examples --example catalog_load -- --documents 10000`; without `--release` the numbers mean little.

use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_examples::memory::{MeasuringAllocator, in_use, peak, reset_peak};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Instant;

const HELP: &str = "\
Generates SKILL.md files in a temporary folder, and measures a catalog of them.

Usage: catalog_load [--documents N]

  --documents N   how many [default: 1000]
  --help          this text";

#[global_allocator]
static ALLOCATOR: MeasuringAllocator = MeasuringAllocator;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(count) = parse_arguments()? else {
        println!("{HELP}");
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let bytes = generate(folder.path(), count)?;
    println!(
        "{count} documents, {} bytes on average",
        bytes / count.max(1)
    );

    let before = reset_peak();
    let start = Instant::now();
    let mut catalog = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(folder.path()))
        .load();
    let time = start.elapsed();
    assert_eq!(catalog.skills().count(), count);
    let held = in_use() - before;
    println!(
        "loaded in {time:.1?}: {:.1?} per document",
        time / count.max(1) as u32
    );
    println!(
        "{} bytes held per document, {} KiB in total, at most {} KiB while loading",
        held / count.max(1),
        held / 1024,
        (peak() - before) / 1024,
    );

    let start = Instant::now();
    let found = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(folder.path()).discovered())
        .load();
    assert_eq!(found.listed().count(), count);
    println!(
        "loaded with the hash of its script in {:.1?}",
        start.elapsed()
    );

    let start = Instant::now();
    assert!(catalog.reload().is_empty());
    println!("loaded again in {:.1?}", start.elapsed());
    let start = Instant::now();
    let found = (0..count).filter(|number| catalog.get(&id(*number)).is_some());
    let found = found.count();
    println!("{found} looked up in {:.1?}", start.elapsed());
    let start = Instant::now();
    for number in 0..count {
        assert!(!catalog.read(&id(number))?.body.is_empty());
    }
    println!("every body read in {:.1?}", start.elapsed());
    Ok(())
}

/// Parses the number of documents from the arguments; `None` asks for help.
fn parse_arguments() -> Result<Option<usize>, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(|argument| &**argument).collect();
    match arguments[..] {
        [] => Ok(Some(1_000)),
        ["--documents", count] => Ok(Some(count.parse()?)),
        ["--help"] => Ok(None),
        _ => Err(format!("unknown arguments\n\n{HELP}").into()),
    }
}

fn id(number: usize) -> String {
    format!("skill-{number}")
}

/// Writes the documents, and returns their total size.
fn generate(folder: &Path, count: usize) -> Result<usize, Box<dyn Error>> {
    let mut bytes = 0;
    for number in 0..count {
        let id = id(number);
        let mut text = format!(
            "---\nname: {id}\ndescription: Does the work number {number}. Use it when somebody asks for that.\n\
             license: MIT\nallowed-tools: Read Grep\ntriggers:\n  keywords: [work-{number}, \"job {number}\"]\n---\n# {id}\n"
        );
        for line in 0..30 {
            writeln!(
                text,
                "{line}. Look at it twice, and write down what was seen."
            )?;
        }
        bytes += text.len();
        let folder = folder.join(id);
        fs::create_dir_all(folder.join("scripts"))?;
        fs::write(folder.join("SKILL.md"), text)?;
        fs::write(folder.join("scripts/run.sh"), format!("echo {number}\n"))?;
    }
    Ok(bytes)
}
