//! Documents and instructions at an MCP client: prompts, resources, skills.

use crate::script::{Script, tool};
use crate::support::*;
use rmcp::ClientHandler;
use rmcp::model::{
    ArgumentInfo, CompleteRequestParams, ErrorCode, GetPromptRequestParams, GetPromptResult,
    GetSkillRequestParams, ReadResourceDirectoryRequestParams, ReadResourceRequestParams,
    Reference, ResourceContents, SkillResources,
};
use rmcp::service::{NotificationContext, RoleClient, ServiceError};
use serde_json::{Value, json};
use skill_agent::manifest::selection::Exposure;
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::mcp::Handler;
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision};
use skill_agent::toolbox::Toolbox;
use skill_core::spec::Hints;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tokio::sync::mpsc;

const REVIEW: &str = "---\nname: review\ndescription: Review a change.\nversion: 1.5\nauthor: ann\n---\n\
                      # Review\nRead it twice.\n";

fn write(folder: &Path, path: &str, contents: impl AsRef<[u8]>) {
    let file = folder.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, contents).unwrap();
}

/// A document for the model with files, and one that calls a tool.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "review/SKILL.md", REVIEW);
    write(folder.path(), "review/forms/list one.txt", "- tests\n");
    write(
        folder.path(),
        "review/logo.png",
        [0x89, b'P', b'N', b'G', 0xff],
    );
    let note = "---\nname: note\ndescription: Take a note.\ninvocation_mode: tool_dispatch\n\
                command: note\ncommand_tool: add_note\n---\n";
    write(folder.path(), "note/SKILL.md", note);
    folder
}

fn catalog(folder: &Path) -> Catalog {
    Catalog::builder(Dialect::LILY)
        .source(Source::project(folder))
        .agent::<Office>()
        .allow_skills(true)
        .load()
}

async fn office(folder: &Path) -> (AgentServer<Office>, Toolbox) {
    let builder = AgentServer::builder(Office::new()).resources(Tools::default());
    let server = builder.start().await.unwrap();
    let catalog = catalog(folder);
    assert_eq!(catalog.diagnostics(), [], "the documents are fine");
    let toolbox = Toolbox::builder().server(&server).catalog(catalog);
    let toolbox = toolbox.build().await.unwrap();
    (server, toolbox)
}

fn prompt(name: &str, arguments: Value) -> GetPromptRequestParams {
    let arguments = arguments.as_object().unwrap().clone();
    GetPromptRequestParams::new(name).with_arguments(arguments)
}

fn only_text(result: &GetPromptResult) -> &str {
    assert_eq!(result.messages.len(), 1);
    &result.messages[0].content.as_text().unwrap().text
}

#[timed_test::test]
async fn prompts_are_instructions_and_slash_commands() {
    let folder = folder();
    let (_server, toolbox) = office(folder.path()).await;
    for era in ERAS {
        let client = connected(toolbox.clone(), (), era).await;
        let prompts = client.list_all_prompts().await.unwrap();
        let names: Vec<_> = prompts.iter().map(|prompt| &*prompt.name).collect();
        assert_eq!(names, ["note", "review", "desk"]);
        let arguments = prompts[0].arguments.as_ref().unwrap();
        assert_eq!(arguments[0].name, "text");
        assert_eq!(arguments[0].required, Some(true));

        let review = prompt("review", json!({ "arguments": "don't skip the tests" }));
        let review = client.get_prompt(review).await.unwrap();
        assert_eq!(
            only_text(&review),
            "# Review\nRead it twice.\n\nArguments: don't skip the tests"
        );
        let review = client
            .get_prompt(prompt("review", json!({})))
            .await
            .unwrap();
        assert_eq!(only_text(&review), "# Review\nRead it twice.");
        let note = prompt("note", json!({ "text": "buy Ann's milk" }));
        let note = client.get_prompt(note).await.unwrap();
        assert_eq!(
            only_text(&note),
            r#"Call the tool `add_note` with these arguments: {"text":"buy Ann's milk"}"#
        );
        let desk = client.get_prompt(prompt("desk", json!({}))).await.unwrap();
        assert_eq!(only_text(&desk), "Keep notes short.");
    }
}

