//! Previews: what an action would do, without doing it.

use super::*;

use skill_agent::server::{Preview, PreviewError};
use std::sync::Mutex;

#[timed_test::test]
async fn a_preview_shows_what_the_action_then_does_and_does_nothing() {
    let store = Memory::default();
    let server = bank(Some(store.clone())).start().await.unwrap();
    server.call(Pay { cents: 1 }).await.unwrap();
    let stats = server.stats();
    let previews = [
        server.preview(Pay { cents: 2 }).await.unwrap(),
        server.preview_json("pay", r#"{"cents":2}"#).await.unwrap(),
    ];
    for preview in previews {
        assert_eq!(preview.output, json!(2));
        let patch = json!([{ "op": "add", "path": "/paid/1", "value": 2 }]);
        assert_eq!(preview.changes.len(), 1);
        assert_eq!(preview.changes["accounts"], patch);
        assert_eq!(preview.directives, []);
    }
    let savings = server.preview_json("savings_close", "{}").await.unwrap();
    assert!(savings.changes.is_empty());
    let (action, arguments) = ("pay".to_owned(), json!({ "cents": 3 }));
    let queued = server.preview(Queue { action, arguments }).await.unwrap();
    assert_eq!(queued.directives.len(), 1);
    assert!(matches!(queued.directives[0], Directive::Run(_)));
    assert_eq!(paid(&server).await, [1]);
    assert_eq!(server.stats().records, stats.records);
    server.kill();
    server.closed().await;
}

#[timed_test::test]
async fn a_preview_has_each_of_several_equal_changes() {
    let server = bank(None).start().await.unwrap();
    for cents in [1, 2, 2] {
        server.call(Pay { cents }).await.unwrap();
    }
    let preview = server.preview(Close { quietly: true }).await.unwrap();
    let removed = json!({ "op": "remove", "path": "/paid/0" });
    assert_eq!(
        preview.changes["accounts"],
        json!([removed, removed, removed])
    );
    assert_eq!(paid(&server).await, [1, 2, 2]);
}

#[timed_test::test]
async fn an_action_that_is_async_or_fails_has_no_preview() {
    let server = bank(None).start().await.unwrap();
    let error = server.preview(Wire { cents: 1 }).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`wire` is async and has no preview: what it does is known when it has run"
    );
    let error = server
        .preview_json("pay", r#"{"cent":1}"#)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("`cent`"), "{error}");
    let error = server.preview_json("payy", "{}").await.unwrap_err();
    assert!(error.to_string().contains("did you mean `pay`"), "{error}");
    assert!(matches!(
        server.preview(Wire { cents: 1 }).await,
        Err(ServeError::Action(PreviewError::Async { .. }))
    ));
    assert_eq!(paid(&server).await, [0; 0]);
}

#[timed_test::test]
async fn an_approver_sees_a_preview() {
    type Seen = Arc<Mutex<Vec<Result<Preview, String>>>>;
    let seen = Seen::default();
    let noted = seen.clone();
    let approver = move |request: ApprovalRequest| {
        noted.lock().unwrap().push(request.preview);
        std::future::ready(true)
    };
    let builder = bank(None).approver(approver).ask_when::<Pay>(|_| true);
    let server = builder.ask_when::<Wire>(|_| true).start().await.unwrap();
    server.call(Pay { cents: 1 }).await.unwrap();
    server.call_json("pay", "{}").await.unwrap();
    let signal = Signal::new("accounts.pay", json!({ "cents": 3 }));
    server.request(signal).await.unwrap();
    let (action, arguments) = ("pay".to_owned(), json!({ "cents": 4 }));
    server.call(Queue { action, arguments }).await.unwrap();
    while paid(&server).await.len() < 4 {
        tokio::task::yield_now().await;
    }
    let _ = server.call(Wire { cents: 5 }).await;
    let seen = seen.lock().unwrap();
    let outputs = seen.iter().map(|preview| match preview {
        Ok(preview) => preview.changes["accounts"][0]["value"].to_string(),
        Err(reason) => reason.clone(),
    });
    let wire = "`wire` is async and has no preview: what it does is known when it has run";
    let outputs: Vec<_> = outputs.collect();
    assert_eq!(outputs, ["1", "50000", "3", "4", wire]);
}

#[timed_test::test]
async fn a_preview_does_not_show_secrets() {
    let server = bank(None).start().await.unwrap();
    let set = |pin| {
        let bank = "a".to_owned();
        SetPin { bank, pin }
    };
    for pin in [4711, 4712] {
        let preview = server.preview(set(pin)).await.unwrap();
        let patch = json!([{ "op": "replace", "path": "/pins", "value": "<secret>" }]);
        assert_eq!(preview.changes["accounts"], patch, "{pin}");
        server.call(set(pin)).await.unwrap();
    }
}
