//! Mistakes in the provider and the model of an agent, as a person reads them.

use super::*;

fn agent(keys: &str) -> String {
    format!("---\nname: General\n{keys}---\nYou help.\n")
}

#[timed_test::test]
async fn each_mistake_says_where_it_is_and_what_to_write() {
    let write = |key: &str| {
        format!(
            "write `{key}: …` between the lines `---`, or `Providers::default_model` in the program"
        )
    };
    let provider_missing = format!(
        "agents/general/AGENT.md:1:1: error[missing_field]: `provider` is missing; {}; the providers are `anthropic`, `openai`",
        write("provider")
    );
    let model_missing = format!(
        "agents/general/AGENT.md:1:1: error[missing_field]: `model` is missing; {}",
        write("model")
    );
    let unknown = |place: &str, name: &str, nearest: &str| {
        format!(
            "agents/general/AGENT.md:{place}: error[unknown_provider]: there is no provider `{name}`; the providers are \
             `anthropic`, `openai`{nearest}"
        )
    };
    let unavailable = "agents/general/AGENT.md:4:11: error[unavailable_model]: `anthropic` cannot be used: it has no model `gpt-4`";
    let cases = [
        (
            "provider: opnai\nmodel: gpt-4\n",
            vec![unknown("3:11", "opnai", "; did you mean `openai`?")],
        ),
        (
            "model: gpt-4\nprovider: \"zai\"\n",
            vec![unknown("4:11", "zai", "")],
        ),
        (
            "provider: openai/gpt-4\nmodel: gpt-4\n",
            vec![unknown("3:11", "openai/gpt-4", "; did you mean `openai`?")],
        ),
        ("model: gpt-4\n", vec![provider_missing.clone()]),
        ("provider: openai\n", vec![model_missing.clone()]),
        ("", vec![provider_missing, model_missing.clone()]),
        (
            "provider: opnai\n",
            vec![
                unknown("3:11", "opnai", "; did you mean `openai`?"),
                model_missing,
            ],
        ),
        (
            "model: gpt-4\nprovider: anthropic\n",
            vec![unavailable.to_owned()],
        ),
    ];
    for (keys, expected) in cases {
        let message = refused(&agent(keys), &providers(&Scripted::new())).await;
        let (first, rest) = message.split_once('\n').unwrap();
        assert_eq!(first, "the agent `general` has no model");
        assert_eq!(rest, expected.join("\n"));
    }
}

#[timed_test::test]
async fn a_program_without_providers_is_told_how_to_add_one() {
    let message = refused(GENERAL, &Providers::new()).await;
    assert!(
        message.ends_with("there is no provider `openai`; add one with `Providers::new().with(…)`"),
        "{message}"
    );
}

#[timed_test::test]
async fn names_are_equal_without_case_and_spaces() {
    for provider in ["OpenAI", "\" openai \"", "OPENAI"] {
        let folder = folder(&[(
            "general",
            &agent(&format!("provider: {provider}\nmodel: m\n")),
        )]);
        let toolbox = Toolbox::builder().build().await.unwrap();
        let chat = builder(folder.path(), "general", toolbox, &Scripted::new());
        assert!(chat.build().is_ok(), "{provider}");
    }
}

/// Returns the models that were created for the keys of a document, with a default.
async fn created(keys: &str) -> Result<String, String> {
    let named = |provider: &'static str| {
        move |model: &str| Scripted::new().text(format!("{provider}/{model}"))
    };
    let providers = Providers::new()
        .with("openai", named("openai"))
        .with("anthropic", named("anthropic"))
        .default_model("OpenAI", "gpt-4");
    let folder = folder(&[("general", &agent(keys))]);
    let agents = AgentDocs::load(folder.path()).unwrap();
    let toolbox = Toolbox::builder().build().await.unwrap();
    let chat = Chat::from_doc(agents.get("general").unwrap(), toolbox, &providers).build();
    let mut chat = chat.map_err(|error| error.to_string())?;
    Ok(chat.send("Hello.").await.unwrap().text().to_owned())
}

#[timed_test::test]
async fn a_document_without_a_model_has_the_default_of_its_provider() {
    assert_eq!(created("").await.unwrap(), "openai/gpt-4");
    assert_eq!(created("model: gpt-5\n").await.unwrap(), "openai/gpt-5");
    assert_eq!(created("provider: openai\n").await.unwrap(), "openai/gpt-4");
    assert_eq!(
        created("provider: anthropic\nmodel: claude\n")
            .await
            .unwrap(),
        "anthropic/claude"
    );
    let other = created("provider: anthropic\n").await.unwrap_err();
    assert!(other.contains("`model` is missing"), "{other}");
}
