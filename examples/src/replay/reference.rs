//! Conversion between the reference's format of a state and the state of the skills.
//!
//! The reference uses mappings for named things, and a class name for each skill. The skills use ordered
//! lists, and no values in keys.

use crate::{Workbench, skills::file_system::pwd};
use serde_json::{Map, Value, json};
use skill_agent::Agent;
use skill_agent::StateError;

/// The reference's name and the state key of each skill.
const SKILLS: [(&str, &str); 5] = [
    ("GorillaFileSystem", "file_system"),
    ("MathAPI", "math"),
    ("TicketAPI", "ticket"),
    ("MessageAPI", "message"),
    ("TwitterAPI", "posting"),
];

/// The reason why an initial state cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The skill is unknown.
    #[error("unknown skill `{0}`")]
    UnknownSkill(String),
    /// The reference would not accept a part of the state.
    #[error("{path}: {problem}")]
    Malformed {
        /// The path of the part.
        path: String,
        /// The reason, such as a wrong type, without the path.
        problem: &'static str,
    },
    /// The skill does not accept the state.
    #[error(transparent)]
    State(#[from] StateError),
}

/// Creates an agent with the initial state of a scenario. As in the reference, unknown entries are
/// ignored.
///
/// # Errors
///
/// If the state names an unknown skill, or is not a valid state of a skill.
pub fn workbench(config: &Map<String, Value>) -> Result<Workbench, ConfigError> {
    let mut state = Map::new();
    for (skill, config) in config {
        let own = match skill.as_str() {
            "GorillaFileSystem" => file_system_from(config)?,
            "MathAPI" => json!({}),
            "TicketAPI" => pick(config, &["ticket_queue", "ticket_counter", "current_user"]),
            "MessageAPI" => message_from(config)?,
            "TwitterAPI" => pick(
                config,
                &[
                    "username",
                    "password",
                    "authenticated",
                    "tweets",
                    "comments",
                    "retweets",
                    "following_list",
                    "tweet_counter",
                ],
            ),
            _ => return Err(ConfigError::UnknownSkill(skill.clone())),
        };
        let key = SKILLS.iter().find(|(theirs, _)| theirs == skill);
        if let Some((_, key)) = key {
            state.insert((*key).to_owned(), own);
        }
    }
    Ok(Workbench::from_state_json(
        &Value::Object(state).to_string(),
    )?)
}

/// Returns the state of a skill in the reference's format, or `None` if the skill is unknown.
pub fn state(skill: &str, agent: &Workbench) -> Option<Value> {
    let (_, key) = SKILLS.iter().find(|(theirs, _)| *theirs == skill)?;
    let state = serde_json::to_value(agent.state()).ok()?;
    let own = state.get(key)?;
    Some(match skill {
        "GorillaFileSystem" => json!({
            "root": node_to(&own["root"]),
            "cwd": pwd(&agent.state().file_system),
        }),
        "MathAPI" => json!({}), // the reference has no state
        "MessageAPI" => message_to(own),
        _ => own.clone(),
    })
}

/// Unwraps a recorded answer. Actions that return a list also wrap their errors in one.
pub fn answer(recorded: &Value) -> &Value {
    match recorded {
        Value::Array(values) => match values.as_slice() {
            [only] if only.get("error").is_some() => only,
            _ => recorded,
        },
        _ => recorded,
    }
}

fn pick(config: &Value, keys: &[&str]) -> Value {
    let known = |key: &&str| Some(((*key).to_owned(), config.get(*key)?.clone()));
    Value::Object(keys.iter().filter_map(known).collect())
}

/// The reference's root is a mapping whose first entry is the topmost directory.
fn file_system_from(config: &Value) -> Result<Value, ConfigError> {
    let path = "GorillaFileSystem.root";
    let Some(root) = config.get("root") else {
        return Ok(json!({ "root": { "name": "/", "contents": [] }, "cwd": [] }));
    };
    let Some((name, top)) = root.as_object().and_then(|root| root.iter().next()) else {
        return Err(malformed(path, "there is no topmost directory"));
    };
    let contents = contents_from(top, &format!("{path}.{name}"))?;
    Ok(json!({ "root": { "name": name, "contents": contents }, "cwd": [] }))
}

