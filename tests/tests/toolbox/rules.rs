//! The rules of agents for what is added: hints that they forbid, and the data flow.

use crate::folder::catalog;
use crate::script::{Script, destructive, tool};
use crate::support::names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::prelude::*;
use skill_agent::toolbox::{SourceTool, Toolbox, ToolboxError, ToolboxProblem};

/// Mail of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mail", actions(Inbox))]
pub struct Mail {}

/// The mail of the user.
#[action(read_only, reads_sensitive)]
pub fn inbox(_: &Mail) -> Vec<String> {
    Vec::new()
}

/// Posts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "posts", actions(Post, Forget))]
pub struct Posts {}

/// Post a text for everybody.
#[action(sends_out)]
pub fn post(_: &mut Posts, text: String) {
    drop(text);
}

/// Forget what was posted.
#[action(destructive)]
pub fn forget(_: &mut Posts) {}

agent! {
    pub struct Reader {
        name: "reader",
        skills: [Mail],
        forbid: [destructive],
    }
}
agent! {
    pub struct Writer {
        name: "writer",
        skills: [Posts],
    }
}
agent! {
    pub struct Quiet {
        name: "quiet",
        skills: [],
        mounted: [Posts],
    }
}
agent! {
    pub struct Allowed {
        name: "allowed",
        skills: [Mail, Posts, Web],
        allow_data_flow: "a person reads each post",
    }
}

/// The web.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "web", actions(Browse))]
pub struct Web {}

/// Read a page.
#[action(read_only, reads_untrusted)]
pub fn browse(_: &Web) -> String {
    String::new()
}

pub async fn reader() -> AgentServer<Reader> {
    AgentServer::builder(Reader::new()).start().await.unwrap()
}

async fn writer() -> AgentServer<Writer> {
    AgentServer::builder(Writer::new()).start().await.unwrap()
}

pub fn text(error: ToolboxError) -> String {
    let [problem] = error.problems() else {
        panic!("{error}");
    };
    problem.to_string()
}

pub fn untrusted(name: &str) -> SourceTool {
    let mut tool = tool(name);
    tool.tool.hints = tool.tool.hints.reads_untrusted();
    tool
}

pub fn safe(name: &str) -> SourceTool {
    let mut tool = tool(name);
    tool.tool.hints = tool.tool.hints.read_only();
    tool
}

/// Reads data of the user, and no content of strangers.
fn own(name: &str) -> SourceTool {
    let mut tool = safe(name);
    tool.tool.hints = tool.tool.hints.reads_sensitive();
    tool
}

/// Reads sensitive data and sends it out.
pub fn mailbox() -> Script {
    let mut tool = tool("mailbox");
    tool.tool.hints = tool.tool.hints.reads_sensitive().sends_out();
    Script::with(vec![tool])
}

#[timed_test::test]
async fn what_an_agent_forbids_holds_for_all_other_sources() {
    let disk = Script::with(vec![
        safe("read"),
        destructive("delete"),
        destructive("format"),
    ]);
    let built = Toolbox::builder()
        .server(&reader().await)
        .source("disk", disk);
    assert_eq!(
        text(built.build().await.unwrap_err()),
        "the agent `reader` forbids actions of the source `disk`: `delete` (`destructive`), `format` (`destructive`); \
         remove the tool, or take `destructive` out of `forbid: [...]`"
    );
    let built = Toolbox::builder()
        .server(&writer().await)
        .server(&reader().await);
    let error = built.build().await.unwrap_err();
    assert!(
        matches!(error.problems(), [ToolboxProblem::Forbidden(found)] if found.actions[0].name == "forget")
    );
    assert!(text(error).contains("actions of the source `writer`: `forget`"));
}

