//! Skills for the UI cases whose mistake is somewhere else.
//!
//! Each module has a complete skill, except that `weather` has only a macro. The macro of the same name declares only the struct of the
//! skill, in the case itself and with the options of the case: `fixture_ui::counter!(actions(Increment));` for a case whose mistake is in
//! `increment`. [`builder`] is for cases whose mistake is in the resources of an agent.
#![allow(missing_docs)] // a fixture, with no documentation to read

pub mod effects;

#[macro_export]
macro_rules! counter {
    ($($options:tt)*) => {
        /// Counts.
        #[derive(::skill_agent::prelude::Skill, Clone, Default, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(default)]
        #[skill(name = "counter", $($options)*)]
        pub struct Counter {
            pub count: u32,
        }
    };
}

pub mod counter {
    use skill_agent::prelude::*;

    counter!(actions(Increment));

    /// Add to the counter.
    #[action]
    pub fn increment(counter: &mut Counter, by: u32) -> u32 {
        counter.count += by;
        counter.count
    }
}

#[macro_export]
macro_rules! calculator {
    ($($options:tt)*) => {
        /// Basic arithmetic.
        #[derive(::skill_agent::prelude::Skill, Clone, Default, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(default)]
        #[skill(name = "calculator", $($options)*)]
        pub struct Calculator {
            pub last_result: f64,
        }
    };
}

pub mod calculator {
    use skill_agent::prelude::*;

    calculator!(actions(Add));

    /// Add two numbers.
    #[action]
    pub fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
        calculator.last_result = a + b;
        calculator.last_result
    }
}

#[macro_export]
macro_rules! clock {
    ($($options:tt)*) => {
        /// Counts ticks.
        #[derive(::skill_agent::prelude::Skill, Clone, Default, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(default)]
        #[skill(name = "clock", $($options)*)]
        pub struct Clock {
            pub ticks: u32,
        }
    };
}

pub mod clock {
    use skill_agent::prelude::*;

    clock!(actions(Tick));

    /// Advance the clock.
    #[action]
    pub fn tick(clock: &mut Clock) -> u32 {
        clock.ticks += 1;
        clock.ticks
    }
}

#[macro_export]
macro_rules! desk {
    ($($options:tt)*) => {
        /// Reads and writes.
        #[derive(::skill_agent::prelude::Skill, Clone, Default, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(default)]
        #[skill(name = "desk", version = "0.1.0", $($options)*)]
        pub struct Desk {}
    };
}

pub mod desk {
    use skill_agent::prelude::*;

    desk!(actions(Read, Write));

    /// Read a file.
    #[action]
    pub fn read(_: &Desk) {}

    /// Write a file.
    #[action]
    pub fn write(_: &Desk) {}
}

#[macro_export]
macro_rules! notes {
    ($($options:tt)*) => {
        /// Remembers notes.
        #[derive(::skill_agent::prelude::Skill, Clone, Default, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(default)]
        #[skill(name = "notes", $($options)*)]
        pub struct Notes {
            pub lines: Vec<String>,
        }
    };
}

pub mod notes {
    use skill_agent::prelude::*;

    notes!(actions(Write));

    /// Write a note.
    #[action]
    pub fn write(notes: &mut Notes, line: String) {
        notes.lines.push(line);
    }
}

#[macro_export]
macro_rules! weather {
    ($($options:tt)*) => {
        /// Looks up the weather.
        #[derive(::skill_agent::prelude::Skill, Clone, Default, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(default)]
        #[skill(name = "weather", $($options)*)]
        pub struct Weather {
            pub last_city: String,
        }
    };
}

pub mod radio {
    use skill_agent::prelude::*;

    /// The number of the last station.
    pub const LAST: u16 = 99;

    /// Receives stations.
    #[derive(Skill, Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(default)]
    #[skill(name = "radio", config = RadioConfig)]
    pub struct Radio {}

    /// The settings of a radio.
    #[derive(SkillConfig, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(default)]
    pub struct RadioConfig {
        #[schemars(range(max = 10))]
        pub volume: u8,
        #[schemars(range(min = -3, max = 3))]
        pub balance: i32,
        #[schemars(range(min = -0.5, max = 0.5))]
        pub gain: f64,
        #[schemars(range(max = LAST))]
        pub station: Option<u16>,
        #[schemars(length(min = 2, max = 8))]
        pub name: String,
        #[schemars(length(max = 3), inner(range(min = 87.5, max = 108)))]
        pub presets: Vec<f64>,
    }
}

pub mod builder {
    use skill_agent::bounds::AgentRunsWith;
    use skill_agent::prelude::*;

    /// Has the bounds of `AgentServerBuilder`, without the dependencies of a server.
    pub struct Builder<G, R>(pub G, pub R);

    impl<G: Agent, R: Resources> Builder<G, R> {
        pub fn start(self)
        where
            G: AgentRunsWith<R>,
        {
        }
    }
}
