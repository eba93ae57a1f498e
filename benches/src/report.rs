//! Figures: as a table for people, as lines of JSON for programs.

use crate::measure::{NOISY, Sample};
use serde_json::{Value, json};

/// What is to be reached.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// So many times the reference at most.
    RatioAtMost(f64),
    /// So many times the reference at least.
    RatioAtLeast(f64),
    /// So much at most, in the unit of the figure.
    AtMost(f64),
}

impl Goal {
    fn is_met(self, value: f64, ratio: Option<f64>) -> bool {
        match self {
            Self::RatioAtMost(most) => ratio.is_some_and(|it| it <= most),
            Self::RatioAtLeast(least) => ratio.is_some_and(|it| it >= least),
            Self::AtMost(most) => value <= most,
        }
    }

    fn text(self) -> String {
        match self {
            Self::RatioAtMost(most) => format!("<= {most} x"),
            Self::RatioAtLeast(least) => format!(">= {least} x"),
            Self::AtMost(most) => format!("<= {most}"),
        }
    }
}

/// Something that was measured, and what it is held against.
#[derive(Clone, Debug)]
pub struct Figure {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    pub least: Option<f64>,
    pub spread: Option<f64>,
    pub allocations: Option<f64>,
    /// The name and value of what it is compared with.
    pub reference: Option<(String, f64)>,
    pub ratio: Option<f64>,
    pub goal: Option<Goal>,
}

impl Figure {
    pub fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            value,
            unit,
            least: None,
            spread: None,
            allocations: None,
            reference: None,
            ratio: None,
            goal: None,
        }
    }

    pub fn of(name: impl Into<String>, sample: &Sample, unit: &'static str) -> Self {
        Self {
            least: Some(sample.least()),
            spread: Some(sample.spread()),
            allocations: sample.allocations,
            ..Self::new(name, sample.median(), unit)
        }
    }

    /// Beside another sample of the same rounds.
    pub fn beside(mut self, own: &Sample, reference: &Sample) -> Self {
        self.reference = Some((reference.name.clone(), reference.median()));
        self.ratio = Some(own.ratio(reference));
        self
    }

    /// Beside a value.
    pub fn beside_value(mut self, name: impl Into<String>, value: f64) -> Self {
        self.reference = Some((name.into(), value));
        self.ratio = Some(self.value / value);
        self
    }

    pub fn goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }

    pub fn is_met(&self) -> Option<bool> {
        self.goal.map(|goal| goal.is_met(self.value, self.ratio))
    }

    pub fn is_noisy(&self) -> bool {
        self.spread.is_some_and(|spread| spread > NOISY)
    }

    fn json(&self) -> Value {
        let reference = self.reference.as_ref();
        json!({
            "name": self.name,
            "value": rounded(self.value),
            "unit": self.unit,
            "reference": reference.map(|(name, value)| json!({ "name": name, "value": rounded(*value) })),
            "ratio": self.ratio.map(rounded),
            "goal": self.goal.map(Goal::text),
            "met": self.is_met(),
            "least": self.least.map(rounded),
            "spread": self.spread.map(rounded),
            "allocations": self.allocations.map(rounded),
        })
    }

    fn row(&self) -> String {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let met = match self.is_met() {
            Some(true) => "met",
            Some(false) => "**missed**",
            None => "",
        };
        format!(
            "| {} | {} {} | {} | {} | {} | {} | {} | {} {} |",
            self.name,
            short(self.value),
            self.unit,
            or_dash(self.least.map(short)),
            or_dash(self.spread.map(|it| format!(
                "{:.0} %{}",
                it * 100.0,
                if self.is_noisy() { " !" } else { "" }
            ))),
            or_dash(self.allocations.map(short)),
            or_dash(
                self.reference
                    .as_ref()
                    .map(|(name, value)| format!("{name}: {}", short(*value)))
            ),
            or_dash(self.ratio.map(|it| format!("{it:.2} x"))),
            self.goal.map_or_else(|| "–".to_owned(), Goal::text),
            met,
        )
    }
}

/// Four digits that say something.
fn rounded(value: f64) -> f64 {
    match value == 0.0 || !value.is_finite() {
        true => value,
        false => {
            let scale = 10f64.powi(3 - value.abs().log10().floor() as i32);
            (value * scale).round() / scale
        }
    }
}

/// As people read it.
fn short(value: f64) -> String {
    match value.abs() {
        it if it < 1000.0 && it.fract() == 0.0 => format!("{value}"),
        it if it >= 1000.0 => {
            let digits = format!("{value:.0}");
            let mut text = String::new();
            for (at, digit) in digits.chars().enumerate() {
                if at > 0 && (digits.len() - at) % 3 == 0 {
                    text.push(',');
                }
                text.push(digit);
            }
            text
        }
        it if it >= 100.0 => format!("{value:.0}"),
        it if it >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// The machine and the versions, which figures mean nothing without.
pub fn surroundings() -> String {
    let lock = include_str!("../Cargo.lock");
    let version = |name: &str| {
        let found = lock.split("[[package]]").find_map(|package| {
            let named = package.contains(&format!("name = \"{name}\"\n"));
            package
                .split("version = \"")
                .nth(1)
                .filter(|_| named)?
                .split('"')
                .next()
        });
        format!("{name} {}", found.unwrap_or("?"))
    };
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo");
    let processor = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let rustc = std::process::Command::new("rustc")
        .arg("--version")
        .output();
    let rustc = rustc.map_or_else(
        |_| "rustc ?".to_owned(),
        |it| String::from_utf8_lossy(&it.stdout).trim().to_owned(),
    );
    let load = read("/proc/loadavg");
    format!(
        "{}, {} processors, {} {}; {rustc}; {}. Load average before: {}.",
        processor.unwrap_or("an unknown processor"),
        std::thread::available_parallelism().map_or(0, |it| it.get()),
        std::env::consts::OS,
        std::env::consts::ARCH,
        ["rmcp", "rig", "serde", "serde_json", "schemars", "tokio"]
            .map(version)
            .join(", "),
        load.split(' ').next().unwrap_or("unknown"),
    )
}

/// Writes figures as they come.
pub struct Report {
    pub is_json: bool,
    is_noisy: bool,
    missed: Vec<String>,
}

impl Report {
    pub fn new(is_json: bool) -> Self {
        Self {
            is_json,
            is_noisy: false,
            missed: Vec::new(),
        }
    }

    /// A part, with a heading and what is to be known of it.
    pub fn part(&mut self, heading: &str, says: &str, figures: &[Figure]) {
        for figure in figures {
            self.is_noisy |= figure.is_noisy();
            if figure.is_met() == Some(false) {
                self.missed.push(figure.name.clone());
            }
        }
        if self.is_json {
            for figure in figures {
                println!("{}", figure.json());
            }
            return;
        }
        println!("\n## {heading}\n");
        if !says.is_empty() {
            println!("{says}\n");
        }
        if figures.is_empty() {
            return;
        }
        println!("| | median | least | spread | allocations | reference | ratio | goal |");
        println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
        for figure in figures {
            println!("{}", figure.row());
        }
    }

    /// What remains to be said.
    pub fn end(self) {
        if self.is_json {
            return;
        }
        println!();
        match self.missed.is_empty() {
            true => println!("Every goal is met."),
            false => println!("Missed: {}.", self.missed.join("; ")),
        }
        if self.is_noisy {
            println!(
                "A spread of more than {:.0} % is marked with `!`: something else ran on the machine.",
                NOISY * 100.0
            );
        }
    }
}