#[timed_test::test]
async fn wrong_prompts_are_errors_of_the_protocol() {
    let folder = folder();
    let (server, toolbox) = office(folder.path()).await;
    let client = connected(toolbox, (), Era::Stateless).await;
    for (name, arguments, message) in [
        ("revew", json!({}), "there is no prompt `revew`"),
        (
            "review",
            json!({ "words": "x" }),
            "unknown argument `words`; the only argument is `arguments`",
        ),
        (
            "review",
            json!({ "arguments": 1 }),
            "the argument `arguments` is 1, expected a string",
        ),
        (
            "note",
            json!({}),
            "Error: the property 'text' is missing; 'add_note' takes: text=<string>.",
        ),
        (
            "note",
            json!({ "text": "a", "txt": "b" }),
            "Error: there is no property 'txt' (did you mean 'text'?); 'add_note' takes: text=<string>.",
        ),
    ] {
        let error = client
            .get_prompt(prompt(name, arguments))
            .await
            .unwrap_err();
        let ServiceError::McpError(error) = error else {
            panic!("{error:?}");
        };
        assert_eq!(
            (error.code, &*error.message),
            (ErrorCode::INVALID_PARAMS, message)
        );
    }
    assert!(server.agent().await.unwrap().state().desk.notes.is_empty());
}

/// The colour of a lamp.
#[derive(Clone, Copy, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    #[default]
    Red,
    Green,
    Grey,
}

/// A lamp.
#[derive(Skill, Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
#[skill(name = "lamp", actions(Light))]
pub struct Lamp {
    colour: Colour,
}

/// Light the lamp.
#[action]
pub fn light(lamp: &mut Lamp, colour: Colour, blinks: Option<bool>) {
    let _ = blinks;
    lamp.colour = colour;
}

agent! {
    pub struct Room {
        name: "room",
        skills: [Lamp],
    }
}

#[timed_test::test]
async fn arguments_of_prompts_are_completed() {
    let folder = tempfile::tempdir().unwrap();
    let light = "---\ninvocation_mode: tool_dispatch\ncommand: light\ncommand_tool: light\n---\n";
    write(folder.path(), "light/SKILL.md", light);
    let catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(folder.path()))
        .agent::<Room>()
        .allow_skills(true)
        .load();
    let server = AgentServer::builder(Room::new()).start().await.unwrap();
    let toolbox = Toolbox::builder().server(&server).catalog(catalog);
    let client = connected(toolbox.build().await.unwrap(), (), Era::Stateless).await;
    let completed = async |prompt: &str, argument: &str, value: &str| {
        let argument = ArgumentInfo::new(argument, value);
        let request = CompleteRequestParams::new(Reference::for_prompt(prompt), argument);
        client.complete(request).await.unwrap().completion.values
    };
    assert_eq!(completed("light", "colour", "gre").await, ["green", "grey"]);
    assert_eq!(completed("light", "blinks", "").await, ["true", "false"]);
    assert!(completed("light", "nothing", "").await.is_empty());
    assert!(completed("nothing", "colour", "").await.is_empty());
    let typed = prompt("light", json!({ "colour": "green", "blinks": "true" }));
    let typed = client.get_prompt(typed).await.unwrap();
    assert_eq!(
        only_text(&typed),
        r#"Call the tool `light` with these arguments: {"colour":"green","blinks":true}"#
    );
}

async fn contents(client: &Client<()>, uri: &str) -> Result<ResourceContents, ServiceError> {
    let read = client
        .read_resource(ReadResourceRequestParams::new(uri))
        .await?;
    assert_eq!(read.contents.len(), 1);
    Ok(read.contents.into_iter().next().unwrap())
}

#[timed_test::test]
async fn a_resource_has_the_description_or_the_summary_of_its_document() {
    let folder = folder();
    write(
        folder.path(),
        "plan/SKILL.md",
        "---\nsummary: Make a plan.\n---\nThink.\n",
    );
    let (_server, toolbox) = office(folder.path()).await;
    let client = connected(toolbox, (), Era::Stateless).await;
    let resources = client.list_all_resources().await.unwrap();
    let described = |uri: &str| {
        let resource = resources.iter().find(|resource| resource.uri == uri);
        resource.unwrap().description.as_deref()
    };
    assert_eq!(described("skill://plan/SKILL.md"), Some("Make a plan."));
    // the dialect has no descriptions
    assert_eq!(described("skill://review/SKILL.md"), None);
}

