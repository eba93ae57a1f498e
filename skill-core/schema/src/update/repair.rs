//! Finds all mistakes in a document, although serde stops at the first.
//!
//! When reading fails, the invalid value is replaced with the value from before the update, or with the simplest value that the
//! schema allows. Then the document is read again.

use std::cell::OnceCell;

use serde_json::Value;

use crate::problem::Problem;
use crate::read::log::{Failure, ReadLog, UpdateLog};
use crate::schema::node::SchemaNode;
use crate::schema::sample::sample;
use crate::secrets::hidden;
use crate::secrets::{MASK, Place, parts, place, without_positions};
use crate::update::input::{Attempt, Document, JsonWithFloats, Update, UpdateInput};
use crate::value::at_path::{at, put, remove, remove_all};
use crate::value::path::{Path, Step, StructPaths, below, shorten_name};

/// The maximum number of reads of one document, and of reported problems. The sender controls the number of mistakes, and each
/// read costs the document's whole length.
pub(crate) const ENOUGH: usize = 100;

/// The document in the form in which it was last read.
pub(crate) struct Resolved {
    pub(crate) document: Document,
    /// The paths of structs. Recorded only if the document replaces a value.
    pub structs: StructPaths,
}

/// Reads and repairs `document` until no mistakes are left, and pushes the mistakes to `problems`.
pub(crate) fn resolve(
    input: &UpdateInput<'_>,
    document: Document,
    schema: SchemaNode<'_>,
    attempt: &mut Attempt<'_>,
    problems: &mut Vec<Problem>,
) -> Resolved {
    let mut repair = Repair {
        input,
        document,
        good: OnceCell::new(),
        schema,
        structs: StructPaths::new(),
        repaired: Vec::new(),
        readings: 0,
        problems: Vec::new(),
    };
    while repair.reading_finds_something(attempt) {
        if repair.readings > input.most_readings || repair.problems.len() >= ENOUGH {
            let message = "so much is wrong here that the rest was not looked at";
            repair.problems.push(Problem::new(input.at, message));
            break;
        }
    }
    problems.append(&mut repair.problems);
    Resolved {
        document: repair.document,
        structs: repair.structs,
    }
}

struct Repair<'a> {
    input: &'a UpdateInput<'a>,
    /// The document with the repairs so far.
    document: Document,
    /// The value before the update, written on first use.
    good: OnceCell<Option<JsonWithFloats>>,
    schema: SchemaNode<'a>,
    /// The structs found by the last read.
    structs: StructPaths,
    /// The paths of replaced values.
    repaired: Vec<Path>,
    /// The number of times that the document was read because of a mistake.
    readings: usize,
    problems: Vec<Problem>,
}

