//! Typed answers, by the schema of the request, a tool or the message.

use crate::support::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use skill_agent::chat::{AnswerForm, ChatError, Limits, ModelProfile, Scripted, Stop, ToolChoice};
use skill_agent::models::Provider;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A plan with its steps in order.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
struct Plan {
    steps: Vec<String>,
    #[serde(default)]
    #[schemars(range(min = 1, max = 5))]
    stars: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

fn profile(form: AnswerForm) -> ModelProfile {
    ModelProfile::new(Provider::OPENAI_CHAT).with_answer_form(form)
}

fn plan() -> Plan {
    Plan {
        steps: vec!["buy milk".into()],
        stars: None,
    }
}

#[timed_test::test]
async fn an_answer_comes_by_schema_by_tool_or_by_prompt() {
    let answer = json!({ "steps": ["buy milk"] });
    for form in [AnswerForm::Schema, AnswerForm::Tool, AnswerForm::Prompt] {
        let server = server().await;
        let model = Scripted::new().with_profile(profile(form));
        let model = match form {
            AnswerForm::Tool => model.calls([("answer", answer.clone())]),
            AnswerForm::Schema => model.text(answer.to_string()),
            _ => model.text(format!("```json\n{answer}\n```")),
        };
        let mut chat = chat(&model, &server);
        assert_eq!(chat.ask::<Plan>("Plan my day.").await.unwrap(), plan());
        let request = &model.requests()[0];
        let tools: Vec<&str> = request
            .tools
            .iter()
            .map(|tool| tool.name.as_str())
            .collect();
        let asked = request.messages[0].text();
        assert_eq!(request.output_schema.is_some(), form == AnswerForm::Schema);
        assert_eq!(tools.contains(&"answer"), form == AnswerForm::Tool);
        assert_eq!(asked.contains(r#""steps""#), form == AnswerForm::Prompt);
        let required = request.tool_choice == ToolChoice::Required;
        assert_eq!(required, form == AnswerForm::Tool);
        assert_whole(chat.history());
        // the next turn is an ordinary one
        let model = model.text("Hello.");
        chat.send("Hi.").await.unwrap();
        let request = model.requests().pop().unwrap();
        assert_eq!(request.output_schema, None);
        assert!(request.tools.iter().all(|tool| tool.name != "answer"));
    }
}

async fn round_trip<T: DeserializeOwned + JsonSchema + Debug + PartialEq>(
    answer: Value,
    expected: T,
    is_wrapped: bool,
) {
    for form in [AnswerForm::Schema, AnswerForm::Tool] {
        let server = server().await;
        let sent = if is_wrapped {
            json!({ "answer": answer })
        } else {
            answer.clone()
        };
        let model = Scripted::new().with_profile(profile(form));
        let model = match form {
            AnswerForm::Tool => model.calls([("answer", sent)]),
            _ => model.text(sent.to_string()),
        };
        let found: T = chat(&model, &server).ask("Which one?").await.unwrap();
        assert_eq!(found, expected);
        let request = &model.requests()[0];
        let of_tool = || Some(request.tools.last()?.input_schema.clone());
        let schema = request.output_schema.clone().or_else(of_tool).unwrap();
        assert_eq!(schema["type"], "object", "{schema}");
    }
}

#[timed_test::test]
async fn roots_that_are_no_objects_are_wrapped() {
    round_trip(json!({ "steps": ["buy milk"] }), plan(), false).await;
    round_trip(
        json!(["a", "b"]),
        vec!["a".to_owned(), "b".to_owned()],
        true,
    )
    .await;
    round_trip(json!(7), 7_u8, true).await;
    round_trip(json!(null), None::<bool>, true).await;
    round_trip(json!("yes"), "yes".to_owned(), true).await;
    let square = Shape::Square { side: 2.0 };
    round_trip(json!({ "kind": "square", "side": 2.0 }), square, true).await;
    let one = BTreeMap::from([("a".to_owned(), 1)]);
    round_trip(json!({ "a": 1 }), one, false).await;
    let leaf = |name: &str| Tree {
        name: name.into(),
        children: Vec::new(),
    };
    let tree = Tree {
        children: vec![leaf("b")],
        ..leaf("a")
    };
    let sent = json!({ "name": "a", "children": [{ "name": "b", "children": [] }] });
    round_trip(sent.clone(), tree.clone(), false).await;
    round_trip(json!([sent]), vec![tree], true).await; // definitions stay at the root
}

#[timed_test::test]
async fn a_model_may_call_tools_before_it_answers() {
    for form in [AnswerForm::Schema, AnswerForm::Tool] {
        let server = server().await;
        let model = Scripted::new().with_profile(profile(form));
        let model = model.calls([("add_note", json!({ "text": "A" }))]);
        let answer = json!({ "steps": ["buy milk"] });
        let model = match form {
            AnswerForm::Tool => model.calls([("list_notes", json!({})), ("answer", answer)]),
            _ => model.text(answer.to_string()),
        };
        let mut chat = chat(&model, &server);
        assert_eq!(chat.ask::<Plan>("Plan my day.").await.unwrap(), plan());
        assert_eq!(lines(&server).await, ["A"]);
        assert_whole(chat.history());
    }
}

#[timed_test::test]
async fn a_model_reads_once_where_its_answer_does_not_fit() {
    let wrong = json!({ "steps": [7] });
    let path = "`steps[0]`";
    for form in [AnswerForm::Schema, AnswerForm::Tool, AnswerForm::Prompt] {
        let answer = |model: Scripted, answer: &Value| match form {
            AnswerForm::Tool => model.calls([("answer", answer.clone())]),
            _ => model.text(answer.to_string()),
        };
        let server = server().await;
        let model = answer(Scripted::new().with_profile(profile(form)), &wrong);
        let model = answer(model, &json!({ "steps": ["buy milk"] }));
        let mut repaired = chat(&model, &server);
        assert_eq!(repaired.ask::<Plan>("Plan my day.").await.unwrap(), plan());
        let repair = model.requests()[1].messages.last().unwrap().clone();
        let repair = repair
            .results()
            .next()
            .map_or(repair.text(), |result| result.text().into());
        assert!(repair.contains(path), "{repair}");

        let model = answer(Scripted::new().with_profile(profile(form)), &wrong);
        let model = answer(model, &wrong).text("never asked for");
        let mut failed = chat(&model, &server);
        let error = failed.ask::<Plan>("Plan my day.").await.unwrap_err();
        assert!(matches!(error, ChatError::Answer(_)));
        assert!(error.to_string().contains(path), "{error}");
        assert_eq!(model.requests().len(), 2);
        assert_whole(failed.history());
    }
}

#[timed_test::test]
async fn constraints_empty_answers_and_prose_are_mistakes_too() {
    for (answer, expected) in [
        (r#"{"steps": [], "stars": 9}"#, "`stars`: 9 is out of range"),
        ("", "the answer is empty"),
        ("You should buy milk.", "not JSON"),
        (r#"{"steps": [], "steps": []}"#, "`steps`"),
        ("{}", "`steps`"),
    ] {
        let server = server().await;
        let model = Scripted::new().text(answer).text(answer);
        let error = chat(&model, &server)
            .ask::<Plan>("Plan my day.")
            .await
            .unwrap_err();
        assert!(error.to_string().contains(expected), "{answer}: {error}");
    }
}

#[timed_test::test]
async fn the_nulls_of_strict_mode_are_omitted_values() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Search {
        text: String,
        #[serde(default)]
        most: u32,
    }
    let server = server().await;
    let strict = ModelProfile::new(Provider::OPENAI_STRICT);
    let model = Scripted::new()
        .with_profile(strict.clone())
        .text(r#"{"text":"a","most":null}"#);
    let found: Search = chat(&model, &server).ask("Search.").await.unwrap();
    let text = "a".to_owned();
    assert_eq!(found, Search { text, most: 0 });
    let schema = model.requests()[0].output_schema.clone().unwrap();
    assert_eq!(schema["required"], json!(["text", "most"]));

    // a type that the provider cannot express
    let model = Scripted::new().with_profile(strict).text("{}");
    let asked = chat(&model, &server)
        .ask::<BTreeMap<String, u8>>("Count.")
        .await;
    assert!(matches!(asked, Err(ChatError::Schema(_))), "{asked:?}");
    assert!(model.requests().is_empty());
}

#[timed_test::test]
async fn a_turn_that_ends_otherwise_has_no_answer() {
    let server = server().await;
    let model = Scripted::new().calls([("list_notes", json!({}))]);
    let limits = Limits::default().steps(1);
    let mut chat = builder(&model, &server).limits(limits).build().unwrap();
    match chat.ask::<Plan>("Plan my day.").await {
        Err(ChatError::NoAnswer(turn)) => assert_eq!(turn.stop, Stop::Steps),
        other => panic!("{other:?}"),
    }
}

#[timed_test::test]
async fn an_answer_is_found_in_a_fence_and_behind_reasoning() {
    let answer = r#"{"steps": ["buy milk"]}"#;
    let other = r#"{"days": 1}"#;
    for text in [
        format!("Here is the plan:\n\n```json\n{answer}\n```"),
        format!("Here is the plan:\n```\n{answer}\n```\nEnjoy your day!"),
        format!("```json\n{answer}"),
        format!("<think>\nMilk? {other}\n</think>\n\n{answer}"),
        format!("Milk, then.\n</think>\n{answer}"),
        format!("<think>Hm.</think>The plan:\n```json\n{answer}\n```"),
        format!("Not this:\n```json\n{other}\n```\nbut that:\n```json\n{answer}\n```"),
    ] {
        let server = server().await;
        for form in [AnswerForm::Schema, AnswerForm::Prompt] {
            let model = Scripted::new()
                .with_profile(profile(form))
                .text(text.clone());
            let mut chat = chat(&model, &server);
            assert_eq!(
                chat.ask::<Plan>("Plan my day.").await.unwrap(),
                plan(),
                "{text}"
            );
            assert_eq!(model.requests().len(), 1);
        }
    }
    // the mistake is in the fence
    let server = server().await;
    let wrong = "Here:\n```json\n{\"steps\": [7]}\n```";
    let model = Scripted::new().text(wrong).text(answer);
    let mut chat = chat(&model, &server);
    assert_eq!(chat.ask::<Plan>("Plan my day.").await.unwrap(), plan());
    let repair = model.requests()[1].messages.last().unwrap().text();
    assert!(
        repair.contains("steps") && !repair.contains("expected value"),
        "{repair}"
    );
}