#[timed_test::test]
async fn a_forbidden_tool_that_comes_later_is_withheld() {
    let disk = Script::with(vec![own("read")]);
    let server = AgentServer::builder(Quiet::new()).start().await.unwrap();
    let toolbox = Toolbox::builder()
        .server(&reader().await)
        .server(&server)
        .source("disk", disk.clone())
        .build()
        .await
        .unwrap();
    let session = toolbox.session(ForeignCaller::Model);
    disk.list_now(vec![own("read"), destructive("delete")]);
    server.mount("posts", json!({})).await.unwrap();
    let list = session.list().await;
    assert_eq!(names(&list), ["inbox", "post", "read"]);
    let reasons: Vec<_> = list
        .withheld
        .iter()
        .map(|withheld| (&*withheld.source, withheld.tool.as_deref().unwrap()))
        .collect();
    assert_eq!(reasons, [("quiet", "forget"), ("disk", "delete")]);
    assert!(
        list.withheld[1]
            .reason
            .starts_with("the agent `reader` forbids actions of the source `disk`: `delete`")
    );
    for tool in ["forget", "delete"] {
        let error = session.call(tool, r#"{"text":"a"}"#).await.unwrap_err();
        assert!(error.to_string().starts_with("there is no tool"), "{error}");
    }
    assert!(disk.calls().is_empty());
}

#[timed_test::test]
async fn the_data_flow_is_judged_over_all_sources_together() {
    let built = || async {
        let quiet = AgentServer::builder(Quiet::new()).start().await.unwrap();
        quiet.mount("posts", json!({})).await.unwrap();
        let reader = AgentServer::builder(Allowed::new()).start().await.unwrap();
        (quiet, reader)
    };
    let (_, allowed) = built().await;
    // an agent alone has judged itself
    let list = Toolbox::of(&allowed)
        .session(ForeignCaller::Model)
        .list()
        .await;
    assert_eq!((list.tools.len(), list.withheld.len()), (4, 0));
    Toolbox::builder().server(&allowed).build().await.unwrap();
    // with another source, its own reason does not count
    let with = || {
        Toolbox::builder()
            .server(&allowed)
            .source("disk", Script::with(vec![safe("read")]))
    };
    assert_eq!(
        text(with().build().await.unwrap_err()),
        "data can leak through the toolbox: `inbox` of the source `allowed` reads sensitive data, `browse` of the source `allowed` reads untrusted content, \
         and `post` of the source `allowed` sends data out; leave one of them out, or write `.allow_data_flow(\"reason\")`"
    );
    let toolbox = with()
        .allow_data_flow("a person reads each post")
        .build()
        .await
        .unwrap();
    assert_eq!(
        toolbox
            .session(ForeignCaller::Model)
            .list()
            .await
            .tools
            .len(),
        5
    );
    assert_eq!(
        text(with().allow_data_flow(" ").build().await.unwrap_err()),
        "`.allow_data_flow` needs a reason, for those who read the program"
    );
}

#[timed_test::test]
async fn an_undeclared_tool_and_a_discovered_document_count_as_untrusted_content() {
    let built = Toolbox::builder()
        .source("mail", mailbox())
        .source("disk", Script::of(&["read"]));
    assert_eq!(
        text(built.build().await.unwrap_err()),
        "data can leak through the toolbox: `mailbox` of the source `mail` reads sensitive data, `read` of the source `disk` reads untrusted content, \
         and `mailbox` of the source `mail` sends data out; leave one of them out, or write `.allow_data_flow(\"reason\")`"
    );
    // a hint that is not about data does not declare it
    let built = Toolbox::builder()
        .source("mail", mailbox())
        .source("disk", Script::with(vec![safe("read")]));
    assert!(text(built.build().await.unwrap_err()).contains("`read` of the source `disk`"));
    // declared, and no stranger wrote it
    let built = Toolbox::builder()
        .source("mail", mailbox())
        .source("disk", Script::with(vec![own("read")]));
    built.build().await.unwrap();

    let folder = tempfile::tempdir().unwrap();
    let own = catalog(folder.path()).load();
    Toolbox::builder()
        .source("mail", mailbox())
        .catalog(own)
        .build()
        .await
        .unwrap();
    let mut found = Catalog::builder(Dialect::AGENT_SKILLS)
        .source(Source::project(folder.path()).discovered())
        .load();
    // not trusted, and so not offered
    let toolbox = Toolbox::builder()
        .source("mail", mailbox())
        .catalog(found.clone())
        .build()
        .await
        .unwrap();
    let entry = found.listed().next().unwrap().clone();
    found.trust(&entry.id, entry.hash).unwrap();
    toolbox.set_catalog(found.clone());
    let list = toolbox.session(ForeignCaller::Model).list().await;
    assert_eq!(names(&list), ["mailbox"]);
    assert_eq!(list.withheld.len(), 2, "`skill` and `read_skill_file`");
    let built = Toolbox::builder()
        .source("mail", mailbox())
        .catalog(found)
        .build()
        .await;
    assert!(
        text(built.unwrap_err())
            .contains("`skill` of the source `catalog` reads untrusted content")
    );
}

#[timed_test::test]
async fn of_the_tools_that_complete_a_data_flow_the_newcomer_is_withheld() {
    let disk = Script::with(vec![safe("read")]);
    // the source comes first, and is the newcomer
    let toolbox = Toolbox::builder()
        .source("disk", disk.clone())
        .server(&writer().await)
        .source("mail", Script::with(vec![untrusted("inbox")]));
    let session = toolbox.build().await.unwrap().session(ForeignCaller::Model);
    let mut secrets = own("secrets");
    disk.list_now(vec![secrets.clone(), safe("read")]);
    let list = session.list().await;
    assert_eq!(names(&list), ["read", "post", "forget", "inbox"]);
    assert_eq!(list.withheld[0].tool.as_deref(), Some("secrets"));
    assert!(
        list.withheld[0]
            .reason
            .starts_with("data can leak through the toolbox: `secrets` of the source `disk`")
    );
    // nor does a tool become one by other hints
    secrets.tool.name = "read".to_owned();
    disk.list_now(vec![secrets]);
    let list = session.list().await;
    assert_eq!(names(&list), ["post", "forget", "inbox"]);
    assert_eq!(session.list().await, list, "it stays withheld");
}
