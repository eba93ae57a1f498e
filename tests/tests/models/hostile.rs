//! Schemas that are hard to read.

use crate::common::schema_validator::SchemaValidator;
use crate::dialect_rules::mistakes;
use crate::hostile_schemas::hostile_schemas;
use crate::nullable::without_nullable;
use crate::projections::schema_in;
use skill_agent::ToolBuf;
use skill_agent::models::{Inexpressible, Provider};

#[test]
fn hostile_schemas_are_projected_or_an_error_with_its_path() {
    for (name, schema) in hostile_schemas() {
        for &provider in Provider::ALL {
            let tool = ToolBuf::new("act", "Act.", schema.clone());
            match provider.tool(&tool.as_tool()) {
                Ok(tool) => {
                    let sent = schema_in(provider, &tool);
                    let wrong = mistakes(provider, &sent);
                    assert!(
                        wrong.is_empty(),
                        "{provider:?} {name}: {wrong:#?}\n{sent:#}"
                    );
                    let _ = SchemaValidator::new(&without_nullable(&sent));
                }
                Err(error) => {
                    for problem in error.problems() {
                        let is_there = schema.pointer(&problem.path).is_some();
                        assert!(is_there, "{provider:?} {name}: {problem:?}");
                        assert!(
                            !problem.path.is_empty()
                                || matches!(
                                    problem.part,
                                    Inexpressible::Size
                                        | Inexpressible::Depth
                                        | Inexpressible::Map
                                        | Inexpressible::Recursion
                                ),
                            "{provider:?} {name}: {problem:?}"
                        );
                    }
                }
            }
        }
    }
}
