//! A user of a framework needs no dependency except the framework.

use hygiene_path::Down;
use hygiene_path::my::path::Agent;
use hygiene_path_user::{Light, Pad};

#[test]
fn an_agent_of_a_user_of_a_framework_works() {
    let mut pad = Pad::new();
    assert!(pad.cmd(Light {}).unwrap().output);
    assert_eq!(pad.cmd(Down { by: 2 }).unwrap().output, 8);
    assert_eq!(pad.call_json("down", "{}").unwrap().output, "7");
    assert_eq!(Pad::tools().len(), 3);
}
