//! The text of a contract file.

use crate::common::aliased_calculators as aliased;
use crate::common::sample_agents::Notes;
use skill_agent::contract::Contract;
use skill_agent::prelude::*;

agent! {
    /// Takes notes.
    pub struct Diary {
        name: "diary",
        version: "0.4.0",
        state: { owner: String },
        skills: [Notes, aliased::Calculator as left],
        mounted: [aliased::Calculator],
    }
}

#[test]
fn a_contract_file_is_read_back() {
    let contract = Contract::of::<Diary>();
    assert_eq!(Contract::parse(&contract.to_text()), Ok(contract));
}
