//! How large the program of the README is.

use super::ground::{Crate, Ground, run as run_command};
use crate::options::Options;
use crate::report::{Figure, Report};
use crate::source::{Way, example};

/// A program that calls its only tool by name.
fn program(way: Way) -> String {
    let (name, arguments) = example(0);
    let call = match way {
        Way::Ours => format!(
            "    let mut worker = Worker::new();\n    println!(\"{{:?}}\", worker.call({name:?}, {arguments:?}).map(|it| it.output));\n"
        ),
        Way::Hand => format!(
            "    let mut worker = Worker::default();\n    println!(\"{{:?}}\", worker.call({name:?}, {arguments:?}));\n    println!(\"{{:?}}\", tools());\n"
        ),
        // the router alone: what a service needs beside comes on top
        Way::Rmcp => "    println!(\"{:?}\", Worker::tool_router().list_all());\n".to_owned(),
        Way::Rig => format!(
            "    let set = tools();\n    let mut context = rig::tool::ToolContext::new();\n    let mut future = Box::pin(set.execute({name:?}, {arguments:?}, &mut context));\n    \
             let waker = std::task::Waker::noop();\n    if let std::task::Poll::Ready(done) = future.as_mut().poll(&mut std::task::Context::from_waker(waker)) {{\n        \
             println!(\"{{:?}}\", done.output().render());\n    }}\n"
        ),
    };
    format!("{}\nfn main() {{\n{call}}}\n", way.source(1))
}

/// The first program of the README.
fn readme() -> Result<String, String> {
    let text = include_str!("../../../README.md");
    let mut blocks = text
        .split("```rust\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    blocks
        .next()
        .map(str::to_owned)
        .ok_or_else(|| "the README begins with no program".to_owned())
}

pub fn run(_: &Options, ground: &Ground, report: &mut Report) -> Result<(), String> {
    let mut crates = vec![Crate {
        name: "readme".to_owned(),
        dependencies: Ground::dependencies(Way::Ours),
        file: "main.rs",
        source: readme()?,
    }];
    crates.extend(Way::ALL.map(|way| Crate {
        name: format!("program_{}", way.file()),
        dependencies: Ground::dependencies(way),
        file: "main.rs",
        source: program(way),
    }));
    let names: Vec<_> = crates.iter().map(|it| it.name.clone()).collect();
    let workspace = ground.workspace("binary", crates)?;
    let mut figures = Vec::new();
    let mut by_hand = None;
    for name in &names {
        eprintln!("building {name}");
        run_command(workspace.cargo().args([
            "rustc",
            "--release",
            "-q",
            "-p",
            name,
            "--",
            "-C",
            "strip=symbols",
        ]))?;
        let path = workspace.folder.join("../target/release").join(name);
        let bytes = std::fs::metadata(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?
            .len();
        let what = match name.strip_prefix("program_") {
            None => "the agent of the README".to_owned(),
            Some(way) => format!("one tool: {way}"),
        };
        let size = bytes as f64 / 1024.0;
        if name == "program_hand" {
            by_hand = Some(size);
        }
        figures.push(Figure::new(
            format!("release binary, stripped, {what}"),
            size,
            "KiB",
        ));
    }
    for figure in &mut figures {
        if let Some(size) = by_hand.filter(|size| *size != figure.value) {
            *figure = figure.clone().beside_value("by hand", size);
        }
    }
    report.part(
        "Size of a program",
        "Stripped, otherwise cargo's release profile. With one tool: skill-agent, by hand and rig call it; rmcp lists it, as a call \
         needs a running service.",
        &figures,
    );
    Ok(())
}
