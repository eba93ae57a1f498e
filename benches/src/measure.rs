//! Measures several cases in turn. Each round runs all of them, so other load on the machine affects all of them.

use crate::allocations;
use std::time::{Duration, Instant};

/// The duration of one case in one round.
const ROUND: Duration = Duration::from_millis(1);

/// The spread from which a figure is marked as noisy.
pub const NOISY: f64 = 0.15;

/// One measured case.
pub struct Case<'a> {
    pub name: String,
    run: Box<dyn FnMut(u64) + 'a>,
}

impl<'a> Case<'a> {
    /// Creates a case from a closure that runs it once.
    pub fn new(name: impl Into<String>, mut once: impl FnMut() + 'a) -> Self {
        let run = move |count| {
            for _ in 0..count {
                once();
            }
        };
        Self {
            name: name.into(),
            run: Box::new(run),
        }
    }
}

/// The measurements of one case.
#[derive(Clone, Debug)]
pub struct Sample {
    pub name: String,
    /// The value of each round.
    pub rounds: Vec<f64>,
    /// The number of allocations per run.
    pub allocations: Option<f64>,
}

impl Sample {
    pub fn new(name: impl Into<String>, rounds: Vec<f64>) -> Self {
        Self {
            name: name.into(),
            rounds,
            allocations: None,
        }
    }

    pub fn median(&self) -> f64 {
        quantile(&self.rounds, 0.5)
    }

    pub fn least(&self) -> f64 {
        quantile(&self.rounds, 0.0)
    }

    /// The range of the middle 90 % of the rounds, relative to the median.
    pub fn spread(&self) -> f64 {
        (quantile(&self.rounds, 0.95) - quantile(&self.rounds, 0.05)) / self.median()
    }

    /// The median of the ratios of each round.
    pub fn ratio(&self, reference: &Self) -> f64 {
        let ratios: Vec<_> = self
            .rounds
            .iter()
            .zip(&reference.rounds)
            .map(|(a, b)| a / b)
            .collect();
        quantile(&ratios, 0.5)
    }
}

/// Returns the quantile of `values` at `part`.
pub fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        count => sorted[((count - 1) as f64 * part).round() as usize],
    }
}

/// Measures all cases, in nanoseconds per run.
pub fn measure(rounds: usize, mut cases: Vec<Case<'_>>) -> Vec<Sample> {
    let mut counts = Vec::new();
    for case in &mut cases {
        counts.push(calibrate(case));
    }
    let values = in_turn(rounds, cases.len(), |at| {
        let start = Instant::now();
        (cases[at].run)(counts[at]);
        start.elapsed().as_nanos() as f64 / counts[at] as f64
    });
    let named = cases.iter().zip(values);
    let mut samples: Vec<_> = named
        .map(|(case, values)| Sample::new(&case.name, values))
        .collect();
    for (sample, case) in samples.iter_mut().zip(&mut cases) {
        const TIMES: u64 = 64;
        let count = allocations::count_during(|| (case.run)(TIMES));
        sample.allocations = Some(count as f64 / TIMES as f64);
    }
    samples
}

/// Runs cases by their number, all of them in each round, and returns the values of each case.
pub fn in_turn(rounds: usize, cases: usize, mut run: impl FnMut(usize) -> f64) -> Vec<Vec<f64>> {
    let mut values = vec![Vec::new(); cases];
    for round in 0..rounds {
        for step in 0..cases {
            // rotates the order, and reverses it every other round: a case must not always follow the same one
            let rotated = (round + step) % cases;
            let at = if round % 2 == 0 {
                rotated
            } else {
                cases - 1 - rotated
            };
            values[at].push(run(at));
        }
    }
    values
}

/// Warms a case up and returns the number of runs for one round.
fn calibrate(case: &mut Case<'_>) -> u64 {
    let mut count = 1;
    loop {
        let start = Instant::now();
        (case.run)(count);
        let took = start.elapsed();
        if took >= ROUND || count >= 1 << 30 {
            let scale = ROUND.as_secs_f64() / took.as_secs_f64();
            return ((count as f64 * scale).ceil() as u64).max(1);
        }
        count *= 2;
    }
}
