//! Finds all mistakes in a document, although serde stops at the first.
//!
//! Where reading fails, the value is replaced by the one from before the merge, or by the simplest one that the schema allows, and
//! the document is read again.

use std::cell::OnceCell;
use std::collections::HashSet;

use serde_json::Value;

use super::cursor::{Failure, ReadLog};
use super::hidden;
use super::merge_input::{Attempt, JsonWithFloats, Merge};
use super::path::{Path, Step, below, shorten_name};
use super::problem::Problem;
use super::sample::sample;
use super::schema_node::SchemaNode;
use super::secrets::{MASK, Place, parts, place, without_positions};

/// How often one document is read, and how many problems are reported. The sender chooses how many mistakes it has, and each
/// reading costs its whole length.
const ENOUGH: usize = 100;

/// Reads `merged` and repairs it until it has no mistakes, which are pushed to `problems`.
pub(super) fn resolve(
    merge: &Merge<'_>,
    merged: JsonWithFloats,
    schema: SchemaNode<'_>,
    attempt: &mut Attempt<'_>,
    problems: &mut Vec<Problem>,
) {
    let mut repair = Repair {
        merge,
        merged,
        good: OnceCell::new(),
        schema,
        repaired: Vec::new(),
        problems: Vec::new(),
    };
    let mut readings = 0..ENOUGH;
    while repair.reading_finds_something(attempt) {
        if readings.next().is_none() || repair.problems.len() >= ENOUGH {
            let message = "so much is wrong here that the rest was not looked at";
            repair.problems.push(Problem::new(merge.at, message));
            break;
        }
    }
    problems.append(&mut repair.problems);
}

struct Repair<'a> {
    merge: &'a Merge<'a>,
    /// The patch merged into the base, with the repairs so far.
    merged: JsonWithFloats,
    /// The base, written when it is needed.
    good: OnceCell<Option<JsonWithFloats>>,
    schema: SchemaNode<'a>,
    /// The paths at which values were replaced.
    repaired: Vec<Path>,
    problems: Vec<Problem>,
}

impl Repair<'_> {
    /// Reads the document once and repairs what is wrong with it. Returns whether to read it again.
    fn reading_finds_something(&mut self, attempt: &mut Attempt<'_>) -> bool {
        let value = &self.merged.value;
        let floats = self.merged.floats.iter();
        let log = ReadLog::default()
            .with_unread(ENOUGH)
            .with_floats(floats.filter_map(|(path, float)| Some((at(value, path)?, *float))));
        let result = attempt(value, &log);
        let unread = log.take_unread();
        let failure = result.err().map(|error| log.failure(&error));
        for path in &unread {
            self.report_unread(path);
        }
        if self.problems.len() < ENOUGH {
            remove_all(&mut self.merged.value, &unread);
        }
        match failure {
            Some(failure) => self.repair(failure),
            None => unread.len() == ENOUGH,
        }
    }

    fn good(&self) -> Option<&JsonWithFloats> {
        self.good.get_or_init(|| (self.merge.base)().ok()).as_ref()
    }

    fn report(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn report_unread(&mut self, path: &Path) {
        let Some((Step::Key(name), parent)) = path.split_last() else {
            return;
        };
        // A key that the type writes but does not read is not a mistake of the sender.
        let good = self.good();
        if good.is_some_and(|good| at(&good.value, path).is_some()) {
            return;
        }
        if let Some(secret) = self.secret_at(path) {
            let message = format!("unknown field {MASK}");
            let place = below(self.merge.at, secret);
            return self.report(Problem::new(place, message));
        }
        let place = below(self.merge.at, path);
        self.report(match self.schema.at(parent) {
            Some(schema) => Problem::unknown_field(place, name, schema.fields()),
            None => Problem::new(place, format!("unknown field `{}`", shorten_name(name))),
        });
    }

    /// Reports a failure, unless a repair has caused it, and repairs it. Returns whether the document has changed.
    fn repair(&mut self, failure: Failure) -> bool {
        let (message, at_key) = (&failure.message, failure.at_key);
        let mut path = failure.path.clone();
        let missing = message
            .strip_prefix("missing field `")
            .and_then(|rest| rest.strip_suffix('`'))
            .map(|name| Step::Key(name.to_owned().into()));
        // A type that checks its fields against each other may refuse replaced values.
        let judges = !at_key && missing.is_none() && !message.starts_with("invalid length");
        let involved = |repaired: &Path| repaired.starts_with(&path) || path.starts_with(repaired);
        if !judges || !self.repaired.iter().any(involved) {
            self.report(self.problem_of(&failure));
        }
        if at_key {
            if remove(&mut self.merged.value, &path) {
                return true;
            }
        } else {
            path.extend(missing);
        }
        // The parts of a choice are replaced together, since another tag needs other fields.
        while let Some((_, parent)) = path.split_last()
            && self.schema.at(parent).is_some_and(|node| !node.merges())
        {
            path.pop();
        }
        loop {
            if self.restore(&path) || self.fill(&path) {
                return true;
            }
            if path.pop().is_none() {
                return false;
            }
        }
    }

    /// The problem of a failure: it quotes neither a secret nor a value of the state into which the patch is merged.
    fn problem_of(&self, failure: &Failure) -> Problem {
        let (merge, message) = (self.merge, &failure.message);
        let secrets = || parts(&self.merged.value, merge.secrets);
        if let Some(secret) = self.secret_at(&failure.path) {
            let message = hidden::without_secrets(message, &secrets());
            return Problem::from_serde(below(merge.at, secret), &message);
        }
        let place_of = place(&without_positions(&failure.path), merge.secrets);
        let message = if place_of == Place::Above {
            hidden::without_secrets(message, &secrets())
        } else {
            message.clone()
        };
        let present = at(&self.merged.value, &failure.path);
        let message = match present {
            Some(present) if !failure.at_key => {
                let sent = at(merge.patch, &failure.path);
                hidden::without_values(&message, &not_sent(present, sent))
            }
            _ => message,
        };
        Problem::from_serde(below(merge.at, &failure.path), &message)
    }

    /// The beginning of a path at which there is a secret.
    fn secret_at<'p>(&self, path: &'p [Step]) -> Option<&'p [Step]> {
        let is_secret = |length: &usize| {
            let at = without_positions(&path[..*length]);
            place(&at, self.merge.secrets) == Place::Secret
        };
        let length = (0..=path.len()).find(is_secret)?;
        Some(&path[..length])
    }

    /// Restores the value that was at `path` before the merge, if it differs.
    fn restore(&mut self, path: &Path) -> bool {
        let Some(good) = self.good.get_or_init(|| (self.merge.base)().ok()) else {
            return false;
        };
        let Some(value) = at(&good.value, path) else {
            return false;
        };
        let within = |(float, _): &&(Path, f64)| float.starts_with(path);
        let floats: Vec<(Path, f64)> = good.floats.iter().filter(within).cloned().collect();
        if at(&self.merged.value, path) == Some(value)
            && self.merged.floats.iter().filter(within).count() == floats.len()
        {
            return false;
        }
        if !put(&mut self.merged.value, path, value.clone()) {
            return false;
        }
        self.merged
            .floats
            .retain(|(float, _)| !float.starts_with(path));
        self.merged.floats.extend(floats);
        self.repaired.push(path.clone());
        true
    }

    /// Puts a sample at `path`, if there was no value before and no sample has been tried.
    fn fill(&mut self, path: &Path) -> bool {
        if self
            .repaired
            .iter()
            .any(|repaired| path.starts_with(repaired))
        {
            return false;
        }
        let Some(node) = self.schema.at(path) else {
            return false;
        };
        if self
            .good()
            .is_some_and(|good| at(&good.value, path).is_some())
            || !put(&mut self.merged.value, path, sample(node))
        {
            return false;
        }
        self.merged
            .floats
            .retain(|(float, _)| !float.starts_with(path));
        self.repaired.push(path.clone());
        true
    }
}

