//! Checks the state and configuration of a skill: their schemas, their defaults, and reading them back.

use super::Problems;
use serde::de::{DeserializeSeed, Deserializer, Error};
use serde_json::Value;
use skill_agent_server::__private::{NotReadBack, Quoting, compare};
use skill_agent_store::__private::encode_unchecked;
use skill_agent_store::{decode_seed, encode};
use skill_core::Skill;
use skill_core::process::{self, Comparison, ValueFns};

pub(super) fn check<S: Skill>(problems: &mut Problems) {
    let config = problems.run("config", "`Default`", process::default_config::<S>);
    let Some(config) = config else {
        return;
    };
    of_value("config", &config, &process::config_fns::<S>(), problems);
    if let Some(state) = problems.run("state", "the initial state", || S::init(&config)) {
        of_value("state", &state, &process::state_fns::<S>(), problems);
    }
}

fn of_value<T>(path: &str, value: &T, fns: &ValueFns<T>, problems: &mut Problems) {
    let schema = problems.run(path, "the schema", fns.schema);
    if let Some(schema) = &schema {
        object_schema(path, schema, problems);
    }
    let Some((json, error)) = problems.run(path, "`Serialize`", || (fns.to_json)(value)) else {
        return;
    };
    let is_complete = error.is_none();
    if let Some(error) = error {
        problems.add(path, error);
    }
    if !json.is_object() {
        let message =
            "it is written as something else than an object; use a struct with named fields";
        problems.add(path, message);
        return;
    }
    for mut problem in schema
        .iter()
        .flat_map(|schema| process::schema_problems(&json, schema, fns.secrets, is_complete))
    {
        problem.message = format!("the default breaks its own schema: {}", problem.message);
        problems.add_below(path, problem);
    }
    if is_complete {
        read_as_json(path, value, &json, fns, problems);
    }
    read_from_store(path, value, fns, problems);
}

/// Adds a problem unless the schema describes an object.
pub(super) fn object_schema(path: &str, schema: &Value, problems: &mut Problems) {
    if schema["type"] != "object" {
        problems.add(
            path,
            "its schema is not that of an object; use a struct with named fields",
        );
    }
}

fn read_as_json<T>(
    path: &str,
    value: &T,
    json: &Value,
    fns: &ValueFns<T>,
    problems: &mut Problems,
) {
    let read = problems.run(path, "`Deserialize`", || (fns.from_json)(value, json));
    let again = match read {
        None => return,
        Some(Ok(again)) => again,
        Some(Err(reasons)) => {
            for mut problem in reasons {
                problem.message = format!("JSON that it wrote is not read: {}", problem.message);
                problems.add_below(path, problem);
            }
            return;
        }
    };
    let written = problems.run(path, "`Serialize`", || (fns.to_json)(&again).0);
    let Some(written) = written else {
        return;
    };
    let stored =
        |json: &Value| encode(json).map_err(|error| NotReadBack::Unreadable(error.message));
    let compared =
        stored(json).and_then(|json| compare(&json, &stored(&written)?, Comparison::Exact));
    if let Err(reason) = compared {
        different(path, "as JSON", &reason, fns.secrets, problems);
    }
}

fn read_from_store<T>(path: &str, value: &T, fns: &ValueFns<T>, problems: &mut Problems) {
    let stored = problems.run(path, "`Serialize`", || encode((fns.stored)(value)));
    let stored = match stored {
        None => return,
        Some(Ok(stored)) => stored,
        Some(Err(error)) => {
            return problems.add(path, format_args!("it cannot be stored: {error}"));
        }
    };
    let again = problems.run(path, "`Deserialize`", || decode_seed(Again(fns), &stored));
    let compared = match again {
        None => return,
        Some(again) => again
            .map_err(|error| NotReadBack::Unreadable(error.message))
            .and_then(|again| compare(&stored, &again, Comparison::Exact)),
    };
    if let Err(reason) = compared {
        different(path, "in a store", &reason, fns.secrets, problems);
    }
}

fn different(
    path: &str,
    place: &str,
    reason: &NotReadBack,
    secrets: &[&str],
    problems: &mut Problems,
) {
    let quoting = Quoting { payloads: true };
    let reason = reason.describe(quoting, secrets, str::to_owned);
    problems.add(
        path,
        format_args!("it does not survive {place}, because its `Serialize` and `Deserialize` differ: {reason}"),
    );
}

/// Reads a value in its stored form, and encodes it again.
struct Again<'a, T>(&'a ValueFns<T>);

impl<'de, T> DeserializeSeed<'de> for Again<'_, T> {
    type Value = Vec<u8>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<u8>, D::Error> {
        let mut stored = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        let again = (self.0.from_stored)(&mut stored).map_err(D::Error::custom)?;
        let mut bytes = Vec::new();
        let written = encode_unchecked(&mut bytes, (self.0.stored)(&again));
        written.map_err(D::Error::custom).map(|()| bytes)
    }
}