#[timed_test::test]
async fn documents_are_resources() {
    let folder = folder();
    let (_server, toolbox) = office(folder.path()).await;
    for era in ERAS {
        let client = connected(toolbox.clone(), (), era).await;
        let resources = client.list_all_resources().await.unwrap();
        let listed: Vec<_> = resources
            .iter()
            .map(|resource| (&*resource.uri, resource.mime_type.as_deref().unwrap()))
            .collect();
        assert_eq!(
            listed,
            [
                ("skill://review/SKILL.md", "text/markdown"),
                ("skill://review/forms/list%20one.txt", "text/plain"),
                ("skill://review/logo.png", "image/png"),
            ]
        );
        let document = contents(&client, "skill://review/SKILL.md").await.unwrap();
        assert!(
            matches!(&document, ResourceContents::TextResourceContents { text, .. } if text == REVIEW),
            "{document:?}"
        );
        let logo = contents(&client, "skill://review/logo.png").await.unwrap();
        assert!(
            matches!(&logo, ResourceContents::BlobResourceContents { blob, .. } if blob == "iVBOR/8="),
            "{logo:?}"
        );
        for uri in [
            "skill://review/none.txt",
            "skill://review/../note/SKILL.md",
            "skill://review/%2e%2e/note/SKILL.md",
            // https://github.com/modelcontextprotocol/python-sdk/pull/2353
            "skill://review/..%2F..%2F..%2Fetc%2Fpasswd",
            "skill://review/..%5Cnote%5CSKILL.md",
            "skill://review/forms%2F..%2F..%2Fnote%2FSKILL.md",
            "skill://review/%2Fetc%2Fpasswd",
            "skill://review/%00",
            "skill://review/forms/../../../../etc/passwd",
            "skill://review//etc/passwd",
            "skill://revew/SKILL.md",
            // a document for people
            "skill://note/SKILL.md",
            "file:///etc/passwd",
            "",
        ] {
            let error = contents(&client, uri).await.unwrap_err();
            let ServiceError::McpError(error) = error else {
                panic!("{error:?}");
            };
            let not_found = match era {
                Era::Stateless => ErrorCode::INVALID_PARAMS,
                Era::Initialize => ErrorCode::RESOURCE_NOT_FOUND,
            };
            assert_eq!(error.code, not_found, "{uri}: {error:?}");
            let path = folder.path().to_str().unwrap();
            assert!(!error.message.contains(path), "{error:?}");
        }
    }
}

#[timed_test::test]
async fn a_client_checks_the_digests_of_skills() {
    let folder = folder();
    let (_server, toolbox) = office(folder.path()).await;
    let client = connected(toolbox, (), Era::Stateless).await;
    let skills = client.list_all_skills().await.unwrap();
    let uris: Vec<_> = skills.iter().map(|skill| &*skill.uri).collect();
    assert_eq!(uris, ["skill://review/SKILL.md"]);
    let review = client
        .get_skill(GetSkillRequestParams::new("skill://review/SKILL.md"))
        .await
        .unwrap()
        .skill;
    assert_eq!(review, skills[0]);
    assert_eq!(
        serde_json::to_value(&review.frontmatter).unwrap(),
        json!({ "name": "review", "description": "Review a change.", "version": 1.5, "author": "ann" })
    );
    let SkillResources::Files(files) = &review.resources else {
        panic!("{review:?}");
    };
    assert_eq!(files.len(), 3);
    for file in files {
        let bytes = match contents(&client, &file.uri).await.unwrap() {
            ResourceContents::TextResourceContents { text, .. } => text.into_bytes(),
            _ => fs::read(folder.path().join("review/logo.png")).unwrap(),
        };
        file.verify(&bytes).unwrap();
    }
    let unknown = GetSkillRequestParams::new("skill://revew/SKILL.md");
    let error = client.get_skill(unknown).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("there is no skill `skill://revew/SKILL.md`"),
        "{error}"
    );
}

