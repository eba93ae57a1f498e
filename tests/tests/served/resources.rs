//! Resources that are held in an `Arc`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::ptr::from_ref;
use std::sync::Arc;

/// Rings by a service.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "phone", actions(Borrow, Share, Greet))]
pub struct Phone {}

/// The client of the service.
pub struct Line {
    number: u32,
}

/// Speaks.
pub trait Voice: Send + Sync {
    fn greeting(&self) -> String;
}

impl Voice for Line {
    fn greeting(&self) -> String {
        format!("this is {}", self.number)
    }
}

/// Return the number, the address and the owners of a line that is borrowed.
#[action]
pub async fn borrow(_: &Phone, line: &Line) -> (u32, usize) {
    (line.number, from_ref(line).addr())
}

/// Return the number, the address and the owners of a line, with a share for a task.
#[action]
pub async fn share(_: &Phone, line: &Arc<Line>) -> (u32, usize, usize) {
    let for_a_task = Arc::clone(line);
    let owners = Arc::strong_count(line);
    (for_a_task.number, Arc::as_ptr(line).addr(), owners)
}

/// Greet by a voice and by a share of it.
#[action]
pub async fn greet(_: &Phone, voice: &dyn Voice, shared: &Arc<dyn Voice>) -> [String; 2] {
    [voice.greeting(), shared.greeting()]
}

agent! {
    pub struct Operator {
        name: "operator",
        skills: [Phone],
    }
}

#[derive(Resources)]
struct Office {
    line: Arc<Line>,
    voice: Arc<dyn Voice>,
}

#[timed_test::test]
async fn an_action_takes_a_resource_in_an_arc_as_a_reference_to_it_or_to_the_arc() {
    let line = Arc::new(Line { number: 7 });
    let office = Office {
        line: line.clone(),
        voice: Arc::new(Line { number: 8 }),
    };
    let server = AgentServer::builder(Operator::new()).resources(office);
    let server = server.share::<Arc<Line>>().start().await.unwrap();
    let address = Arc::as_ptr(&line).addr();
    assert_eq!(server.call(Borrow {}).await.unwrap(), (7, address));
    // the test, the office, the children and the action itself
    assert_eq!(server.call(Share {}).await.unwrap(), (7, address, 4));
    assert_eq!(Arc::strong_count(&line), 3, "a call keeps nothing");
    let greetings = server.call(Greet {}).await.unwrap();
    assert_eq!(greetings, ["this is 8", "this is 8"]);
}
