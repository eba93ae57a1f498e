//! Verdicts on schemas against an independent validator: values that show them.

use crate::common::json_mutation::collect;
use crate::common::schema_drawer::Drawer;
use crate::common::schema_validator::SchemaValidator;
use crate::pairs::{Pair, Place, pairs};
use serde_json::{Value, json};

/// How many values must fit both schemas of a pair that is not breaking.
const VALUES: usize = 1_000;
/// The most draws until then, and until a value shows that a pair is breaking.
const MOST_DRAWS: usize = 50_000;

/// The schemas of a pair: all values of the first must be values of the second. A caller reads answers, and writes the rest.
pub fn sides(pair: &Pair) -> [&Value; 2] {
    let [old, new] = &pair.schemas;
    match pair.place {
        Place::Answer => [new, old],
        _ => [old, new],
    }
}

pub fn schema_pairs() -> impl Iterator<Item = Pair> {
    pairs()
        .into_iter()
        .filter(|pair| pair.place != Place::Contract)
}

/// Draws values of a schema and near to it.
pub struct Near<'s> {
    drawer: Drawer<'s>,
    /// The constants of both schemas, which lie at their limits.
    constants: Vec<Value>,
    /// The names of the properties of both.
    names: Vec<String>,
    turn: usize,
}

impl<'s> Near<'s> {
    pub fn new(first: &'s Value, second: &'s Value) -> Self {
        let mut near = Self {
            drawer: Drawer::new(first),
            constants: vec![json!(true)],
            names: Vec::new(),
            turn: 0,
        };
        for schema in [first, second] {
            constants(schema, &mut near.constants);
            names(schema, &mut near.names);
        }
        near
    }

    /// A value of the schema, one with a constant in it, and one with another change.
    pub fn values(&mut self) -> [Value; 3] {
        let drawn = self.drawer.value();
        let mut set = drawn.clone();
        let constant = self.constant();
        self.set_part(&mut set, |part| *part = constant);
        let mut changed = set.clone();
        self.drawer.change(&mut changed);
        [drawn, set, changed]
    }

    /// Adds an entry that one of the schemas names to an object.
    pub fn add_entry(&mut self, value: &mut Value) {
        let constant = self.constant();
        let name = self.names.get(self.turn % self.names.len().max(1)).cloned();
        self.set_part(value, |part| {
            if let (Value::Object(entries), Some(name)) = (part, name) {
                entries.insert(name, constant);
            }
        });
    }

    fn constant(&mut self) -> Value {
        self.turn += 1;
        self.constants[self.turn % self.constants.len()].clone()
    }

    fn set_part(&self, value: &mut Value, set: impl FnOnce(&mut Value)) {
        let mut places = vec![String::new()];
        collect(value, String::new(), &mut places);
        let place = &places[(self.turn / self.constants.len()) % places.len()];
        value.pointer_mut(place).map(set).expect("it was collected");
    }
}

#[test]
fn values_that_fit_before_fit_after_a_change_that_is_not_breaking() {
    let mut count = 0;
    for pair in schema_pairs().filter(|pair| pair.paths[0].is_empty()) {
        let [first, second] = sides(&pair);
        let [from, to] = [first, second].map(SchemaValidator::with_integer_limits);
        let mut near = Near::new(first, second);
        let mut values = 0;
        for _ in 0..MOST_DRAWS {
            for value in near.values().iter().filter(|value| from.accepts(value)) {
                assert!(
                    to.accepts(value),
                    "{}: {value} is {}",
                    pair.name,
                    to.explain(value)
                );
                values += 1;
            }
            if values >= VALUES {
                break;
            }
        }
        assert!(values >= VALUES, "{}: {values} values", pair.name);
        count += 1;
    }
    assert!(count >= 50, "{count} pairs");
}

#[test]
fn a_value_shows_each_schema_that_is_breaking() {
    let mut count = 0;
    let is_shown = |pair: &Pair| !pair.paths[0].is_empty() && pair.not_shown.is_none();
    for pair in schema_pairs().filter(is_shown) {
        let [first, second] = sides(&pair);
        let [from, to] = [first, second].map(SchemaValidator::with_integer_limits);
        let mut near = Near::new(first, second);
        let is_shown = (0..MOST_DRAWS).any(|_| {
            let mut values = near.values().to_vec();
            let mut more = values[0].clone();
            near.add_entry(&mut more);
            values.push(more);
            values
                .iter()
                .any(|value| from.accepts(value) && !to.accepts(value))
        });
        assert!(
            is_shown,
            "{}: every value of {first} that was drawn is one of {second}",
            pair.name
        );
        count += 1;
    }
    assert!(count >= 45, "{count} pairs");
}

/// The scalars in a schema, and the numbers next to them.
fn constants(schema: &Value, found: &mut Vec<Value>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| constants(item, found)),
        Value::Object(entries) => entries.values().for_each(|entry| constants(entry, found)),
        Value::Number(number) => {
            found.push(schema.clone());
            if let Some(number) = number.as_i64() {
                found.extend([json!(number - 1), json!(number + 1)]);
                // one longer than a length
                found.extend(
                    (0..100)
                        .contains(&number)
                        .then(|| json!("x".repeat(number as usize + 1))),
                );
            }
        }
        scalar => found.push(scalar.clone()),
    }
}

/// The names of all properties in a schema.
fn names(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| names(item, found)),
        Value::Object(entries) => {
            let properties = entries.get("properties").and_then(Value::as_object);
            found.extend(
                properties
                    .into_iter()
                    .flat_map(|properties| properties.keys().cloned()),
            );
            entries.values().for_each(|entry| names(entry, found));
        }
        _ => {}
    }
}