#[timed_test::test]
async fn a_folder_of_a_skill_is_read() {
    let folder = folder();
    let (_server, toolbox) = office(folder.path()).await;
    let client = connected(toolbox, (), Era::Stateless).await;
    let children = async |uri: &str| {
        let request = ReadResourceDirectoryRequestParams::new(uri);
        let list = client.read_resource_directory(request).await?;
        let resources = list.resources.into_iter();
        let shown = resources.map(|resource| (resource.is_directory(), resource.uri));
        Ok::<_, ServiceError>(shown.collect::<Vec<_>>())
    };
    let all = [
        (true, "skill://review/forms".to_owned()),
        (false, "skill://review/logo.png".to_owned()),
        (false, "skill://review/SKILL.md".to_owned()),
    ];
    for uri in ["skill://review", "skill://review/"] {
        assert_eq!(children(uri).await.unwrap(), all);
    }
    assert_eq!(
        children("skill://review/forms").await.unwrap(),
        [(false, "skill://review/forms/list%20one.txt".to_owned())]
    );
    for uri in [
        "skill://review/none",
        "skill://review/logo.png",
        "skill://none",
    ] {
        children(uri).await.unwrap_err();
    }
}

#[timed_test::test]
async fn documents_for_people_are_prompts_alone() {
    let folder = folder();
    let catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(folder.path()))
        .agent::<Office>()
        .allow_skills(false)
        .load();
    let builder = AgentServer::builder(Office::new()).resources(Tools::default());
    let server = builder.start().await.unwrap();
    let toolbox = Toolbox::builder().server(&server).catalog(catalog);
    let client = connected(toolbox.build().await.unwrap(), (), Era::Stateless).await;
    assert_eq!(client.list_all_prompts().await.unwrap().len(), 3);
    assert!(client.list_all_resources().await.unwrap().is_empty());
    assert!(client.list_all_skills().await.unwrap().is_empty());
    contents(&client, "skill://review/SKILL.md")
        .await
        .unwrap_err();
    let review = GetSkillRequestParams::new("skill://review/SKILL.md");
    client.get_skill(review).await.unwrap_err();
}

#[timed_test::test]
async fn a_document_that_a_strict_client_refuses_is_a_resource_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (id, text) in [
        ("plain", "# Plain\nNo frontmatter.\n"),
        (
            "listed",
            "---\nname: [listed]\ndescription: D.\n---\nText.\n",
        ),
        (
            "repaired",
            "---\nname: repaired\ndescription: Use it: often.\n---\nText.\n",
        ),
        (
            "upper_case",
            "---\nname: upper_case\ndescription: D.\n---\nText.\n",
        ),
        ("good", "---\nname: good\ndescription: D.\n---\nText.\n"),
    ] {
        write(folder.path(), &format!("{id}/SKILL.md"), text);
    }
    let dialect = Dialect::AGENT_SKILLS_LENIENT;
    let catalog = Catalog::builder(dialect).source(Source::project(folder.path()));
    let toolbox = Toolbox::builder().catalog(catalog.load());
    let client = connected(toolbox.build().await.unwrap(), (), Era::Stateless).await;
    let skills = client.list_all_skills().await.unwrap();
    let names: Vec<_> = skills.iter().map(|skill| skill.name()).collect();
    assert_eq!(names, ["good"]);
    let resources = client.list_all_resources().await.unwrap();
    assert!(resources.len() > 2, "{resources:?}");
    assert_eq!(resources[0].description.as_deref(), Some("D."));
    let prompts = client.list_all_prompts().await.unwrap();
    assert_eq!(prompts[0].description.as_deref(), Some("D."));
    let repaired = GetSkillRequestParams::new("skill://repaired/SKILL.md");
    let error = client.get_skill(repaired).await.unwrap_err();
    assert!(
        error.to_string().contains("its frontmatter is not YAML"),
        "{error}"
    );
    assert!(
        contents_of(&client, "skill://repaired/SKILL.md")
            .await
            .contains("Text.")
    );
}

