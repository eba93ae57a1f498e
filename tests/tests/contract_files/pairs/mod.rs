//! Pairs of contract files, with the verdicts that were written before the comparison.
//!
//! A file is a group of pairs. Its `place` says what `old` and `new` are: the schema of an argument, of all arguments, of an answer,
//! a state or a configuration, or a patch of the contract in `base.json`. A pair lists the paths of its changes by class, below
//! that place; `passes` if a version accounts for all that is breaking, and `not_shown` with the reason if no value shows it.

use serde::Deserialize;
use serde_json::{Value, json};
use skill_agent::contract::Contract;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    place: Place,
    pairs: Vec<PairEntry>,
}

/// The kind of the two parts of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Argument,
    Arguments,
    Answer,
    State,
    Config,
    Contract,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairEntry {
    name: String,
    old: Value,
    new: Value,
    #[serde(default)]
    breaking: BTreeSet<String>,
    #[serde(default)]
    additive: BTreeSet<String>,
    #[serde(default)]
    text: BTreeSet<String>,
    #[serde(default)]
    passes: bool,
    #[serde(default)]
    not_shown: Option<String>,
}

/// Two contracts, and what has changed between them.
#[derive(Debug)]
pub struct Pair {
    /// The name of its file, and its own.
    pub name: String,
    pub place: Place,
    pub old: Contract,
    pub new: Contract,
    /// The schemas that the contracts have at the place of the pair.
    pub schemas: [Value; 2],
    /// The paths of the changes by class: breaking, additive, text.
    pub paths: [BTreeSet<String>; 3],
    pub passes: bool,
    pub not_shown: Option<String>,
}

impl Pair {
    /// The same place with other schemas.
    pub fn set_schemas(&mut self, schemas: [Value; 2]) {
        [self.old, self.new] = [0, 1].map(|side| self.place.contract(&schemas[side]));
        self.schemas = schemas;
    }
}

impl Place {
    /// The path of the place in a contract.
    fn path(self) -> &'static str {
        match self {
            Self::Argument | Self::Arguments => "tools.add.arguments",
            Self::Answer => "tools.add.answer",
            Self::State => "state.calculator",
            Self::Config => "skills.calculator.config",
            Self::Contract => "",
        }
    }

    /// The path of a change, which is below the place. A schema that is written in another way is one at its root.
    fn absolute(self, path: &str) -> String {
        match self {
            Self::Contract => path.to_owned(),
            Self::State if path.is_empty() => "state".to_owned(),
            place if path.is_empty() => place.path().to_owned(),
            place if path.starts_with('[') => format!("{}{path}", place.path()),
            place => format!("{}.{path}", place.path()),
        }
    }

    /// The schema that a pair writes.
    fn schema(self, written: &Value) -> Value {
        match self {
            Self::Argument => json!({
                "type": "object",
                "properties": { "x": written },
                "required": ["x"],
                "additionalProperties": false,
            }),
            _ => written.clone(),
        }
    }

    /// The contract with a schema at this place.
    fn contract(self, schema: &Value) -> Contract {
        let mut contract = base();
        let pointer = match self {
            Self::Argument | Self::Arguments => "/tools/add/arguments",
            Self::Answer => "/tools/add/answer",
            Self::State => "/state/properties/calculator",
            Self::Config => "/skills/calculator/config",
            Self::Contract => {
                merge(&mut contract, schema);
                return read(&contract);
            }
        };
        let place = contract.pointer_mut(pointer);
        *place.expect("the base has such a place") = schema.clone();
        read(&contract)
    }
}

fn read(contract: &Value) -> Contract {
    Contract::parse(&contract.to_string()).unwrap_or_else(|error| panic!("{error}\n{contract:#}"))
}

fn base() -> Value {
    serde_json::from_str(include_str!("base.json")).expect("the base is JSON")
}

/// Merges a patch of RFC 7396.
fn merge(value: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *value = patch.clone();
        return;
    };
    if !value.is_object() {
        *value = json!({});
    }
    for (key, patch) in patch {
        let entries = value.as_object_mut().expect("it is an object");
        if patch.is_null() {
            entries.shift_remove(key);
        } else {
            merge(entries.entry(key.clone()).or_insert(Value::Null), patch);
        }
    }
}

/// All pairs.
pub fn pairs() -> Vec<Pair> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contract_files/pairs");
    let files = fs::read_dir(folder).expect("there is such a folder");
    let mut files: Vec<_> = files
        .map(|file| file.expect("it is listed").path())
        .collect();
    files.sort();
    let is_group = |path: &std::path::PathBuf| {
        path.extension()
            .is_some_and(|extension| extension == "json")
            && !path.ends_with("base.json")
    };
    files
        .into_iter()
        .filter(is_group)
        .flat_map(|path| group(&path))
        .collect()
}

fn group(path: &Path) -> Vec<Pair> {
    let file = path
        .file_stem()
        .expect("a file has a name")
        .to_string_lossy()
        .into_owned();
    let text = fs::read_to_string(path).expect("it can be read");
    let group: Group =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    let place = group.place;
    let pair = |entry: PairEntry| {
        let schemas = [&entry.old, &entry.new].map(|written| place.schema(written));
        let paths = [entry.breaking, entry.additive, entry.text];
        Pair {
            name: format!("{file}: {}", entry.name),
            place,
            old: place.contract(&schemas[0]),
            new: place.contract(&schemas[1]),
            paths: paths.map(|paths| paths.iter().map(|path| place.absolute(path)).collect()),
            schemas,
            passes: entry.passes,
            not_shown: entry.not_shown,
        }
    };
    group.pairs.into_iter().map(pair).collect()
}