/// The parts of `present` that are not those of the patch.
fn not_sent<'v>(present: &'v Value, sent: Option<&Value>) -> Vec<&'v Value> {
    match (present, sent) {
        (present, Some(sent)) if present == sent => Vec::new(),
        (Value::Object(present), Some(Value::Object(sent))) => {
            let parts = present.iter();
            parts
                .flat_map(|(key, value)| not_sent(value, sent.get(key)))
                .collect()
        }
        (present, _) => vec![present],
    }
}

fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.as_object()?.get(&**key),
        Step::Index(index) => value.as_array()?.get(*index),
    })
}

fn at_mut<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.as_object_mut()?.get_mut(&**key),
        Step::Index(index) => value.as_array_mut()?.get_mut(*index),
    })
}

/// Replaces the value at `path`, or adds it to the object it is missing from.
fn put(document: &mut Value, path: &[Step], value: Value) -> bool {
    if let Some(place) = at_mut(document, path) {
        *place = value;
        return true;
    }
    let Some((Step::Key(key), parent)) = path.split_last() else {
        return false;
    };
    match at_mut(document, parent) {
        Some(Value::Object(object)) => {
            object.insert(key.clone().into_owned(), value);
            true
        }
        _ => false,
    }
}

fn remove(document: &mut Value, path: &Path) -> bool {
    remove_all(document, std::slice::from_ref(path))
}

/// Removes keys. Those of one object are next to each other. Returns whether there was one.
fn remove_all(document: &mut Value, paths: &[Path]) -> bool {
    let mut any = false;
    for keys in paths.chunk_by(|a, b| parent(a) == parent(b)) {
        let Some(Value::Object(object)) = at_mut(document, parent(&keys[0])) else {
            continue;
        };
        let names: HashSet<&str> = keys.iter().filter_map(key).collect();
        let before = object.len();
        // unlike `remove`, it keeps the order of the other keys
        object.retain(|name, _| !names.contains(&**name));
        any |= object.len() < before;
    }
    any
}

fn parent(path: &Path) -> &[Step] {
    path.split_last().map_or(&[], |(_, parent)| parent)
}

fn key(path: &Path) -> Option<&str> {
    match path.last()? {
        Step::Key(key) => Some(key),
        Step::Index(_) => None,
    }
}
