// An async action queues an action of another skill.
use skill_agent::prelude::*;
use fixture_chat::Say;

fixture_ui::weather!(actions(Forecast));

/// Tell somebody.
#[action]
async fn forecast(_: &Weather, cx: &mut Context<Weather>) {
    std::future::ready(()).await;
    cx.then(Say { line: "rain".to_owned() });
}

fn main() {}
