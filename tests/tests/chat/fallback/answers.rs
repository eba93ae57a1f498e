//! Typed answers of a chain: each model is asked in its own form.

use super::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use skill_agent::chat::{
    AnswerForm, BoxStream, ChatRequest, Fallback, ModelEvent, Retries, ToolChoice,
};

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Visit {
    city: String,
    #[serde(default)]
    nights: Option<u8>,
}

fn rome() -> Visit {
    let city = "Rome".to_owned();
    Visit { city, nights: None }
}

fn in_form(provider: Provider, form: AnswerForm, models: Scripted) -> Scripted {
    models.with_profile(profile(provider).with_answer_form(form))
}

/// A chain whose models have different forms, and fail up to the last one.
fn three(last: Scripted) -> [Scripted; 3] {
    let failing = || failing([status(500, None)]);
    [
        in_form(Provider::OPENAI_CHAT, AnswerForm::Schema, failing()),
        in_form(Provider::ANTHROPIC, AnswerForm::Tool, failing()),
        in_form(Provider::GEMINI, AnswerForm::Prompt, last),
    ]
}

fn chain([first, second, third]: [Scripted; 3]) -> Fallback {
    Fallback::new(first).then(second).then(third)
}

fn has_answer_tool(request: &ChatRequest) -> bool {
    request.tools.iter().any(|tool| tool.name == "answer")
}

/// A report about another library says that its streams to a second model have the parameters of the first.
#[timed_test::test]
async fn each_model_is_asked_in_its_own_form() {
    let server = server().await;
    let models = three(Scripted::new().text(r#"{"city":"Rome"}"#));
    let mut chat = chat_of(chain(models.clone()), &server);
    assert_eq!(chat.ask::<Visit>("Where?").await.unwrap(), rome());
    let [schema, tool, prompt] = models.map(|model| model.requests().remove(0));
    assert!(schema.output_schema.is_some() && !has_answer_tool(&schema));
    assert_eq!(schema.tool_choice, ToolChoice::Auto);
    assert!(tool.output_schema.is_none() && has_answer_tool(&tool));
    assert_eq!(tool.tool_choice, ToolChoice::Required);
    assert!(prompt.output_schema.is_none() && !has_answer_tool(&prompt));
    // one history for all
    assert_eq!(schema.messages, prompt.messages);
    assert!(prompt.messages[0].text().contains("JSON of this schema"));
}

#[timed_test::test]
async fn a_model_may_give_the_answer_by_a_tool_and_the_next_one_corrects_it() {
    let server = server().await;
    let answer = json!({ "city": 7 });
    let first = Scripted::new()
        .calls([("answer", answer)])
        .error(status(500, None));
    let first = in_form(Provider::ANTHROPIC, AnswerForm::Tool, first);
    let second = Scripted::new().text(r#"{"city":"Rome"}"#);
    let second = in_form(Provider::OPENAI_CHAT, AnswerForm::Schema, second);
    let mut chat = chat_of(Fallback::new(first).then(second.clone()), &server);
    assert_eq!(chat.ask::<Visit>("Where?").await.unwrap(), rome());
    assert_whole(chat.history());
    assert!(!has_answer_tool(&second.requests()[0]));
}

#[timed_test::test]
async fn schemas_are_in_the_dialect_of_the_model() {
    let server = server().await;
    let strict = Provider::OPENAI_STRICT;
    let first = in_form(strict, AnswerForm::Schema, failing([CUT_OFF]));
    let second = Scripted::new().text(r#"{"city":"Rome"}"#);
    let second = in_form(Provider::GEMINI, AnswerForm::Schema, second);
    let mut chat = chat_of(Fallback::new(first.clone()).then(second.clone()), &server);
    chat.ask::<Visit>("Where?").await.unwrap();
    let required = |model: &Scripted| {
        let schema = model.requests()[0].output_schema.clone().unwrap();
        schema["required"].as_array().unwrap().len()
    };
    assert_eq!((required(&first), required(&second)), (2, 1));
}

/// The wrapper of the documentation of `ChatModel`.
struct Wrapped<M>(M);

impl<M: ChatModel> ChatModel for Wrapped<M> {
    fn profile(&self) -> ModelProfile {
        self.0.profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        self.0.stream(request)
    }
}

#[timed_test::test]
async fn a_wrapper_around_a_chain_changes_nothing() {
    let server = server().await;
    let models = three(Scripted::new().text(r#"{"city":"Rome"}"#));
    let mut chat = chat_of(Wrapped(chain(models.clone())), &server);
    assert_eq!(chat.ask::<Visit>("Where?").await.unwrap(), rome());
    let [schema, tool, _] = models.map(|model| model.requests().remove(0));
    assert!(schema.output_schema.is_some() && has_answer_tool(&tool));
}

#[timed_test::test]
async fn all_forms_are_wrong_only_once() {
    let server = server().await;
    let wrong = Scripted::new().text("{}").text("{}");
    let chain = Fallback::new(in_form(Provider::GEMINI, AnswerForm::Schema, wrong));
    let chat = builder_of(chain.then(greeting()), &server).retries(Retries::none());
    let failed = chat.build().unwrap().ask::<Visit>("Where?").await;
    let failed = failed.unwrap_err().to_string();
    assert!(
        failed.starts_with("the answer does not fit its type"),
        "{failed}"
    );
}
