//! Crates with 1, 32, 128 and 512 tools in four variants.

use super::rustc::BuildCost;
use super::workspace::{BuildRoot, Crate, Mode};
use crate::measure::Sample;
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use crate::source::Variant;

/// The measurements of one crate in each round.
struct Row {
    variant: Variant,
    count: usize,
    name: String,
    cost: Vec<BuildCost>,
}

impl Row {
    fn sample(&self, part: fn(&BuildCost) -> f64) -> Sample {
        Sample::new(self.variant.name(), self.cost.iter().map(part).collect())
    }
}

pub fn run(options: &Options, root: &BuildRoot, report: &mut Report) -> Result<(), String> {
    let sizes: &[usize] = if options.is_quick {
        &[1, 32, 128]
    } else {
        &[1, 32, 128, 512]
    };
    let all: Vec<(Variant, usize)> = Variant::ALL
        .into_iter()
        .flat_map(|variant| sizes.iter().map(move |count| (variant, *count)))
        .collect();
    let name = |variant: Variant, count: usize| format!("{}_{count}", variant.file());
    let crates = all.iter().map(|(variant, count)| Crate {
        name: name(*variant, *count),
        dependencies: BuildRoot::dependencies(*variant),
        file: "lib.rs",
        source: variant.source(*count),
    });
    let workspace = root.workspace("actions", crates.collect())?;
    let names: Vec<_> = all
        .iter()
        .map(|(variant, count)| name(*variant, *count))
        .collect();
    for mode in Mode::ALL {
        workspace.warm_up(&names, &[mode])?;
        let rounds = match mode {
            Mode::Check => options.rounds(9),
            Mode::Release => options.rounds(3),
        };
        let mut rows: Vec<_> = all
            .iter()
            .map(|(variant, count)| Row {
                variant: *variant,
                count: *count,
                name: name(*variant, *count),
                cost: Vec::new(),
            })
            .collect();
        for round in 0..rounds {
            eprintln!("{}, round {} of {rounds}", mode.name(), round + 1);
            let length = rows.len();
            for step in 0..length {
                let row = &mut rows[(step + round) % length];
                row.cost.push(workspace.measure(&row.name, mode)?);
            }
        }
        report_figures(mode, sizes, &rows, report);
    }
    Ok(())
}

fn report_figures(mode: Mode, sizes: &[usize], rows: &[Row], report: &mut Report) {
    let [.., less, most] = *sizes else {
        unreachable!("there are sizes")
    };
    let find = |variant: Variant, count: usize| {
        let found = rows
            .iter()
            .find(|row| row.variant == variant && row.count == count);
        found.expect("a row for each variant and size")
    };
    let what = mode.name();
    let mut figures = Vec::new();
    for row in rows {
        let sample = row.sample(|cost| cost.cpu);
        let reference = find(Variant::Hand, row.count).sample(|cost| cost.cpu);
        let figure = Figure::of(
            format!("{what}, {} actions: {}", row.count, row.variant.name()),
            &sample,
            "s",
        );
        figures.push(if row.variant == Variant::Hand {
            figure
        } else {
            figure.compared_to(&sample, &reference)
        });
    }
    let each = |variant: Variant| {
        let (few, many) = (find(variant, less), find(variant, most));
        let rounds = few.cost.iter().zip(&many.cost);
        let each = rounds.map(|(few, many)| (many.cpu - few.cpu) / (most - less) as f64 * 1000.0);
        Sample::new(variant.name(), each.collect())
    };
    for variant in Variant::ALL {
        let sample = each(variant);
        let mut figure = Figure::of(
            format!(
                "{what}, each action more, {less} to {most}: {}",
                variant.name()
            ),
            &sample,
            "ms",
        );
        if variant != Variant::Hand {
            figure = figure.compared_to(&sample, &each(Variant::Hand));
        }
        if variant == Variant::Ours && mode == Mode::Check {
            figure = figure.goal(Goal::RatioAtMost(1.25));
        }
        figures.push(figure);
    }
    for variant in Variant::ALL {
        let (few, many) = (
            find(variant, less).sample(|cost| cost.cpu),
            find(variant, most).sample(|cost| cost.cpu),
        );
        let name = format!(
            "{what}, growth from {less} to {most} actions: {}",
            variant.name()
        );
        figures.push(Figure::new(name, many.ratio(&few), "x"));
    }
    for variant in Variant::ALL {
        let (row, reference) = (
            find(variant, most).sample(|cost| cost.memory),
            find(Variant::Hand, most).sample(|cost| cost.memory),
        );
        let figure = Figure::of(
            format!(
                "{what}, peak memory of rustc, {most} actions: {}",
                variant.name()
            ),
            &row,
            "MB",
        );
        figures.push(if variant == Variant::Hand {
            figure
        } else {
            figure.compared_to(&row, &reference)
        });
    }
    for variant in Variant::ALL {
        let sample = find(variant, most).sample(|cost| cost.wall);
        figures.push(Figure::of(
            format!("{what}, wall clock, {most} actions: {}", variant.name()),
            &sample,
            "s",
        ));
    }
    let heading = match mode {
        Mode::Check => "Actions, `cargo check`",
        Mode::Release => "Actions, release build",
    };
    report.section(
        heading,
        "Seconds of processor time of rustc for the crate of the tools alone, without incremental compilation; seconds of wall-clock \
         time where noted. By hand: a struct with `Serialize`, `Deserialize` and `JsonSchema` for each tool, a `match`, a list of \
         schemas. skill-agent: a skill for every 16 actions, and an agent with all skills in the same crate.",
        &figures,
    );
}
