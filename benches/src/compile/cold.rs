//! Cold builds of a crate with one tool and its dependencies.

use super::workspace::{BuildRoot, Crate, run as run_command};
use crate::measure::Sample;
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use crate::source::Variant;
use nix::sys::resource::{UsageWho, getrusage};
use std::collections::BTreeSet;
use std::time::Instant;

pub fn run(options: &Options, root: &BuildRoot, report: &mut Report) -> Result<(), String> {
    let name = |variant: Variant| format!("cold_{}", variant.file());
    let crates = Variant::ALL.map(|variant| Crate {
        name: name(variant),
        dependencies: BuildRoot::dependencies(variant),
        file: "lib.rs",
        source: variant.source(1),
    });
    let workspace = root.workspace("cold", crates.into())?;
    let rounds = options.rounds(3);
    let mut wall = Variant::ALL.map(|variant| Sample::new(variant.name(), Vec::new()));
    let mut cpu = wall.clone();
    let target = workspace.folder.join("target");
    for round in 0..rounds {
        for step in 0..Variant::ALL.len() {
            let at = (round + step) % Variant::ALL.len();
            eprintln!(
                "cold build of {}, round {} of {rounds}",
                Variant::ALL[at].name(),
                round + 1
            );
            let _ = std::fs::remove_dir_all(&target);
            let (start, before) = (Instant::now(), children());
            run_command(workspace.cargo().env("CARGO_TARGET_DIR", &target).args([
                "build",
                "-q",
                "-p",
                &name(Variant::ALL[at]),
            ]))?;
            wall[at].rounds.push(start.elapsed().as_secs_f64());
            cpu[at].rounds.push(children() - before);
        }
    }
    let _ = std::fs::remove_dir_all(&target);
    let mut figures = Vec::new();
    for variant in Variant::ALL {
        let tree = workspace
            .cargo()
            .args([
                "tree",
                "-q",
                "--prefix",
                "none",
                "-e",
                "normal,build",
                "-p",
                &name(variant),
            ])
            .output();
        let tree = tree.map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&tree.stdout);
        let packages: BTreeSet<_> = text
            .lines()
            .filter_map(|line| {
                let mut words = line.split_whitespace();
                Some((words.next()?, words.next()?))
            })
            .collect();
        // not counting the crate of the tool itself
        let figure = Figure::new(
            format!("crates below one tool: {}", variant.name()),
            packages.len() as f64 - 1.0,
            "",
        );
        figures.push(if variant == Variant::Ours {
            figure.goal(Goal::AtMost(70.0))
        } else {
            figure
        });
    }
    for (what, samples) in [("wall clock", &wall), ("processor time", &cpu)] {
        for sample in samples {
            figures.push(Figure::of(
                format!("cold build, {what}: {}", sample.name),
                sample,
                "s",
            ));
        }
    }
    report.section(
        "A cold build",
        "`cargo build` of a crate with one tool into an empty folder. skill-agent and rmcp have their default features, rig those that \
         `#[rig_tool]` and `ToolSet` need. The packages are already downloaded. Wall-clock time depends on the number of processors.",
        &figures,
    );
    Ok(())
}

/// Returns the processor seconds of all finished child processes, including theirs.
fn children() -> f64 {
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0.0, |usage| {
        seconds(usage.user_time()) + seconds(usage.system_time())
    })
}