impl Repair<'_> {
    /// Reads the document once and repairs the mistakes found. Returns whether the document should be read again.
    fn reading_finds_something(&mut self, attempt: &mut Attempt<'_>) -> bool {
        self.readings += 1;
        let value = &self.document.value;
        let floats = self.document.floats.iter();
        let removals = self.document.removals.iter();
        let is_call = self.input.is_call;
        let mut update = UpdateLog::default()
            // an action may ignore unknown keys
            .with_unread(if is_call { 0 } else { ENOUGH })
            .with_floats(floats.filter_map(|(path, float)| Some((at(value, path)?, *float))))
            .with_removals(removals.filter_map(|path| at(value, path)));
        if self.input.update == Update::Replace {
            let root = self.input.is_struct.then(Path::new);
            update = update.with_structs(root.into_iter().collect());
        }
        let log = ReadLog::of_update(&update);
        let result = attempt(value, &log);
        self.structs = update.take_structs();
        let unread = update.take_unread();
        let failure = result.err().map(|error| log.failure(&error));
        for path in &unread {
            self.report_unread(path);
        }
        if self.problems.len() < ENOUGH {
            remove_all(&mut self.document.value, &unread);
        }
        match failure {
            Some(failure) => self.repair(failure),
            None => unread.len() == ENOUGH && !is_call,
        }
    }

    fn good(&self) -> Option<&JsonWithFloats> {
        self.good.get_or_init(|| (self.input.base)().ok()).as_ref()
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
        // A key that the type writes but does not read is not the sender's mistake.
        let good = self.good();
        if good.is_some_and(|good| at(&good.value, path).is_some()) {
            return;
        }
        if let Some(secret) = self.secret_at(path) {
            let message = format!("unknown field {MASK}");
            let place = below(self.input.at, secret);
            return self.report(Problem::new(place, message));
        }
        let place = below(self.input.at, path);
        self.report(match self.schema.at(parent) {
            Some(schema) => Problem::unknown_field(place, name, schema.fields()),
            None => Problem::new(place, format!("unknown field `{}`", shorten_name(name))),
        });
    }

    /// Reports a failure, unless a repair caused it, and repairs it. Returns whether the document has changed.
    fn repair(&mut self, failure: Failure) -> bool {
        let (message, at_key) = (&failure.message, failure.at_key);
        let mut path = failure.path.clone();
        let missing = field_in(message, "missing field `");
        if let Some(name) = &missing
            && self.input.is_call
            && self
                .repaired
                .contains(&[&path[..], std::slice::from_ref(name)].concat())
        {
            // the value was removed because no sample is accepted
            return false;
        }
        if let Some(name) = &missing
            && self.takes_over(&path, name)
        {
            // the type, not the sender, controls the number of these readings
            self.readings -= 1;
            return true;
        }
        if let Some(name) = field_in(message, "duplicate field `") {
            let second = [&path[..], &[name]].concat();
            // The base has each field under its real name, while the sender may use an alias.
            if at(self.input.document, &second).is_some() {
                self.report(self.problem_of(&failure));
            }
            if remove(&mut self.document.value, &second) {
                return true;
            }
        }
        // A type that checks its fields against each other may refuse replaced values.
        let judges = !at_key && missing.is_none() && !message.starts_with("invalid length");
        let involved = |repaired: &Path| repaired.starts_with(&path) || path.starts_with(repaired);
        if !judges || !self.repaired.iter().any(involved) {
            self.report(self.problem_of(&failure));
        }
        if at_key {
            if remove(&mut self.document.value, &path) {
                return true;
            }
        } else {
            path.extend(missing);
        }
        // The parts of a choice are replaced together, since a different tag needs different fields.
        while let Some((_, parent)) = path.split_last()
            && self.schema.at(parent).is_some_and(|node| !node.merges())
        {
            path.pop();
        }
        loop {
            if self.restore(&path) || self.fill(&path) {
                return true;
            }
            // no sample is accepted, and the other arguments still need to be read
            if self.input.is_call && remove(&mut self.document.value, &path) {
                self.repaired.push(path);
                return true;
            }
            if path.pop().is_none() {
                return false;
            }
        }
    }

    /// Copies a missing struct field from the base, if the document is a whole value.
    fn takes_over(&mut self, parent: &[Step], name: &Step) -> bool {
        let is_struct = |length| self.structs.contains(&parent[..length]);
        let merges = |length| {
            self.schema
                .at(&parent[..length])
                .is_none_or(SchemaNode::merges)
        };
        let is_field = self.input.update == Update::Replace
            && (0..=parent.len()).all(|length| is_struct(length) && merges(length));
        let path = [parent, std::slice::from_ref(name)].concat();
        let is_there = at(&self.document.value, &path).is_some();
        let Some(good) = self.good().filter(|_| is_field && !is_there) else {
            return false;
        };
        let Some(value) = at(&good.value, &path).cloned() else {
            return false;
        };
        let floats: Vec<(Path, f64)> = good.floats_within(&path).cloned().collect();
        self.document.floats.extend(floats);
        put(&mut self.document.value, &path, value)
    }

    /// Returns the problem for a failure. The problem quotes neither a secret nor a value from before the update.
    fn problem_of(&self, failure: &Failure) -> Problem {
        let (input, message) = (self.input, &failure.message);
        let secrets = || parts(&self.document.value, input.secrets);
        if let Some(secret) = self.secret_at(&failure.path) {
            let message = hidden::without_secrets(message, &secrets());
            return Problem::from_serde(below(input.at, secret), &message);
        }
        let place_of = place(&without_positions(&failure.path), input.secrets);
        let message = if place_of == Place::Above {
            hidden::without_secrets(message, &secrets())
        } else {
            message.clone()
        };
        let present = at(&self.document.value, &failure.path);
        let message = match present {
            Some(present) if !failure.at_key => {
                let sent = at(input.document, &failure.path);
                hidden::without_values(&message, &not_sent(present, sent))
            }
            _ => message,
        };
        Problem::from_serde(below(input.at, &failure.path), &message)
    }

    /// Returns the shortest prefix of `path` that leads to a secret.
    fn secret_at<'p>(&self, path: &'p [Step]) -> Option<&'p [Step]> {
        let is_secret = |length: &usize| {
            let at = without_positions(&path[..*length]);
            place(&at, self.input.secrets) == Place::Secret
        };
        let length = (0..=path.len()).find(is_secret)?;
        Some(&path[..length])
    }

    /// Restores the value at `path` from before the update, if it differs.
    fn restore(&mut self, path: &Path) -> bool {
        let Some(good) = self.good.get_or_init(|| (self.input.base)().ok()) else {
            return false;
        };
        let Some(value) = at(&good.value, path) else {
            return false;
        };
        let floats: Vec<(Path, f64)> = good.floats_within(path).cloned().collect();
        let within = |(float, _): &&(Path, f64)| float.starts_with(path);
        if at(&self.document.value, path) == Some(value)
            && self.document.floats.iter().filter(within).count() == floats.len()
        {
            return false;
        }
        if !put(&mut self.document.value, path, value.clone()) {
            return false;
        }
        self.document.drop_floats(path);
        self.document.floats.extend(floats);
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
            || !put(&mut self.document.value, path, sample(node))
        {
            return false;
        }
        self.document.drop_floats(path);
        self.repaired.push(path.clone());
        true
    }
}

/// Returns the field name that follows `start` in a serde message.
pub(crate) fn field_in(message: &str, start: &str) -> Option<Step> {
    let name = message.strip_prefix(start)?.strip_suffix('`')?;
    Some(Step::Key(name.to_owned().into()))
}

/// Returns the parts of `present` that differ from the document that was sent.
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
