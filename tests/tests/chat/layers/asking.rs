//! Layers that ask for another answer.

use super::*;
use skill_agent::chat::{Limits, Stop, Usage};
use std::time::Duration;

/// Asks again until the answer has a word.
fn until(word: &'static str) -> impl ChatLayer {
    requests(move |mut request, next| {
        Box::pin(async move {
            loop {
                let completion = whole(request.clone(), next).await?;
                if completion.message.text().contains(word) {
                    return Ok(completion.into_stream());
                }
                let messages = Arc::make_mut(&mut request.messages);
                messages.extend([completion.message, format!("Say {word}.").into()]);
            }
        })
    })
}

#[timed_test::test]
async fn a_layer_may_ask_for_another_answer() {
    for streams in [true, false] {
        let server = server().await;
        let model = said(Scripted::new(), "No.", streams).usage(Usage::new(5, 1));
        let model = said(model, "Yes.", streams).usage(Usage::new(9, 1));
        let mut chat = layered(&model, &server, until("Yes")).build().unwrap();
        let turn = chat.send("Well?").await.unwrap();
        assert_eq!((turn.text(), turn.steps), ("Yes.", 2));
        assert_eq!(turn.usage, Usage::new(14, 2));
        assert_eq!(sent(&model)[1], ["Well?", "No.", "Say Yes."]);
        let history: Vec<_> = chat
            .history()
            .iter()
            .map(|message| message.text())
            .collect();
        assert_eq!(history, ["Well?", "Yes."]);
        // the program sees only the answer that the layer passes on
        let model = said(said(Scripted::new(), "No.", streams), "Yes.", streams);
        let mut chat = layered(&model, &server, until("Yes")).build().unwrap();
        assert_eq!(shown(&mut chat, "Well?").await, "Yes.");
    }
}

#[timed_test::test]
async fn a_layer_that_asks_for_ever_ends_at_the_step_limit() {
    let server = server().await;
    for steps in [1, 2, 5] {
        let model = (0..20).fold(Scripted::new(), |model, _| model.text("No."));
        let chat = layered(&model, &server, until("Yes")).limits(Limits::default().steps(steps));
        let mut chat = chat.build().unwrap();
        let turn = chat.send("Well?").await.unwrap();
        assert_eq!((turn.stop, turn.steps), (Stop::Steps, steps));
        assert_eq!(model.requests().len(), steps);
        assert!(turn.returned.is_some() && chat.history().is_empty());
        assert_eq!(
            turn.note.as_deref(),
            Some("a layer has sent its request again and again")
        );
    }
}

#[timed_test::test]
async fn a_layer_that_asks_for_ever_ends_at_the_token_limit() {
    let server = server().await;
    let no = |model: Scripted, _| model.text("No.").usage(Usage::new(40, 10));
    let model = (0..20).fold(Scripted::new(), no);
    let chat = layered(&model, &server, until("Yes")).limits(Limits::default().tokens(120));
    let turn = chat.build().unwrap().send("Well?").await.unwrap();
    assert_eq!((turn.stop, turn.usage.total()), (Stop::Tokens, 150));
}

/// The layer reads no stream, and ignores all errors.
#[timed_test::test]
async fn a_layer_that_never_waits_ends_too() {
    let server = server().await;
    let layer = requests(|request, next| {
        Box::pin(async move {
            loop {
                drop(next.send(request.clone()).await);
            }
        })
    });
    let model = Scripted::new().text("Hello.");
    let chat = layered(&model, &server, layer).limits(Limits::default().steps(7));
    let turn = chat.build().unwrap().send("Well?").await.unwrap();
    assert_eq!(turn.stop, Stop::Steps);
    assert!(model.requests().is_empty()); // a request is sent when its stream is read
}

#[timed_test::test]
async fn a_layer_that_waits_for_ever_ends_at_the_time_limit() {
    tokio::time::pause();
    let server = server().await;
    let layer = requests(|_, _| Box::pin(std::future::pending()));
    let limits = Limits::default().time(Duration::from_secs(9));
    let chat = layered(&Scripted::new(), &server, layer).limits(limits);
    let turn = chat.build().unwrap().send("Well?").await.unwrap();
    assert_eq!(turn.stop, Stop::Time);
}

/// Two requests at once. The first answer counts.
#[timed_test::test]
async fn tokens_of_all_requests_count() {
    let server = server().await;
    let model = Scripted::new().text("One.").usage(Usage::new(3, 1));
    let model = model.text("Two.").usage(Usage::new(4, 1));
    let layer = requests(|request, next| {
        Box::pin(async move {
            let (one, two) = tokio::join!(whole(request.clone(), next), whole(request, next));
            let (one, two) = (one?, two?);
            assert_eq!(two.message.text(), "Two.");
            Ok(one.into_stream())
        })
    });
    let turn = layered(&model, &server, layer)
        .build()
        .unwrap()
        .send("Well?")
        .await;
    let turn = turn.unwrap();
    assert_eq!((turn.text(), turn.usage), ("One.", Usage::new(7, 2)));
}

#[timed_test::test]
async fn tokens_of_a_stream_that_a_layer_drops_count() {
    let server = server().await;
    let model = Scripted::new()
        .text("One.")
        .usage(Usage::new(3, 1))
        .text("Two.");
    let layer = requests(|request, next| {
        Box::pin(async move {
            let mut stream = next.send(request.clone()).await?;
            std::future::poll_fn(|cx| stream.as_mut().poll_next(cx)).await;
            drop(stream);
            next.send(request).await
        })
    });
    let turn = layered(&model, &server, layer)
        .build()
        .unwrap()
        .send("Well?")
        .await;
    let turn = turn.unwrap();
    assert_eq!((turn.text(), turn.usage), ("Two.", Usage::new(3, 1)));
}
