//! Conditions of actions: what an MCP client gets.

use crate::cart_agent::{Put, shop};
use crate::support::*;
use serde_json::json;
use skill_agent::toolbox::Toolbox;

#[timed_test::test]
async fn a_client_reads_why_a_call_is_refused_and_the_list_stays() {
    let server = shop().await;
    for era in ERAS {
        let client = connected(Toolbox::of(&server), (), era).await;
        let tools = client.list_all_tools().await.unwrap();
        let checkout = || client.call_tool(params("checkout", json!({})));
        let refused = checkout().await.unwrap();
        assert_eq!(refused.is_error, Some(true));
        assert_eq!(
            text(&refused),
            "`checkout` cannot be called now: the cart is empty"
        );
        let item = "tea".to_owned();
        server.call(Put { item }).await.unwrap();
        assert_eq!(client.list_all_tools().await.unwrap(), tools);
        let asks = checkout().await.unwrap();
        assert!(
            text(&asks).starts_with("`checkout` was denied"),
            "{}",
            text(&asks)
        );
        let empty = json!({ "cart": { "items": [] } });
        server.set(empty).await.unwrap();
    }
}
