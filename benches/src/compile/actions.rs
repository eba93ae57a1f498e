//! 1, 32, 128, 512 tools, written four times.

use super::ground::{Crate, Ground, Mode};
use super::rustc::Took;
use crate::measure::Sample;
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use crate::source::Way;

/// What was measured of one crate, round by round.
struct Row {
    way: Way,
    count: usize,
    name: String,
    took: Vec<Took>,
}

impl Row {
    fn sample(&self, part: fn(&Took) -> f64) -> Sample {
        Sample::new(self.way.name(), self.took.iter().map(part).collect())
    }
}

pub fn run(options: &Options, ground: &Ground, report: &mut Report) -> Result<(), String> {
    let sizes: &[usize] = if options.is_quick {
        &[1, 32, 128]
    } else {
        &[1, 32, 128, 512]
    };
    let all: Vec<(Way, usize)> = Way::ALL
        .into_iter()
        .flat_map(|way| sizes.iter().map(move |count| (way, *count)))
        .collect();
    let name = |way: Way, count: usize| format!("{}_{count}", way.file());
    let crates = all.iter().map(|(way, count)| Crate {
        name: name(*way, *count),
        dependencies: Ground::dependencies(*way),
        file: "lib.rs",
        source: way.source(*count),
    });
    let workspace = ground.workspace("actions", crates.collect())?;
    let names: Vec<_> = all.iter().map(|(way, count)| name(*way, *count)).collect();
    for mode in Mode::ALL {
        workspace.warm_up(&names, &[mode])?;
        let rounds = match mode {
            Mode::Check => options.rounds(9),
            Mode::Release => options.rounds(3),
        };
        let mut rows: Vec<_> = all
            .iter()
            .map(|(way, count)| Row {
                way: *way,
                count: *count,
                name: name(*way, *count),
                took: Vec::new(),
            })
            .collect();
        for round in 0..rounds {
            eprintln!("{}, round {} of {rounds}", mode.name(), round + 1);
            let length = rows.len();
            for step in 0..length {
                let row = &mut rows[(step + round) % length];
                row.took.push(workspace.measure(&row.name, mode)?);
            }
        }
        tell(mode, sizes, &rows, report);
    }
    Ok(())
}

fn tell(mode: Mode, sizes: &[usize], rows: &[Row], report: &mut Report) {
    let [.., less, most] = *sizes else {
        unreachable!("there are sizes")
    };
    let find = |way: Way, count: usize| {
        let found = rows.iter().find(|row| row.way == way && row.count == count);
        found.expect("each way is measured with each size")
    };
    let what = mode.name();
    let mut figures = Vec::new();
    for row in rows {
        let sample = row.sample(|took| took.cpu);
        let reference = find(Way::Hand, row.count).sample(|took| took.cpu);
        let figure = Figure::of(
            format!("{what}, {} actions: {}", row.count, row.way.name()),
            &sample,
            "s",
        );
        figures.push(if row.way == Way::Hand {
            figure
        } else {
            figure.beside(&sample, &reference)
        });
    }
    let each = |way: Way| {
        let (few, many) = (find(way, less), find(way, most));
        let rounds = few.took.iter().zip(&many.took);
        let each = rounds.map(|(few, many)| (many.cpu - few.cpu) / (most - less) as f64 * 1000.0);
        Sample::new(way.name(), each.collect())
    };
    for way in Way::ALL {
        let sample = each(way);
        let mut figure = Figure::of(
            format!("{what}, each action more, {less} to {most}: {}", way.name()),
            &sample,
            "ms",
        );
        if way != Way::Hand {
            figure = figure.beside(&sample, &each(Way::Hand));
        }
        if way == Way::Ours && mode == Mode::Check {
            figure = figure.goal(Goal::RatioAtMost(1.25));
        }
        figures.push(figure);
    }
    for way in Way::ALL {
        let (few, many) = (
            find(way, less).sample(|took| took.cpu),
            find(way, most).sample(|took| took.cpu),
        );
        let name = format!(
            "{what}, growth from {less} to {most} actions: {}",
            way.name()
        );
        figures.push(Figure::new(name, many.ratio(&few), "x"));
    }
    for way in Way::ALL {
        let (row, reference) = (
            find(way, most).sample(|took| took.memory),
            find(Way::Hand, most).sample(|took| took.memory),
        );
        let figure = Figure::of(
            format!(
                "{what}, peak memory of rustc, {most} actions: {}",
                way.name()
            ),
            &row,
            "MB",
        );
        figures.push(if way == Way::Hand {
            figure
        } else {
            figure.beside(&row, &reference)
        });
    }
    for way in Way::ALL {
        let sample = find(way, most).sample(|took| took.wall);
        figures.push(Figure::of(
            format!("{what}, on the clock, {most} actions: {}", way.name()),
            &sample,
            "s",
        ));
    }
    let heading = match mode {
        Mode::Check => "Actions, `cargo check`",
        Mode::Release => "Actions, release build",
    };
    report.part(
        heading,
        "Seconds of processor time of rustc for the crate with the tools alone, without incremental compilation; seconds on the clock \
         where it is said. By hand: a struct with `Serialize`, `Deserialize` and `JsonSchema` for each tool, a `match`, a list of \
         schemas. skill-agent has a skill for each 16 actions, and an agent of them in the same crate.",
        &figures,
    );
}
