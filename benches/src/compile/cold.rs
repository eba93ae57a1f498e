//! A first build: everything below one tool.

use super::ground::{Crate, Ground, run as run_command};
use crate::measure::Sample;
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use crate::source::Way;
use nix::sys::resource::{UsageWho, getrusage};
use std::collections::BTreeSet;
use std::time::Instant;

pub fn run(options: &Options, ground: &Ground, report: &mut Report) -> Result<(), String> {
    let name = |way: Way| format!("cold_{}", way.file());
    let crates = Way::ALL.map(|way| Crate {
        name: name(way),
        dependencies: Ground::dependencies(way),
        file: "lib.rs",
        source: way.source(1),
    });
    let workspace = ground.workspace("cold", crates.into())?;
    let rounds = options.rounds(3);
    let mut wall = Way::ALL.map(|way| Sample::new(way.name(), Vec::new()));
    let mut cpu = wall.clone();
    let target = workspace.folder.join("target");
    for round in 0..rounds {
        for step in 0..Way::ALL.len() {
            let at = (round + step) % Way::ALL.len();
            eprintln!(
                "cold build of {}, round {} of {rounds}",
                Way::ALL[at].name(),
                round + 1
            );
            let _ = std::fs::remove_dir_all(&target);
            let (start, before) = (Instant::now(), children());
            run_command(workspace.cargo().env("CARGO_TARGET_DIR", &target).args([
                "build",
                "-q",
                "-p",
                &name(Way::ALL[at]),
            ]))?;
            wall[at].rounds.push(start.elapsed().as_secs_f64());
            cpu[at].rounds.push(children() - before);
        }
    }
    let _ = std::fs::remove_dir_all(&target);
    let mut figures = Vec::new();
    for way in Way::ALL {
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
                &name(way),
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
        // without the crate of the tool itself
        let figure = Figure::new(
            format!("crates below one tool: {}", way.name()),
            packages.len() as f64 - 1.0,
            "",
        );
        figures.push(if way == Way::Ours {
            figure.goal(Goal::AtMost(70.0))
        } else {
            figure
        });
    }
    for (what, samples) in [("on the clock", &wall), ("processor time", &cpu)] {
        for sample in samples {
            figures.push(Figure::of(
                format!("cold build, {what}: {}", sample.name),
                sample,
                "s",
            ));
        }
    }
    report.part(
        "A cold build",
        "`cargo build` of a crate with one tool into an empty folder: the default features of skill-agent and of rmcp, of rig what \
         `#[rig_tool]` and `ToolSet` need. The packages are downloaded before. On the clock it depends on the number of processors.",
        &figures,
    );
    Ok(())
}

/// Processor seconds of all the processes that this one has waited for, and theirs.
fn children() -> f64 {
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0.0, |usage| {
        seconds(usage.user_time()) + seconds(usage.system_time())
    })
}
