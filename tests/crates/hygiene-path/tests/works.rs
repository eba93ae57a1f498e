//! Skills and agents work with `skill-core` at another path.

use hygiene_path::my::path::Agent;
use hygiene_path::{Down, Rocket};

#[test]
fn an_agent_with_another_path_works() {
    let mut rocket = Rocket::new();
    assert_eq!(rocket.cmd(Down { by: 1 }).unwrap().output, 2);
    assert_eq!(rocket.reserve().cmd(Down { by: 1 }).unwrap().output, 9);
    assert_eq!(rocket.cmd(Down { by: 3 }).unwrap_err(), "countdown is over");
    assert_eq!(
        rocket
            .call_json("reserve_look", r#"{"loud":true}"#)
            .unwrap()
            .output,
        "9"
    );
    assert!(!rocket.state().gone);
}
