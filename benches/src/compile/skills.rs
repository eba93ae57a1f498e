//! Agents of 10, 100 and 1,000 skills from another crate.

use super::rustc::BuildCost;
use super::workspace::{BuildRoot, Crate, Mode};
use crate::measure::Sample;
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use crate::source::Variant;
use std::fmt::Write;

const SIZES: [usize; 3] = [10, 100, 1_000];

/// Returns the source of `count` skills with one action each.
fn skills(count: usize) -> String {
    let mut text = String::from(
        "use schemars::JsonSchema;\nuse serde::{Deserialize, Serialize};\nuse skill_agent::prelude::*;\n",
    );
    for i in 0..count {
        let _ = write!(
            text,
            "\n/// Counts.\n#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]\n#[serde(default)]\n\
             #[skill(name = \"skill_{i}\", actions(Step{i}))]\npub struct Skill{i} {{\n    pub count: u64,\n}}\n\n\
             /// Add to the counter.\n#[action]\npub fn step_{i}(skill: &mut Skill{i}, by: u64, times: u64) -> u64 {{\n    \
             skill.count += by * times;\n    skill.count\n}}\n"
        );
    }
    text
}

/// Returns the source of an agent with the first `count` skills.
fn agent(count: usize) -> String {
    let listed: Vec<_> = (0..count).map(|i| format!("skills::Skill{i}")).collect();
    format!(
        "use skill_agent::prelude::*;\n\nagent! {{\n    pub struct LargeAgent {{\n        name: \"large_agent\",\n        skills: [{}],\n    }}\n}}\n",
        listed.join(", ")
    )
}

pub fn run(options: &Options, root: &BuildRoot, report: &mut Report) -> Result<(), String> {
    let sizes = if options.is_quick {
        &SIZES[..2]
    } else {
        &SIZES[..]
    };
    let most = sizes[sizes.len() - 1];
    let name = |count: usize| format!("agent_{count}");
    let ours = BuildRoot::dependencies(Variant::Ours);
    let mut crates = vec![Crate {
        name: "skills".to_owned(),
        dependencies: ours.clone(),
        file: "lib.rs",
        source: skills(most),
    }];
    crates.extend(sizes.iter().map(|count| Crate {
        name: name(*count),
        dependencies: format!("{ours}skills = {{ path = \"../skills\" }}\n"),
        file: "lib.rs",
        source: agent(*count),
    }));
    let workspace = root.workspace("skills", crates)?;
    for mode in Mode::ALL {
        let names: Vec<_> = sizes.iter().map(|count| name(*count)).collect();
        workspace.warm_up(&names, &[mode])?;
        let rounds = match mode {
            Mode::Check => options.rounds(9),
            Mode::Release => options.rounds(3),
        };
        let mut cost = vec![Vec::<BuildCost>::new(); sizes.len()];
        for round in 0..rounds {
            eprintln!("{}, round {} of {rounds}", mode.name(), round + 1);
            for step in 0..sizes.len() {
                let at = (round + step) % sizes.len();
                cost[at].push(workspace.measure(&names[at], mode)?);
            }
        }
        report_figures(mode, sizes, &cost, report);
    }
    Ok(())
}

fn report_figures(mode: Mode, sizes: &[usize], cost: &[Vec<BuildCost>], report: &mut Report) {
    let sample = |at: usize, part: fn(&BuildCost) -> f64| {
        let name = format!("{} skills", sizes[at]);
        Sample::new(name, cost[at].iter().map(part).collect::<Vec<_>>())
    };
    let what = mode.name();
    let mut figures = Vec::new();
    for (at, size) in sizes.iter().enumerate() {
        let own = sample(at, |cost| cost.cpu);
        let mut figure = Figure::of(format!("{what}, `agent!` of {size} skills"), &own, "s");
        if at > 0 {
            figure = figure.compared_to(&own, &sample(at - 1, |cost| cost.cpu));
        }
        if *size == 1_000 && mode == Mode::Check {
            figure = figure.goal(Goal::RatioAtMost(11.0));
        }
        figures.push(figure);
    }
    for (at, size) in sizes.iter().enumerate() {
        let own = sample(at, |cost| cost.memory);
        figures.push(Figure::of(
            format!("{what}, peak memory of rustc, {size} skills"),
            &own,
            "MB",
        ));
    }
    let heading = match mode {
        Mode::Check => "Skills, `cargo check`",
        Mode::Release => "Skills, release build",
    };
    report.section(
        heading,
        "Seconds of processor time of rustc for the crate with `agent!` alone; each skill has one action.",
        &figures,
    );
}
