//! Prints figures as Markdown tables or as lines of JSON.

use crate::measure::{NOISY, Sample};
use serde_json::{Value, json};

/// The goal of a figure.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// At most this multiple of the reference.
    RatioAtMost(f64),
    /// At least this multiple of the reference.
    RatioAtLeast(f64),
    /// At most this value, in the unit of the figure.
    AtMost(f64),
}

impl Goal {
    fn is_met(self, value: f64, ratio: Option<f64>) -> bool {
        match self {
            Self::RatioAtMost(most) => ratio.is_some_and(|ratio| ratio <= most),
            Self::RatioAtLeast(least) => ratio.is_some_and(|ratio| ratio >= least),
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

/// A measured value, with an optional reference and goal.
#[derive(Clone, Debug)]
pub struct Figure {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    pub least: Option<f64>,
    pub spread: Option<f64>,
    pub allocations: Option<f64>,
    /// The name and the value of the reference.
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

    /// Compares the figure with another sample of the same rounds.
    pub fn compared_to(mut self, own: &Sample, reference: &Sample) -> Self {
        self.reference = Some((reference.name.clone(), reference.median()));
        self.ratio = Some(own.ratio(reference));
        self
    }

    /// Compares the figure with a value.
    pub fn compared_to_value(mut self, name: impl Into<String>, value: f64) -> Self {
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
            or_dash(self.spread.map(|spread| format!(
                "{:.0} %{}",
                spread * 100.0,
                if self.is_noisy() { " !" } else { "" }
            ))),
            or_dash(self.allocations.map(short)),
            or_dash(
                self.reference
                    .as_ref()
                    .map(|(name, value)| format!("{name}: {}", short(*value)))
            ),
            or_dash(self.ratio.map(|ratio| format!("{ratio:.2} x"))),
            self.goal.map_or_else(|| "–".to_owned(), Goal::text),
            met,
        )
    }
}

/// Rounds to four significant digits.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10f64.powi(3 - value.abs().log10().floor() as i32);
    (value * scale).round() / scale
}

/// Formats a value for a table.
fn short(value: f64) -> String {
    match value.abs() {
        size if size < 1000.0 && size.fract() == 0.0 => format!("{value}"),
        size if size >= 1000.0 => {
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
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Describes the machine and the versions.
pub fn environment() -> String {
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
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    );
    let load = read("/proc/loadavg");
    format!(
        "{}, {} processors, {} {}; {rustc}; {}. Load average before: {}.",
        processor.unwrap_or("an unknown processor"),
        std::thread::available_parallelism().map_or(0, |count| count.get()),
        std::env::consts::OS,
        std::env::consts::ARCH,
        [
            "rmcp",
            "rig",
            "redb",
            "rusqlite",
            "serde",
            "serde_json",
            "schemars",
            "tokio"
        ]
        .map(version)
        .join(", "),
        load.split(' ').next().unwrap_or("unknown"),
    )
}

/// Prints figures and remembers missed goals.
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

    /// Prints a section with a heading, a description and figures.
    pub fn section(&mut self, heading: &str, description: &str, figures: &[Figure]) {
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
        if !description.is_empty() {
            println!("{description}\n");
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

    /// Prints the missed goals and a note on noise.
    pub fn finish(self) {
        if self.is_json {
            return;
        }
        println!();
        if self.missed.is_empty() {
            println!("Every goal is met.");
        } else {
            println!("Missed: {}.", self.missed.join("; "));
        }
        if self.is_noisy {
            println!(
                "A spread of more than {:.0} % is marked with `!`: other load ran on the machine.",
                NOISY * 100.0
            );
        }
    }
}
