//! The contract files of the example agents.

use crate::programs::{math_agent, served_agent, server_load};
use skill_agent::testing::assert_contract;
use skill_examples::mountable::Assistant;
use skill_examples::worked::{enable_disable, handle_signal, mounting, own_tools, schemas};

#[test]
fn the_programs_keep_their_contracts() {
    assert_contract::<math_agent::MathAgent>("contracts/math_agent.json");
    assert_contract::<served_agent::Desk>("contracts/served_agent.json");
    assert_contract::<server_load::Clerk>("contracts/server_load.json");
    assert_contract::<skill_examples::Workbench>("contracts/tool_calls.json");
    assert_contract::<Assistant>("contracts/mounted_skills.json");
}

#[test]
fn the_worked_examples_keep_their_contracts() {
    assert_contract::<enable_disable::Operator>("contracts/enable_disable.json");
    assert_contract::<handle_signal::MathAgent>("contracts/handle_signal.json");
    assert_contract::<mounting::CalculatorAgent>("contracts/mounting_calculator.json");
    assert_contract::<mounting::Researcher>("contracts/mounting_researcher.json");
    assert_contract::<own_tools::Calculator>("contracts/own_tools.json");
    assert_contract::<schemas::MathAgent>("contracts/schemas.json");
}
