//! Chains whose models fail at random: which model is asked, what is shown, and what is kept.

use super::*;
use skill_agent::chat::{
    BoxStream, ChatRequest, Event, Fallback, ModelEvent, Retries, Stop, TextPart,
};
use skill_agent::models::Finish;
use std::sync::{Arc, Mutex};
use tokio::time::{Instant, advance};

/// A model that answers or fails at random, and fails the test if it is asked before its delay is over.
#[derive(Clone)]
struct Moody {
    number: usize,
    state: Arc<Mutex<(Random, Option<Instant>)>>,
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

impl Moody {
    fn new(number: usize, seed: u64) -> Self {
        let state = Arc::new(Mutex::new((Random(seed), None)));
        Self { number, state }
    }
}

impl ChatModel for Moody {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let (random, rests_until) = &mut *self.state.lock().unwrap();
        let now = Instant::now();
        let is_early = rests_until.is_some_and(|until| until > now);
        assert!(!is_early, "model {} is asked too early", self.number);
        let piece = || ModelEvent::Text(format!("{} says", self.number));
        let mood = random.below(9);
        let delay = random.below(50);
        if matches!(mood, 0 | 1) {
            *rests_until = Some(now + Duration::from_secs(delay));
        }
        let model = Scripted::new();
        let model = match mood {
            0 => model.error(status(429, Some(delay))),
            1 => model.error(exhausted(Some(delay))),
            2 => model.error(status(500, None)),
            3 => model.events([]).then_stall(),
            4 => model.events([piece()]).then_error(CUT_OFF),
            5 => model.events([piece()]).then_stall(),
            6 => model.error(exhausted(None)),
            _ => {
                let text = format!("{} says hello.", self.number);
                model.events([
                    piece(),
                    ModelEvent::Text(" hello.".into()),
                    ModelEvent::Part(TextPart::new(text).into()),
                    ModelEvent::Finish(Finish::Answered),
                ])
            }
        };
        model.stream(request)
    }
}

#[timed_test::test]
async fn a_turn_shows_what_is_kept_and_asks_no_model_too_early() {
    tokio::time::pause();
    let server = server().await;
    let (mut answered, mut failed) = (0, 0);
    for seed in 1..200 {
        let model = |number: usize| Moody::new(number, seed * 77 + number as u64);
        let models = Fallback::new(model(0)).then(model(1)).then(model(2));
        let models = models.stall(Duration::from_secs(20));
        let retries = Retries::default().attempts(4);
        let mut chat = builder_of(models, &server)
            .retries(retries)
            .build()
            .unwrap();
        for turn in 0..4 {
            let kept = chat.history().len();
            let (mut text, mut last) = (String::new(), None);
            let mut events = chat.stream("Hi.");
            let ended = loop {
                match events.next().await.unwrap() {
                    Ok(Event::Text(piece)) => text += &piece,
                    Ok(Event::Retry(retry)) => {
                        assert_eq!(retry.discard, !text.is_empty());
                        text.clear();
                    }
                    Ok(Event::Switched(switched)) => {
                        assert!(text.is_empty(), "a switch after visible text");
                        last = Some(switched.model);
                    }
                    Ok(Event::Done(turn)) => break Ok(turn),
                    Ok(_) => {}
                    Err(error) => break Err(error),
                }
            };
            drop(events);
            match ended {
                Ok(turn) => {
                    answered += 1;
                    assert_eq!((turn.stop, turn.text()), (Stop::Answered, &*text));
                    assert_eq!(chat.history().len(), kept + 2);
                    assert_eq!(chat.history()[kept + 1].text(), text);
                    let by: usize = text[..1].parse().unwrap();
                    assert!(
                        last.is_none_or(|last| last == by || by == 0),
                        "{last:?} {by}"
                    );
                }
                Err(error) => {
                    failed += 1;
                    // the assertion of the model
                    assert_ne!(error.to_string(), "the model panicked");
                    assert_eq!(chat.history().len(), kept);
                }
            }
            advance(Duration::from_secs(turn * 13)).await;
        }
    }
    assert!(answered > 100 && failed > 20, "{answered} and {failed}");
}
