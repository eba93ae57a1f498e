//! Sessions that repair arguments, and errors about arguments.

use crate::folder::catalog;
use crate::script::Script;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, ServeError, Verdict};
use skill_agent::store::{Memory, Store};
use skill_agent::toolbox::{ToolError, ToolSession, Toolbox};
use std::sync::{Arc, Mutex};

/// A plan for a day.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "plans", actions(AddPlan))]
pub struct Plans {
    pub plans: Vec<Plan>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    pub steps: Vec<StepOf>,
    pub title: Option<String>,
    pub times: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepOf {
    name: String,
    #[serde(default)]
    minutes: u32,
}

/// Add a plan, and say how many there are.
#[action]
pub fn add_plan(
    plans: &mut Plans,
    steps: Vec<StepOf>,
    title: Option<String>,
    #[arg(default = 1, range(1..=5))] times: u8,
) -> usize {
    plans.plans.push(Plan {
        steps,
        title,
        times,
    });
    plans.plans.len()
}

agent! {
    pub struct Planner {
        name: "planner",
        skills: [Plans],
    }
}

const SLOPPY: &str = "```json\n{\"steps\":\"[{\\\"name\\\":\\\"buy\nmilk\\\",\\\"minutes\\\":\\\"5\\\"},]\",\"title\":\"[1]\",\"times\":null,}\n```";

fn meant() -> Value {
    json!({ "steps": [{ "name": "buy\nmilk", "minutes": 5 }], "title": "[1]", "times": 1 })
}

async fn planner() -> AgentServer<Planner> {
    AgentServer::builder(Planner::new()).start().await.unwrap()
}

fn session(server: &AgentServer<Planner>) -> ToolSession {
    Toolbox::of(server).session(ForeignCaller::Model)
}

#[timed_test::test]
async fn a_session_is_strict_unless_told() {
    let server = planner().await;
    for sent in [
        SLOPPY,
        r#"{"steps":"[]"}"#,
        r#"{"steps":[],"times":"2"}"#,
        r#"{"steps":[],"times":null}"#,
        r#"{"steps":[],}"#,
    ] {
        let error = session(&server).call("add_plan", sent).await.unwrap_err();
        assert!(matches!(error, ToolError::Arguments { .. }), "{error}");
        assert!(server.call_json("add_plan", sent).await.is_err());
        let lenient = session(&server).lenient(true);
        lenient.call("add_plan", sent).await.unwrap();
        let error = lenient.lenient(false).call("add_plan", sent).await;
        assert!(error.is_err());
    }
    let agent = server.agent().await.unwrap();
    let plans = &agent.state().plans.plans;
    assert_eq!((plans.len(), json!(plans[0])), (5, meant()));
}

#[timed_test::test]
async fn the_guard_the_approver_the_log_and_keys_see_the_repaired_arguments() {
    let seen: Arc<Mutex<Vec<Value>>> = Arc::default();
    let (by_guard, by_approver) = (Arc::clone(&seen), Arc::clone(&seen));
    let store = Memory::default();
    let server = AgentServer::builder(Planner::with_id("planner-1"))
        .store(store.clone())
        .guard(move |attempt: &Attempt<'_>| {
            by_guard.lock().unwrap().push(attempt.arguments());
            Decision::Ask
        })
        .approver(move |request: ApprovalRequest| {
            by_approver.lock().unwrap().push(request.arguments);
            async { Verdict::Approve }
        })
        .start()
        .await
        .unwrap();
    let lenient = session(&server).lenient(true);
    let first = lenient.call_with_key("k", "add_plan", SLOPPY).await;
    assert_eq!(first.unwrap().text(), "1");
    let asked: Vec<Value> = std::mem::take(&mut *seen.lock().unwrap());
    assert!(
        asked.len() >= 2 && asked.iter().all(|seen| *seen == meant()),
        "{asked:?}"
    );
    // the same call as it was meant has the answer of the first, and another one is another
    let meant_text = meant().to_string();
    let again = lenient.call_with_key("k", "add_plan", &meant_text).await;
    assert_eq!(again.unwrap().text(), "1");
    let other = r#"{"steps":"[]"}"#;
    let other = lenient.call_with_key("k", "add_plan", other).await;
    assert!(other.unwrap_err().to_string().contains("other arguments"));

    drop(lenient);
    server.kill();
    server.closed().await;
    let mut log = store.open("planner-1").unwrap();
    let records = log.recover().await.unwrap().records;
    let logged: Vec<&Value> = records
        .iter()
        .flat_map(|record| &record.instructions)
        .map(|instruction| &instruction.params)
        .collect();
    assert_eq!(logged, [&meant()]);
}

#[timed_test::test]
async fn what_cannot_be_repaired_has_the_error_of_the_original() {
    let server = planner().await;
    let strict = session(&server);
    let lenient = session(&server).lenient(true);
    for sent in [
        r#"{"steps":"[7]","times":"2"}"#,
        r#"{"steps":"[{\"nam\":\"a\"}]","times":"2"}"#,
        r#"{"steps":[],"times":"300"}"#,
        r#"{"steps":[],"times":"6"}"#,
        r#"{"steps":[],"times":"1e999"}"#,
        r#"{"steps":[],"times":"NaN","title":5}"#,
        r#"{"steps":[],"times":"0x2"}"#,
        r#"{"steps":"a, b"}"#,
        r#"{"steps":"[]","steps":"[]"}"#,
        r#"{"stps":"[]"}"#,
        r#"{"steps":[}"#,
        "[]",
        "null",
        r#""{\"stps\":[]}""#,
    ] {
        let expected = strict.call("add_plan", sent).await.unwrap_err();
        let error = lenient.call("add_plan", sent).await.unwrap_err();
        assert_eq!(error, expected, "{sent}");
    }
    assert!(server.agent().await.unwrap().state().plans.plans.is_empty());
}

