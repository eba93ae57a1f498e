//! A skill that the agent lists under another name, in a program that uses its declared name.

use crate::recorded_traces::Traces;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision};

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(AddNote, ClearNotes))]
pub struct Notes {
    lines: Vec<String>,
}

/// Add a note.
#[action(on("notes.add"))]
pub fn add_note(notes: &mut Notes, cx: &mut Context<Notes>, text: String) -> usize {
    notes.lines.push(text);
    cx.emit(Signal::new("notes.added", json!({})));
    notes.lines.len()
}

/// Delete all notes.
#[action(on("notes.clear"))]
pub fn clear_notes(notes: &mut Notes) {
    notes.lines.clear();
}

/// Hears of notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "reader", hooks, signals("reader.read"))]
pub struct Reader {
    read: u32,
}

impl Hooks for Reader {
    fn handle_signal(&mut self, _: &Signal, _: &mut Context<Self>) -> Result<Handled, HookError> {
        self.read += 1;
        Ok(Handled::Done)
    }
}

agent! {
    pub struct Desk {
        name: "desk",
        skills: [Notes as diary, Reader as screen],
    }
}

agent! {
    pub struct Office {
        name: "office",
        skills: [Notes as diary, Notes as board],
    }
}

agent! {
    pub struct Both {
        name: "both",
        skills: [Notes, Notes as diary],
    }
}

#[timed_test::test]
async fn a_signal_with_the_declared_name_is_told_the_other_name() {
    async fn refused<G: Agent>(server: &AgentServer<G>, ty: &'static str) -> String {
        let refused = server.request(Signal::new(ty, json!({ "text": "milk" })));
        refused.await.unwrap_err().to_string()
    }
    let no_handler = |ty, agent| {
        format!(
            "signals of the type `{ty}` have no handler: no route of the agent `{agent}` matches them, and no skill handles them"
        )
    };
    let server = AgentServer::builder(Desk::new()).start().await.unwrap();
    let listed = "; the skill `notes` is listed as `diary`; did you mean";
    for (ty, meant) in [("notes.add", "diary.add"), ("notes.ad", "diary.add")] {
        assert_eq!(
            refused(&server, ty).await,
            format!("{}{listed} `{meant}`?", no_handler(ty, "desk"))
        );
    }
    assert_eq!(
        refused(&server, "reader.read").await,
        format!(
            "{}; the skill `reader` is listed as `screen`; did you mean `screen.read`?",
            no_handler("reader.read", "desk")
        ),
        "a hook would handle it"
    );
    assert_eq!(
        refused(&server, "diary.ad").await,
        format!(
            "{}; did you mean `diary.add`?",
            no_handler("diary.ad", "desk")
        )
    );
    let server = AgentServer::builder(Office::new()).start().await.unwrap();
    assert_eq!(
        refused(&server, "notes.clear").await,
        format!(
            "{}; the skill `notes` is listed as `diary` and `board`; did you mean `diary.clear`?",
            no_handler("notes.clear", "office")
        )
    );
}

#[timed_test::test]
async fn a_pattern_with_the_declared_name_is_a_warning() {
    let traces = Traces::record();
    let server = AgentServer::builder(Desk::new()).start().await.unwrap();
    // one for each client is one warning
    for _ in 0..3 {
        server.subscribe("notes.added").unwrap();
    }
    server.subscribe("*").unwrap();
    let warning = "the skill `notes` is listed as `diary`, so the types of its signals begin with that name; write `diary.added`";
    let mut warnings = traces.take_warnings("pattern");
    assert!(
        warnings
            .pop()
            .unwrap()
            .contains("`*` stands for one segment")
    );
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains(warning), "{warnings:?}");
    assert!(
        warnings[0].contains(r#"pattern="notes.added""#),
        "{warnings:?}"
    );

    let builder = AgentServer::builder(Office::new()).loopback("notes.*");
    builder.subscribe("notes.**", |_| {}).start().await.unwrap();
    let warnings = traces.take_warnings("pattern");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    let both = "listed as `diary` and `board`, so the types of its signals begin with that name; write `diary.*` or `board.*`";
    assert!(warnings[0].contains(both), "{warnings:?}");
}

#[timed_test::test]
async fn a_pattern_that_can_match_is_no_warning() {
    let traces = Traces::record();
    let server = AgentServer::builder(Desk::new()).start().await.unwrap();
    for pattern in ["diary.added", "**", "*.added", "mail.came", "desk.*"] {
        server.subscribe(pattern).unwrap();
    }
    let server = AgentServer::builder(Both::new()).start().await.unwrap();
    server.subscribe("notes.added").unwrap();
    assert_eq!(traces.take_warnings("pattern"), [""; 0]);
}

#[timed_test::test]
async fn a_guard_that_compares_the_type_sees_every_instance() {
    let guard = |attempt: &Attempt<'_>| {
        if attempt.is::<ClearNotes>() {
            Decision::Deny("never".into())
        } else {
            Decision::Allow
        }
    };
    let server = AgentServer::builder(Both::new()).guard(guard);
    let server = server.start().await.unwrap();
    for action in ["clear_notes", "diary_clear_notes"] {
        let error = server.call_json(action, "{}").await.unwrap_err();
        assert_eq!(error.to_string(), format!("`{action}` was denied: never"));
    }
    assert_eq!(
        server
            .call_json("diary_add_note", r#"{"text":"milk"}"#)
            .await
            .unwrap(),
        "1"
    );
}