#[timed_test::test]
async fn an_embedded_document_is_written_as_a_file() {
    let text = "---\nname: embedded\ndescription: 'Says \"a: b\" # often.'\n---\n# Text\n";
    let report = skill_agent::manifest::check(text, &Dialect::AGENT_SKILLS);
    let docs = Box::leak(Box::new([report.into_doc().unwrap()]));
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS).source(Source::bundled(docs));
    let toolbox = Toolbox::builder().catalog(catalog.load());
    let client = connected(toolbox.build().await.unwrap(), (), Era::Stateless).await;
    let skills = client.list_all_skills().await.unwrap();
    assert_eq!(skills[0].frontmatter.description, "Says \"a: b\" # often.");
    let file = contents_of(&client, "skill://embedded/SKILL.md").await;
    assert!(file.ends_with("---\n\n# Text\n"), "{file}");
    let SkillResources::Files(files) = &skills[0].resources else {
        panic!("{skills:?}");
    };
    files[0].verify(file.as_bytes()).unwrap();
}

#[timed_test::test]
async fn a_guard_decides_who_reads_a_document() {
    let folder = folder();
    let builder = AgentServer::builder(Office::new()).resources(Tools::default());
    let server = builder.start().await.unwrap();
    let guard = |attempt: &Attempt<'_>| {
        let arguments = attempt.arguments();
        let is_review = arguments["skill_name"] == "review";
        match attempt.caller.principal() {
            Some("bob") if attempt.tool.name == "skill" && is_review => {
                Decision::Deny("not for bob".into())
            }
            Some("cid") if attempt.tool.name == "read_skill_file" => Decision::Ask,
            _ => Decision::Allow,
        }
    };
    let toolbox = Toolbox::builder().server(&server).guard(guard);
    let toolbox = toolbox
        .catalog(catalog(folder.path()))
        .build()
        .await
        .unwrap();
    let client = async |name: &str| {
        let handler = Handler::from(toolbox.clone()).with_principal(name);
        connected(handler, (), Era::Stateless).await
    };
    let bob = client("bob").await;
    assert!(bob.list_all_resources().await.unwrap().is_empty());
    assert!(bob.list_all_skills().await.unwrap().is_empty());
    for uri in ["skill://review/SKILL.md", "skill://review/logo.png"] {
        contents(&bob, uri).await.unwrap_err();
    }
    let review = GetSkillRequestParams::new("skill://review/SKILL.md");
    bob.get_skill(review).await.unwrap_err();
    let folder_of_review = ReadResourceDirectoryRequestParams::new("skill://review");
    bob.read_resource_directory(folder_of_review)
        .await
        .unwrap_err();
    bob.get_prompt(prompt("review", json!({})))
        .await
        .unwrap_err();
    let names: Vec<_> = bob.list_all_prompts().await.unwrap();
    let names: Vec<_> = names.iter().map(|prompt| &*prompt.name).collect();
    assert_eq!(names, ["note", "desk"]);

    let cid = client("cid").await;
    assert_eq!(cid.list_all_resources().await.unwrap().len(), 1);
    contents(&cid, "skill://review/SKILL.md").await.unwrap();
    contents(&cid, "skill://review/logo.png").await.unwrap_err();
    // a list of digests is complete, so there is none
    let review = GetSkillRequestParams::new("skill://review/SKILL.md");
    let review = cid.get_skill(review).await.unwrap().skill;
    assert_eq!(review.resources, SkillResources::Dynamic);
    let folder_of_review = ReadResourceDirectoryRequestParams::new("skill://review");
    let children = cid.read_resource_directory(folder_of_review).await.unwrap();
    let children: Vec<_> = children.resources.iter().map(|child| &*child.uri).collect();
    assert_eq!(children, ["skill://review/SKILL.md"]);
    let ann = client("ann").await;
    assert_eq!(ann.list_all_resources().await.unwrap().len(), 3);
    contents(&ann, "skill://review/logo.png").await.unwrap();
}

