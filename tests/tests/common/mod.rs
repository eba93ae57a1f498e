//! What several tests share: an agent to give commands to, actions with every kind of argument, and JSON that is nearly right.
#![allow(dead_code)] // every test uses a part of it

pub mod account_agent;
pub mod aliased_calculators;
pub mod argument_cases;
pub mod argument_kinds;
pub mod deep_json;
pub mod json_mutation;
pub mod mounted_fixtures;
pub mod mounted_model;
pub mod mounting_agent;
pub mod oracle;
pub mod refused_calls;
pub mod sample_agents;
pub mod schema_validator;
pub mod serde_shapes;
pub mod weather_agent;
