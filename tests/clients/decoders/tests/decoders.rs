//! Every tool for every provider: its schema is compiled by llguidance, and the action reads the values that llguidance allows.
//!
//! With `DECODED=FOLDER` the tools and some of the values are written into a folder, for other decoders and for the libraries of
//! the providers.

use decoder_tests::explained::{ROWS, Row};
use decoder_tests::nullable::without_nullable;
use decoder_tests::subjects::{self, Subject};
use decoder_tests::walk::{Decoder, Dice};
use serde_json::{Value, json};
use skill_agent::models::Provider;
use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs, thread};

/// How many values of each schema are read, and how many of them are written for other decoders.
const VALUES: usize = 200;
const WRITTEN: usize = 20;

/// One of each dialect; the others have the same schemas in another shape.
const PROVIDERS: [Provider; 7] = [
    Provider::OPENAI_CHAT,
    Provider::OPENAI_STRICT,
    Provider::ANTHROPIC,
    Provider::ANTHROPIC_STRICT,
    Provider::GEMINI,
    Provider::GEMINI_LEGACY,
    Provider::MCP,
];

/// The providers that constrain what a model writes must have schemas without a keyword that decoders do not know.
const STRICT: [Provider; 2] = [Provider::OPENAI_STRICT, Provider::ANTHROPIC_STRICT];

/// Keywords and formats of other providers that llguidance does not have. A lenient decoder leaves them out.
const UNKNOWN: [&str; 4] = [
    "Unimplemented keys: [\"uniqueItems\"]",
    "Unimplemented keys: [\"not\"]",
    "oneOf constraints are not supported",
    "Unknown format: ip",
];

/// The result for one tool and one provider.
#[derive(Default)]
struct Cell {
    /// In the table.
    word: String,
    values: Vec<String>,
    /// The rows that were needed.
    rows: BTreeSet<usize>,
    lenient: BTreeSet<usize>,
    mistakes: Vec<String>,
}

impl Cell {
    fn word(word: &str) -> Self {
        let word = word.to_owned();
        Self {
            word,
            ..Self::default()
        }
    }

    fn decoded(provider: Provider, subject: &Subject, schema: &Value) -> Self {
        let mut cell = Self::default();
        let mut decoder = match Decoder::new(schema, false) {
            Ok(decoder) => decoder,
            Err(error) => {
                let unknown = UNKNOWN.iter().position(|part| error.contains(part));
                match unknown.filter(|_| !STRICT.contains(&provider)) {
                    Some(row) => drop(cell.lenient.insert(row)),
                    None => cell.mistakes.push(error),
                }
                match Decoder::new(schema, true) {
                    Ok(decoder) => decoder,
                    Err(error) => {
                        cell.mistakes.push(error);
                        return cell;
                    }
                }
            }
        };
        let mut dice = Dice::new(&subject.name);
        let mut refused = 0;
        let mut walks = 0;
        while cell.values.len() < VALUES {
            walks += 1;
            assert!(
                walks < 2 * VALUES,
                "the walks of {} do not end",
                subject.name
            );
            let Some(value) = decoder.value(&mut dice) else {
                continue;
            };
            let arguments = provider.restore_omitted(subject.tool, &value);
            if let Err(error) = subject.read(&arguments) {
                refused += 1;
                let explains = |row: &Row| row.explains(provider, subject, &error);
                match ROWS.iter().position(explains) {
                    Some(row) => drop(cell.rows.insert(row)),
                    None => cell.mistakes.push(format!("{value}: {error}")),
                }
            }
            cell.values.push(value);
        }
        let lenient = if cell.lenient.is_empty() { "" } else { "*" };
        cell.word = format!("{}{lenient}", VALUES - refused);
        cell
    }
}

/// The tools of one provider.
struct Column {
    provider: Provider,
    cells: Vec<Cell>,
    tools: Vec<Value>,
    written: Vec<Value>,
}