/// A catalog whose tools are not listed.
#[timed_test::test]
async fn a_guard_decides_without_the_tool_too() {
    let folder = folder();
    for manual in [false, true] {
        let catalog = Catalog::builder(Dialect::LILY).source(Source::project(folder.path()));
        let catalog = if manual {
            catalog.exposure("review", Exposure::Manual)
        } else {
            catalog.allow_skills(false)
        };
        let toolbox = Toolbox::builder()
            .catalog(catalog.load())
            .guard(|attempt: &Attempt<'_>| match attempt.caller.principal() {
                Some("bob") if attempt.tool.name == "skill" => Decision::Deny("not for bob".into()),
                _ => Decision::Allow,
            });
        let toolbox = toolbox.build().await.unwrap();
        for (name, count) in [("bob", 0), ("ann", 1)] {
            let handler = Handler::from(toolbox.clone()).with_principal(name);
            let client = connected(handler, (), Era::Stateless).await;
            assert_eq!(client.list_all_prompts().await.unwrap().len(), count);
            let read = contents(&client, "skill://review/SKILL.md").await;
            assert_eq!(read.is_ok(), manual && name == "ann");
            let prompted = client.get_prompt(prompt("review", json!({}))).await;
            assert_eq!(prompted.is_ok(), name == "ann");
        }
    }
}

/// A toolbox withholds tools by which data could leak.
#[timed_test::test]
async fn documents_of_a_withheld_catalog_are_not_read() {
    let folder = folder();
    let hinted = |name: &str, hint: Hints| {
        let mut tool = tool(name);
        tool.tool.hints = hint;
        tool
    };
    let script = Script::with(vec![
        hinted("salaries", Hints::NONE.reads_sensitive()),
        hinted("mail", Hints::NONE.sends_out()),
    ]);
    let trusted = Catalog::builder(Dialect::LILY).source(Source::project(folder.path()));
    let toolbox = Toolbox::builder()
        .source("far", script)
        .catalog(trusted.load());
    let toolbox = toolbox.build().await.unwrap();
    let client = connected(toolbox.clone(), (), Era::Stateless).await;
    contents(&client, "skill://review/SKILL.md").await.unwrap();

    let found = Source::project(folder.path()).discovered();
    let mut found = Catalog::builder(Dialect::LILY).source(found).load();
    let entries: Vec<_> = found.listed().cloned().collect();
    for entry in entries {
        found.trust(&entry.id, entry.hash).unwrap();
    }
    toolbox.set_catalog(found);
    let tools = client.list_all_tools().await.unwrap();
    assert!(!tools.iter().any(|tool| tool.name == "skill"), "{tools:?}");
    contents(&client, "skill://review/SKILL.md")
        .await
        .unwrap_err();
    assert!(client.list_all_resources().await.unwrap().is_empty());
}

#[timed_test::test]
async fn a_document_that_an_edit_hides_from_models_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let text = "---\nname: plan\ndescription: D.\n---\nText.\n";
    write(folder.path(), "plan/SKILL.md", text);
    let dialect = Dialect::AGENT_SKILLS_LENIENT;
    let catalog = Catalog::builder(dialect).source(Source::project(folder.path()));
    let toolbox = Toolbox::builder().catalog(catalog.load());
    let client = connected(toolbox.build().await.unwrap(), (), Era::Stateless).await;
    contents(&client, "skill://plan/SKILL.md").await.unwrap();
    let hidden = text.replace("D.", "D.\ndisable-model-invocation: true");
    write(folder.path(), "plan/SKILL.md", hidden);
    contents(&client, "skill://plan/SKILL.md")
        .await
        .unwrap_err();
    let plan = GetSkillRequestParams::new("skill://plan/SKILL.md");
    client.get_skill(plan).await.unwrap_err();
}

#[timed_test::test]
async fn errors_have_no_path_of_this_machine() {
    let folder = folder();
    let (_server, toolbox) = office(folder.path()).await;
    let client = connected(toolbox, (), Era::Stateless).await;
    let path = folder.path().to_str().unwrap();
    for change in [false, true] {
        if change {
            write(folder.path(), "review/SKILL.md", [0xff; 16]);
        } else {
            fs::remove_file(folder.path().join("review/SKILL.md")).unwrap();
        }
        let read = contents(&client, "skill://review/SKILL.md")
            .await
            .unwrap_err();
        let prompted = client
            .get_prompt(prompt("review", json!({})))
            .await
            .unwrap_err();
        for (error, what) in [(read, "skill://review/SKILL.md"), (prompted, "review")] {
            assert!(!format!("{error:?}").contains(path), "{error:?}");
            let what = format!("`{what}` cannot be read: ");
            assert!(error.to_string().contains(&what), "{error}");
        }
    }
}

