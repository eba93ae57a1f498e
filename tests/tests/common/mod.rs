//! Fixtures that several test binaries share: agents, skills, arguments, JSON generators and a schema validator.
#![allow(dead_code)] // each binary uses a part of them

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
pub mod schema_drawer;
pub mod schema_validator;
pub mod serde_shapes;
pub mod weather_agent;