fn column(provider: Provider, subjects: &[Subject]) -> Column {
    let (mut cells, mut tools, mut written) = (Vec::new(), Vec::new(), Vec::new());
    for subject in subjects {
        let Ok(tool) = provider.tool(subject.tool) else {
            cells.push(Cell::word("-"));
            continue;
        };
        let parts = provider
            .shape
            .wrapper
            .map_or(&tool, |wrapper| &tool[wrapper]);
        let schema = without_nullable(&parts[provider.shape.schema]);
        if schema.is_null() {
            cells.push(Cell::word("none"));
        } else {
            let cell = Cell::decoded(provider, subject, &schema);
            let values: Vec<&String> = cell.values.iter().take(WRITTEN).collect();
            written.push(json!({
                "provider": format!("{provider:?}"),
                "tool": subject.name,
                "schema": schema.to_string(),
                "values": values,
            }));
            cells.push(cell);
        }
        tools.push(tool);
    }
    Column {
        provider,
        cells,
        tools,
        written,
    }
}

/// The name of a file in tests/providers.
fn file(provider: Provider) -> String {
    let name = format!("{provider:?}").replace("Provider::", "");
    format!("{}.json", name.to_lowercase())
}

fn write(columns: &[Column], subjects: &[Subject], folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for column in columns {
        fs::write(
            folder.join(file(column.provider)),
            json!(column.tools).to_string(),
        )
        .unwrap();
    }
    let provider = Provider::OPENAI_RESPONSES_STRICT;
    let tools = subjects
        .iter()
        .filter_map(|subject| provider.tool(subject.tool).ok());
    fs::write(
        folder.join(file(provider)),
        json!(tools.collect::<Vec<_>>()).to_string(),
    )
    .unwrap();
    let written: Vec<&Value> = columns.iter().flat_map(|column| &column.written).collect();
    fs::write(folder.join("values.json"), json!(written).to_string()).unwrap();
}

fn print(columns: &[Column], subjects: &[Subject]) {
    println!(
        "of {VALUES} values that the decoder allows, the action reads; `-`: cannot be expressed; `*`: by a lenient decoder"
    );
    let names = columns
        .iter()
        .map(|column| format!("{:>17}", file(column.provider).replace(".json", "")));
    println!("{:40}{}", "", names.collect::<String>());
    for (index, subject) in subjects.iter().enumerate() {
        let words = columns
            .iter()
            .map(|column| format!("{:>17}", column.cells[index].word));
        println!("{:40}{}", subject.name, words.collect::<String>());
    }
}

#[test]
fn the_actions_read_what_decoders_allow() {
    let subjects = subjects::all();
    let arguments = subjects
        .iter()
        .filter(|subject| subject.name.starts_with("holders."));
    assert!(arguments.count() >= 90);
    let columns: Vec<Column> = thread::scope(|scope| {
        let subjects = &subjects;
        let threads = PROVIDERS.map(|provider| scope.spawn(move || column(provider, subjects)));
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    print(&columns, &subjects);
    if let Some(folder) = env::var_os("DECODED") {
        write(&columns, &subjects, Path::new(&folder));
    }
    let mut mistakes = Vec::new();
    let (mut rows, mut lenient) = (BTreeSet::<usize>::new(), BTreeSet::<usize>::new());
    for column in &columns {
        for (cell, subject) in column.cells.iter().zip(&subjects) {
            let place = format!("{:?} {}", column.provider, subject.name);
            mistakes.extend(
                cell.mistakes
                    .iter()
                    .map(|mistake| format!("{place}: {mistake}")),
            );
            rows.extend(&cell.rows);
            lenient.extend(&cell.lenient);
        }
    }
    let unneeded = (0..ROWS.len()).filter(|row| !rows.contains(row));
    mistakes.extend(unneeded.map(|row| format!("nothing needs {:?}", ROWS[row])));
    let unneeded = (0..UNKNOWN.len()).filter(|row| !lenient.contains(row));
    mistakes.extend(unneeded.map(|row| format!("llguidance has {}", UNKNOWN[row])));
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}