#[timed_test::test]
async fn a_document_to_choose_by_hand_is_not_listed() {
    let folder = folder();
    let catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(folder.path()))
        .exposure("review", Exposure::Manual);
    let toolbox = Toolbox::builder().catalog(catalog.load());
    let client = connected(toolbox.build().await.unwrap(), (), Era::Stateless).await;
    assert!(client.list_all_resources().await.unwrap().is_empty());
    assert!(client.list_all_skills().await.unwrap().is_empty());
    contents(&client, "skill://review/SKILL.md").await.unwrap();
    // the toolbox lacks the tool that the other document calls
    let prompts = client.list_all_prompts().await.unwrap();
    assert_eq!(prompts.len(), 1, "{prompts:?}");
}

#[timed_test::test]
async fn an_apostrophe_in_an_argument_is_no_quote() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "---\nname: fix\ndescription: D.\nargument-hint: what\n---\nFix $ARGUMENTS, first $0.\n";
    write(folder.path(), "fix/SKILL.md", text);
    let dialect = Dialect::AGENT_SKILLS_LENIENT;
    let catalog = Catalog::builder(dialect).source(Source::project(folder.path()));
    let toolbox = Toolbox::builder().catalog(catalog.load());
    let client = connected(toolbox.build().await.unwrap(), (), Era::Stateless).await;
    let fix = prompt("fix", json!({ "arguments": "don't skip \"tests\"" }));
    let fix = client.get_prompt(fix).await.unwrap();
    assert_eq!(only_text(&fix), "Fix don't skip \"tests\", first don't.");
}

struct Told(mpsc::UnboundedSender<&'static str>);

impl ClientHandler for Told {
    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.send("prompts").unwrap();
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.send("resources").unwrap();
    }
}

#[timed_test::test]
async fn a_new_document_is_told() {
    let folder = folder();
    let (_server, toolbox) = office(folder.path()).await;
    let (told, mut heard) = mpsc::unbounded_channel();
    let client = connected(toolbox.clone(), Told(told), Era::Initialize).await;
    assert_eq!(client.list_all_skills().await.unwrap().len(), 1);
    write(
        folder.path(),
        "plan/SKILL.md",
        "---\nname: plan\ndescription: Plan.\n---\nPlan it.\n",
    );
    toolbox.set_catalog(catalog(folder.path()));
    tokio::time::pause();
    assert_eq!(heard.recv().await, Some("prompts"));
    assert_eq!(heard.recv().await, Some("resources"));
    tokio::time::resume();
    assert_eq!(client.list_all_skills().await.unwrap().len(), 2);
    let plan = contents_of(&client, "skill://plan/SKILL.md").await;
    assert!(plan.ends_with("Plan it.\n"), "{plan}");
}

async fn contents_of<H: ClientHandler>(client: &Client<H>, uri: &str) -> String {
    let read = client
        .read_resource(ReadResourceRequestParams::new(uri))
        .await
        .unwrap();
    match &read.contents[0] {
        ResourceContents::TextResourceContents { text, .. } => text.clone(),
        other => panic!("{other:?}"),
    }
}

#[timed_test::test]
async fn a_long_list_comes_in_pages() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..120 {
        let text = format!("---\nname: d{number}\ndescription: D.\n---\nText.\n");
        write(folder.path(), &format!("d{number}/SKILL.md"), text);
    }
    let (_server, toolbox) = office(folder.path()).await;
    let client = connected(toolbox, (), Era::Stateless).await;
    let first = client.list_skills(None).await.unwrap();
    assert_eq!(
        (first.skills.len(), first.next_cursor.as_deref()),
        (50, Some("50"))
    );
    assert_eq!(client.list_all_skills().await.unwrap().len(), 120);
    assert_eq!(client.list_all_resources().await.unwrap().len(), 120);
    let wrong = rmcp::model::PaginatedRequestParams::default().with_cursor(Some("x".to_owned()));
    let error = client.list_resources(Some(wrong)).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`x` is not a cursor of this list"),
        "{error}"
    );
}
