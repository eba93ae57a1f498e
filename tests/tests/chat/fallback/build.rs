//! The profile of a chain, and mistakes that `build` finds.

use super::*;
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::chat::{AnswerForm, Fallback, Message, OpenAi, RequestOptions, Retries};
use skill_agent::chat::{ChatError, ImagePart};
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource,
};

#[test]
fn the_profile_has_what_all_models_can_do() {
    let wide = profile(Provider::OPENAI_CHAT)
        .with_images(true)
        .with_context_window(100_000)
        .with_think_tags(true);
    let narrow = profile(Provider::ANTHROPIC).with_context_window(8_000);
    let model = |profile: &ModelProfile| Scripted::new().with_profile(profile.clone());
    let all = Fallback::new(model(&wide)).then(model(&narrow)).profile();
    assert_eq!((all.images, all.context_window), (false, Some(8_000)));
    assert_eq!(all.answer_form, AnswerForm::Prompt);
    assert!(!all.think_tags);
    let all = Fallback::new(model(&wide)).then(model(&wide)).profile();
    assert_eq!((all.images, all.context_window), (true, Some(100_000)));
    assert_eq!(all.answer_form, AnswerForm::Schema);
}

#[timed_test::test]
async fn an_image_needs_all_models() {
    let server = server().await;
    let reads = profile(Provider::OPENAI_CHAT).with_images(true);
    let first = Scripted::new().with_profile(reads);
    let mut chat = chat_of(Fallback::new(first).then(greeting()), &server);
    let image = ImagePart::from_bytes("image/png", vec![1, 2]);
    let failed = chat.send(Message::user("What?").with(image)).await;
    assert!(matches!(failed, Err(ChatError::Images)));
}

fn error(builder: ChatBuilder) -> String {
    builder.build().unwrap_err().to_string()
}

#[timed_test::test]
async fn a_toolbox_that_a_model_cannot_carry_is_an_error() {
    let server = server().await;
    let many = (0..200).map(|number| format!("tool_{number}"));
    let toolbox = Toolbox::builder().source("many", Many(many.collect()));
    let toolbox = toolbox.build().await.unwrap();
    let narrow = Scripted::new().with_profile(profile(Provider::OPENAI_CHAT));
    let wide = Scripted::new().with_profile(profile(Provider::ANTHROPIC));
    let chain = Fallback::new(wide.clone()).then(narrow);
    let found = error(Chat::builder(chain, toolbox.clone()));
    assert!(
        found.starts_with("model 2 of the fallback cannot have all tools of the toolbox: "),
        "{found}"
    );
    assert!(found.contains("128"), "{found}");
    Chat::builder(Fallback::new(wide.clone()).then(wide), toolbox)
        .build()
        .unwrap();
    builder_of(Fallback::new(greeting()), &server)
        .build()
        .unwrap();
}

/// A source with many tools.
struct Many(Vec<String>);

impl ToolSource for Many {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let schema = json!({ "type": "object", "properties": {} });
        let tool =
            |name: &String| SourceTool::new(ToolBuf::new(name, "Does something.", schema.clone()));
        let tools = self.0.iter().map(tool).collect();
        Box::pin(async { Ok(tools) })
    }

    fn call<'a>(&'a self, _: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async { Ok("Done.".into()) })
    }
}

#[timed_test::test]
async fn a_mistake_in_the_settings_says_where_it_is() {
    let server = server().await;
    let invalid = OpenAi::new("", "m").base_url("localhost");
    let found = error(builder_of(Fallback::new(greeting()).then(invalid), &server));
    assert!(
        found.starts_with("the request cannot be sent: model 2 of the fallback: "),
        "{found}"
    );
    let options = RequestOptions::new().max_tokens(0);
    let chain = Fallback::new(greeting()).options(options);
    let found = error(builder_of(chain, &server));
    assert!(
        found.contains("model 1 of the fallback: `RequestOptions::max_tokens` is 0"),
        "{found}"
    );
    let chain = Fallback::new(greeting()).stall(Duration::ZERO);
    let found = error(builder_of(chain, &server));
    assert_eq!(
        found,
        "the request cannot be sent: `Fallback::stall` is 0, so that every model would fail; leave it out for the default"
    );
    let retries = Retries::default().stall(Duration::from_secs(60));
    let found = error(builder_of(Fallback::new(greeting()), &server).retries(retries));
    assert_eq!(
        found,
        "`Fallback::stall` is 120s, but the chat gives a request up after 60s of silence, so that no other model would be asked; \
         write a shorter one, or a longer `Retries::stall`"
    );
}
