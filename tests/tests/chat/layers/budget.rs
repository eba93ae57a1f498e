//! Budgets of tokens and money.

use super::*;
use serde_json::json;
use skill_agent::chat::{Budget, Fallback, ModelError, Prices, Retries, Stop, Usage};
use skill_agent::toolbox::Toolbox;

const PRICES: Prices = Prices {
    input: 1.0,
    cached: 0.1,
    cache_writes: 1.25,
    output: 10.0,
};

#[timed_test::test]
async fn a_turn_ends_when_the_budget_is_spent() {
    for streams in [true, false] {
        let server = server().await;
        let call = || [("list_notes", json!({}))];
        let model = Scripted::new().calls(call()).usage(Usage::new(50, 5));
        let model = model.calls(call()).usage(Usage::new(60, 5));
        let model = said(model, "Done.", streams);
        let budget = Budget::tokens(100);
        let mut chat = layered(&model, &server, budget.clone()).build().unwrap();
        let turn = chat.send("Go.").await.unwrap();
        assert_eq!((turn.stop, turn.steps), (Stop::Budget, 2));
        assert_eq!(turn.note.as_deref(), Some("120 of 100 tokens are used"));
        assert_eq!(budget.used(), Usage::new(110, 10));
        assert_eq!((chat.history().len(), model.requests().len()), (5, 2));
        // the next turn does not begin
        let turn = chat.send("Again.").await.unwrap();
        assert_eq!((turn.stop, turn.steps), (Stop::Budget, 0));
        assert_eq!(turn.returned.unwrap().text(), "Again.");
        // with another budget, the turn goes on
        let chat = layered(&model, &server, Budget::tokens(100)).history(stored(chat.history()));
        assert_eq!(
            chat.build().unwrap().resume().await.unwrap().text(),
            "Done."
        );
    }
}

#[timed_test::test]
async fn money_is_counted_by_the_prices_of_the_program() {
    let server = server().await;
    let usage = || Usage::new(100_000, 20_000); // 0.1 + 0.2
    let model = (0..3).fold(Scripted::new(), |model, _| {
        model.text("Hello.").usage(usage())
    });
    let budget = Budget::money(0.5, PRICES);
    let mut chat = layered(&model, &server, budget).build().unwrap();
    for _ in 0..2 {
        assert_eq!(chat.send("Hi.").await.unwrap().stop, Stop::Answered);
    }
    let turn = chat.send("Hi.").await.unwrap();
    assert_eq!(turn.stop, Stop::Budget);
    assert_eq!(turn.note.as_deref(), Some("0.6000 of 0.5 is spent"));
}

#[timed_test::test]
async fn chats_share_a_budget_which_goes_on_after_a_restart() {
    let server = server().await;
    let model = (0..3).fold(Scripted::new(), |model, _| {
        model.text("Hi.").usage(Usage::new(9, 1))
    });
    let budget = Budget::tokens(20);
    for _ in 0..2 {
        let mut chat = layered(&model, &server, budget.clone()).build().unwrap();
        assert_eq!(chat.send("Hi.").await.unwrap().stop, Stop::Answered);
    }
    let kept = serde_json::to_string(&budget.used()).unwrap();
    let budget = Budget::tokens(20).with_used(serde_json::from_str(&kept).unwrap());
    let mut chat = layered(&model, &server, budget).build().unwrap();
    assert_eq!(chat.send("Hi.").await.unwrap().stop, Stop::Budget);
}

#[timed_test::test]
async fn tokens_that_a_provider_does_not_count_are_estimated() {
    for streams in [true, false] {
        let server = server().await;
        let model = said(Scripted::new(), &"b".repeat(80), streams);
        let budget = Budget::tokens(1000);
        let mut chat = layered(&model, &server, budget.clone()).build().unwrap();
        chat.send("a".repeat(40)).await.unwrap();
        assert_eq!(budget.used(), Usage::new(10, 20));
    }
}

#[timed_test::test]
async fn failed_attempts_and_models_count() {
    tokio::time::pause();
    let server = server().await;
    let failed = || ModelError::Transport("reset".into());
    let first = Scripted::new().error(failed()).usage(Usage::new(1, 0));
    let first = first.error(failed()).usage(Usage::new(4, 0));
    let second = Scripted::new().error(failed()).usage(Usage::new(2, 0));
    let second = second.text("Hello.").usage(Usage::new(8, 0));
    let budget = Budget::tokens(1000);
    let chat = Chat::builder(Fallback::new(first).then(second), Toolbox::of(&server));
    let mut chat = chat.layer(budget.clone()).build().unwrap();
    let turn = chat.send("Hi.").await.unwrap();
    assert_eq!(
        (budget.used(), turn.usage),
        (Usage::new(15, 0), Usage::new(15, 0))
    );

    let model = Scripted::new().error(failed()).usage(Usage::new(16, 0));
    let chat = layered(&model, &server, budget.clone()).retries(Retries::none());
    chat.build().unwrap().send("Hi.").await.unwrap_err();
    assert_eq!(budget.used().total(), 31);
}

#[timed_test::test]
async fn a_cancelled_request_counts() {
    let server = server().await;
    let model = Scripted::new()
        .events([ModelEvent::Text("Hel".into())])
        .usage(Usage::new(3, 1));
    let budget = Budget::tokens(1000);
    let mut chat = layered(&model.then_stall(), &server, budget.clone())
        .build()
        .unwrap();
    let canceller = chat.canceller();
    let mut turn = chat.stream("Hi.");
    turn.next().await.unwrap().unwrap();
    canceller.cancel();
    let turn = turn.finish().await.unwrap();
    assert_eq!(
        (turn.usage, budget.used()),
        (Usage::new(3, 1), Usage::new(3, 1))
    );
}

/// The order that the documentation asks for.
#[timed_test::test]
async fn a_budget_behind_a_layer_that_asks_again_sees_its_requests() {
    let server = server().await;
    let no = |model: Scripted, _| model.text("No.").usage(Usage::new(9, 1));
    let model = (0..20).fold(Scripted::new(), no);
    let again = requests(|request, next| {
        Box::pin(async move {
            loop {
                whole(request.clone(), next).await?;
            }
        })
    });
    let budget = Budget::tokens(50);
    let chat = builder(&model, &server).layer(again).layer(budget);
    let turn = chat.build().unwrap().send("Hi.").await.unwrap();
    assert_eq!((turn.stop, model.requests().len()), (Stop::Budget, 5));
}

#[timed_test::test]
async fn a_budget_that_allows_nothing_is_a_mistake() {
    let server = server().await;
    let error = |budget: Budget| {
        let built = layered(&Scripted::new(), &server, budget).build();
        built.unwrap_err().to_string()
    };
    assert_eq!(
        error(Budget::tokens(0)),
        "`Budget::tokens(0)` allows no request; write the number of tokens that the turns may use"
    );
    for amount in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = error(Budget::money(amount, PRICES));
        assert!(
            found.contains("allows no request; write the amount"),
            "{found}"
        );
    }
}

#[timed_test::test]
async fn a_typed_answer_says_that_the_budget_is_spent() {
    let server = server().await;
    let budget = Budget::tokens(5).with_used(Usage::new(5, 0));
    let mut chat = layered(&Scripted::new(), &server, budget).build().unwrap();
    assert_eq!(
        chat.ask::<u8>("How many?").await.unwrap_err().to_string(),
        "the turn ended without an answer: its budget is spent: 5 of 5 tokens are used"
    );
}