fn contents_from(directory: &Value, path: &str) -> Result<Vec<Value>, ConfigError> {
    let Some(contents) = directory.get("contents").and_then(Value::as_object) else {
        return Err(malformed(path, "a directory needs `contents`, an object"));
    };
    let mut nodes = Vec::new();
    for (name, node) in contents {
        let path = format!("{path}.contents.{name}");
        match node.get("type").and_then(Value::as_str) {
            Some("directory") => nodes.push(json!({
                "type": "directory",
                "name": name,
                "contents": contents_from(node, &path)?,
            })),
            Some("file") => nodes.push(json!({
                "type": "file",
                "name": name,
                "content": node.get("content"),
            })),
            _ => {
                return Err(malformed(
                    &path,
                    "its type is neither `directory` nor `file`",
                ));
            }
        }
    }
    Ok(nodes)
}

fn node_to(node: &Value) -> Value {
    let Some(contents) = node["contents"].as_array() else {
        return json!({ "type": "file", "content": node["content"] });
    };
    let entry = |node: &Value| (text(&node["name"]), node_to(node));
    let contents: Map<String, Value> = contents.iter().map(entry).collect();
    json!({ "type": "directory", "contents": contents })
}

/// Converts messages. In the reference, people are a mapping of name to id, and a message is a mapping of receivers to contents.
fn message_from(config: &Value) -> Result<Value, ConfigError> {
    let mut state = pick(
        config,
        &["user_count", "message_count", "current_user", "random_seed"],
    );
    if let Some(users) = config.get("user_map") {
        let Some(users) = users.as_object() else {
            return Err(malformed("MessageAPI.user_map", "it is not an object"));
        };
        let contact = |(name, id): (&String, &Value)| json!({ "name": name, "user_id": id });
        state["contacts"] = users.iter().map(contact).collect();
    }
    if let Some(inbox) = config.get("inbox") {
        let Some(entries) = inbox.as_array() else {
            return Err(malformed("MessageAPI.inbox", "it is not a list"));
        };
        let sent = entries.iter().enumerate();
        state["inbox"] = sent
            .map(|(i, entry)| sent_from(entry, i))
            .collect::<Result<_, _>>()?;
    }
    Ok(state)
}

/// Converts an entry of the inbox. The reference reads its first receiver only.
fn sent_from(entry: &Value, i: usize) -> Result<Value, ConfigError> {
    let mut receivers = entry.as_object().into_iter().flatten();
    let Some((receiver_id, message)) = receivers.next() else {
        let path = format!("MessageAPI.inbox[{i}]");
        return Err(malformed(&path, "it is not an object with a receiver"));
    };
    let others = receivers.map(|(id, message)| (id.clone(), message.clone()));
    Ok(json!({
        "receiver_id": receiver_id,
        "message": message,
        "other_receivers": others.collect::<Map<_, _>>(),
    }))
}

fn message_to(own: &Value) -> Value {
    let list = |key: &str| own[key].as_array().into_iter().flatten();
    let users: Map<String, Value> = list("contacts")
        .map(|contact| (text(&contact["name"]), contact["user_id"].clone()))
        .collect();
    let inbox: Vec<Value> = list("inbox")
        .map(|sent| {
            let first = (text(&sent["receiver_id"]), sent["message"].clone());
            let mut entry = Map::from_iter([first]);
            entry.extend(
                sent["other_receivers"]
                    .as_object()
                    .cloned()
                    .into_iter()
                    .flatten(),
            );
            Value::Object(entry)
        })
        .collect();
    json!({
        "generated_ids": own["generated_ids"],
        "user_count": own["user_count"],
        "user_map": users,
        "inbox": inbox,
        "message_count": own["message_count"],
        "current_user": own["current_user"],
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn malformed(path: &str, problem: &'static str) -> ConfigError {
    ConfigError::Malformed {
        path: path.to_owned(),
        problem,
    }
}
