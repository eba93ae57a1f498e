//! A recorded conversation. The agent is the real one: it runs the calls, and asks for approvals.

use super::Model;
use serde_json::{Value, json};
use skill_agent::chat::{
    BoxStream, ChatModel, ChatRequest, Message, MessagePart, ModelError, ModelEvent, ModelProfile,
    Role, Scripted,
};

/// A turn of the recording.
struct RecordedTurn {
    message: &'static str,
    calls: fn() -> Vec<(&'static str, Value)>,
    answer: &'static str,
    /// The answer if the person denied a call.
    denied: &'static str,
}

const TURNS: [RecordedTurn; 3] = [
    RecordedTurn {
        message: "What is 12.5 percent of 240? And remember to book a table for four.",
        calls: || {
            vec![
                ("multiply", json!({ "a": 0.125, "b": 240 })),
                ("add_todo", json!({ "text": "Book a table for four." })),
            ]
        },
        answer: "12.5 percent of 240 is 30. The table is number 1 on your list.",
        denied: "",
    },
    RecordedTurn {
        message: "Write the list into todo.md.",
        calls: || {
            let text = "# To do\n\n- [ ] Book a table for four.\n";
            vec![("write_file", json!({ "path": "todo.md", "text": text }))]
        },
        answer: "The list is in todo.md.",
        denied: "Then I leave the file as it is.",
    },
    RecordedTurn {
        message: "Thanks. Take the table off the list.",
        calls: || vec![("remove_todo", json!({ "number": 1 }))],
        answer: "Your list is empty.",
        denied: "It stays on the list.",
    },
];

/// Returns the messages of the person.
pub(crate) fn messages() -> impl Iterator<Item = &'static str> {
    TURNS.iter().map(|turn| turn.message)
}

/// Returns the model that answers them.
pub(crate) fn model() -> Model {
    Model::new(Recorded, "a recording")
}

struct Recorded;

impl ChatModel for Recorded {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        completion(&request.messages).stream(request)
    }
}

/// Returns the next completion: the calls after a message, and the answer after their results.
fn completion(messages: &[Message]) -> Scripted {
    let said = |message: &Message| {
        let text = message.text();
        TURNS.iter().find(|turn| text.starts_with(turn.message))
    };
    let users = messages
        .iter()
        .rev()
        .filter(|message| message.role == Role::User);
    let Some(turn) = users.map(said).next().flatten() else {
        return Scripted::new().text("This is a recording, and it has no answer to that.");
    };
    let last = messages.last();
    let results = last.into_iter().flat_map(|message| &message.parts);
    let mut results = results.filter_map(|part| match part {
        MessagePart::Result(result) => Some(result.result.is_err()),
        _ => None,
    });
    match results.next() {
        None => Scripted::new().calls((turn.calls)()),
        Some(failed) if failed || results.any(|failed| failed) => Scripted::new().text(turn.denied),
        Some(_) => Scripted::new().text(turn.answer),
    }
}
