//! The size of the first program of docs/skills.md, and of programs with one tool.

use super::workspace::{BuildRoot, Crate, run as run_command};
use crate::options::Options;
use crate::report::{Figure, Report};
use crate::source::{Variant, example};

/// Returns a program that calls its only tool by name.
fn program(variant: Variant) -> String {
    let (name, arguments) = example(0);
    let call = match variant {
        Variant::Ours => format!(
            "    let mut worker = Worker::new();\n    println!(\"{{:?}}\", worker.call_json({name:?}, {arguments:?}).map(|outcome| outcome.output));\n"
        ),
        Variant::Hand => format!(
            "    let mut worker = Worker::default();\n    println!(\"{{:?}}\", worker.call({name:?}, {arguments:?}));\n    println!(\"{{:?}}\", tools());\n"
        ),
        // only the router, without a running service
        Variant::Rmcp => "    println!(\"{:?}\", Worker::tool_router().list_all());\n".to_owned(),
        Variant::Rig => format!(
            "    let set = tools();\n    let mut context = rig::tool::ToolContext::new();\n    let mut future = Box::pin(set.execute({name:?}, {arguments:?}, &mut context));\n    \
             let waker = std::task::Waker::noop();\n    if let std::task::Poll::Ready(done) = future.as_mut().poll(&mut std::task::Context::from_waker(waker)) {{\n        \
             println!(\"{{:?}}\", done.output().render());\n    }}\n"
        ),
    };
    format!("{}\nfn main() {{\n{call}}}\n", variant.source(1))
}

/// Returns the first program of docs/skills.md.
fn first_skill() -> Result<String, String> {
    let text = include_str!("../../../docs/skills.md");
    let mut blocks = text
        .split("```rust\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    blocks
        .next()
        .map(str::to_owned)
        .ok_or_else(|| "docs/skills.md has no program".to_owned())
}

pub fn run(_: &Options, root: &BuildRoot, report: &mut Report) -> Result<(), String> {
    let mut crates = vec![Crate {
        name: "first_skill".to_owned(),
        dependencies: BuildRoot::dependencies(Variant::Ours),
        file: "main.rs",
        source: first_skill()?,
    }];
    crates.extend(Variant::ALL.map(|variant| Crate {
        name: format!("program_{}", variant.file()),
        dependencies: BuildRoot::dependencies(variant),
        file: "main.rs",
        source: program(variant),
    }));
    let names: Vec<_> = crates.iter().map(|member| member.name.clone()).collect();
    let workspace = root.workspace("binary", crates)?;
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
            None => "the first agent of docs/skills.md".to_owned(),
            Some(variant) => format!("one tool: {variant}"),
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
            *figure = figure.clone().compared_to_value("by hand", size);
        }
    }
    report.section(
        "Size of a program",
        "Stripped; otherwise cargo's release profile. The programs with one tool call it, except that of rmcp, which lists it, because \
         a call needs a running service.",
        &figures,
    );
    Ok(())
}