#[timed_test::test]
async fn errors_speak_json_and_name_all_mistakes() {
    let session = session(&planner().await);
    let sent = r#"{"steps":[7,{"name":{},"minutes":"5"}],"title":[1],"times":9,"tags":1}"#;
    let error = session.call("add_plan", sent).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the arguments of `add_plan` are wrong: 6 problems\n  \
         `steps[0]`: invalid type: integer `7`, expected an object; its fields are `name` and `minutes`\n  \
         `steps[1].name`: invalid type: an object, expected a string\n  \
         `steps[1].minutes`: invalid type: string \"5\", expected a non-negative integer\n  \
         `title`: invalid type: a list, expected a string\n  \
         `times`: 9 is out of range, expected 1..=5\n  \
         `tags`: unknown field `tags`, expected one of `steps`, `title`, `times`"
    );
    let error = session
        .call("add_plan", r#"{"steps":{},"times":null}"#)
        .await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "the arguments of `add_plan` are wrong: 2 problems\n  \
         `steps`: invalid type: an object, expected a list\n  \
         `times`: invalid type: null, expected a non-negative integer; leave it out"
    );
}

/// A tool that is no action, with the same arguments.
fn plan_tool() -> ToolBuf {
    let schema = json!({
        "type": "object",
        "properties": {
            "steps": { "type": "array", "items": { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] } },
            "title": { "type": ["string", "null"] },
            "times": { "type": "integer", "maximum": 5 },
        },
        "required": ["steps"],
        "additionalProperties": false,
    });
    ToolBuf::new("plan", "Plan.", schema)
}

#[timed_test::test]
async fn tools_of_other_sources_and_of_a_catalog_are_read_alike() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Script::with(vec![plan_tool().into()]);
    let toolbox = Toolbox::builder()
        .source("disk", disk.clone())
        .catalog(catalog(folder.path()).load())
        .build()
        .await
        .unwrap();
    let strict = toolbox.session(ForeignCaller::Model);
    let sent = r#"{"steps":["a",{}],"title":4,"times":null,"tgs":[]}"#;
    let error = strict.call("plan", sent).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the arguments of `plan` are wrong: 5 problems\n  \
         `steps[0]`: invalid type: string \"a\", expected an object; its field is `name`\n  \
         `steps[1]`: missing field `name`\n  \
         `title`: invalid type: integer `4`, expected a string or null\n  \
         `times`: invalid type: null, expected an integer; leave it out\n  \
         `tgs`: unknown field `tgs`, expected one of `steps`, `title`, `times`"
    );
    let lenient = toolbox.session(ForeignCaller::Model).lenient(true);
    let sent = r#"{"steps":"[{\"name\":\"3\"}]","title":"5","times":"2",}"#;
    strict.call("plan", sent).await.unwrap_err();
    lenient.call("plan", sent).await.unwrap();
    let expected = json!({ "steps": [{ "name": "3" }], "title": "5", "times": 2 });
    assert_eq!(disk.calls()[0].arguments, expected);
    // the constraint holds for the repaired value
    let error = lenient.call("plan", r#"{"steps":[],"times":"6"}"#).await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "the arguments of `plan` are wrong: `times`: invalid type: string \"6\", expected an integer"
    );
    let sent = "{\"skill_name\":\"review\",}";
    strict.call("skill", sent).await.unwrap_err();
    lenient.call("skill", sent).await.unwrap();
    assert_eq!(
        lenient.activations().active().collect::<Vec<_>>(),
        ["review"]
    );
}

#[timed_test::test]
async fn a_name_with_something_around_it_is_proposed() {
    let server = planner().await;
    for name in [
        "functions.add_plan",
        "add_plan<|channel|>commentary",
        "mcp__planner__add_plan",
        "add_plan()",
    ] {
        let error = session(&server).call(name, "{}").await.unwrap_err();
        let expected = format!("there is no tool `{name}`; did you mean `add_plan`?");
        assert_eq!(error.to_string(), expected);
        let error = server.call_json(name, "{}").await.unwrap_err();
        let ServeError::Action(error) = error else {
            panic!("{error:?}")
        };
        assert!(
            error.to_string().ends_with("did you mean `add_plan`?"),
            "{error}"
        );
    }
}

#[timed_test::test]
async fn hostile_arguments_end_soon() {
    let server = planner().await;
    let lenient = session(&server).lenient(true);
    let mut nested = "[]".to_owned();
    while nested.len() < 400_000 {
        nested = json!([nested]).to_string();
    }
    for sent in [
        json!({ "steps": nested }).to_string(),
        format!("{{\"steps\":{}}}", "[".repeat(1 << 19)),
        format!("{{\"steps\":\"{}\"}}", "[".repeat(1 << 19)),
        format!("{{\"steps\":[],\"times\":\"{}\"}}", "9".repeat(1 << 19)),
        format!("{{\"steps\":[{}]}}", vec!["\"1\""; 200_000].join(",")),
        format!("{{\"steps\":[{}]}}", vec!["{\"name\":1}"; 90_000].join(",")),
        format!("{{\"steps\":[],\"title\":\"{}\"}}", "x".repeat(10 << 20)),
        format!("{{{}}}", vec!["\"steps\":\"[]\""; 50_000].join(",")),
    ] {
        let error = lenient.call("add_plan", &sent).await.unwrap_err();
        assert!(matches!(error, ToolError::Arguments { .. }), "{error}");
        assert!(
            error.to_string().len() < 150_000,
            "{}",
            error.to_string().len()
        );
    }
}
