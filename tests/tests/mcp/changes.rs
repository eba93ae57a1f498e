//! Changes of the list of tools.

use crate::script::{Script, tool};
use crate::support::*;
use rmcp::ClientHandler;
use rmcp::model::{ServerNotification, SubscriptionFilter};
use rmcp::service::{NotificationContext, RoleClient};
use skill_agent::toolbox::Toolbox;
use tokio::sync::mpsc;

struct Listening(mpsc::UnboundedSender<()>);

impl ClientHandler for Listening {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.send(()).unwrap();
    }
}

#[timed_test::test]
async fn a_client_of_the_earlier_era_is_told_about_changes() {
    let script = Script::of(&["one"]);
    let toolbox = Toolbox::builder()
        .source("far", script.clone())
        .build()
        .await
        .unwrap();
    let (changed, mut changes) = mpsc::unbounded_channel();
    let client = connected(toolbox, Listening(changed), Era::Initialize).await;
    assert_eq!(client.list_all_tools().await.unwrap().len(), 1);
    tokio::time::pause();
    script.list_now(vec![tool("one"), tool("two")]);
    changes.recv().await.unwrap();
    assert_eq!(client.list_all_tools().await.unwrap().len(), 2);
}

#[timed_test::test]
async fn a_client_of_the_stateless_era_listens_to_changes() {
    let script = Script::of(&["one"]);
    let toolbox = Toolbox::builder()
        .source("far", script.clone())
        .build()
        .await
        .unwrap();
    let client = connected(toolbox, (), Era::Stateless).await;
    assert_eq!(client.list_all_tools().await.unwrap().len(), 1);
    let filter = SubscriptionFilter::builder()
        .tools_list_changed()
        .prompts_list_changed()
        .build();
    let mut changes = client.peer().listen(filter).await.unwrap();
    tokio::time::pause();
    script.list_now(vec![tool("one"), tool("two")]);
    let change = changes.next().await.unwrap().unwrap();
    assert!(matches!(
        change,
        ServerNotification::ToolListChangedNotification(_)
    ));
    // a tool may have brought a skill with instructions
    let change = changes.next().await.unwrap().unwrap();
    assert!(matches!(
        change,
        ServerNotification::PromptListChangedNotification(_)
    ));
    assert_eq!(client.list_all_tools().await.unwrap().len(), 2);
    changes.cancel().await.unwrap();
}
