//! Counts what a provider limits.

use skill_agent_schema::{Branch, Descend, SchemaNode, subschemas, visit_schema};
use skill_core::serde_json::Value;

use crate::error::ToolsProblem;
use crate::{Limit, Measure, SchemaDialect};

/// The counts for all tools of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    tools: usize,
    optional: usize,
    unions: usize,
}

impl Count {
    /// Counts a tool, and returns the per-tool limits that the tool exceeds.
    pub(crate) fn add(
        &mut self,
        name: &str,
        schema: &Value,
        dialect: &SchemaDialect,
    ) -> Vec<ToolsProblem> {
        self.tools += 1;
        self.count_properties(schema);
        let exceeded = dialect.limits.iter().filter_map(|&limit| {
            let found = match limit.measure {
                Measure::Depth => depth(SchemaNode::root(schema)),
                Measure::Properties => named(schema, "properties").0,
                Measure::EnumValues => literals(schema).0,
                Measure::EnumChars => enum_chars(schema),
                Measure::NameChars => {
                    let names = ["properties", "$defs"].map(|keyword| named(schema, keyword).1);
                    names.iter().sum::<usize>() + literals(schema).1
                }
                Measure::Tools | Measure::OptionalProperties | Measure::Unions => return None,
            };
            let tool = Some(name.to_owned());
            (found > limit.most).then_some(ToolsProblem::Limit { tool, limit, found })
        });
        exceeded.collect()
    }

    fn count_properties(&mut self, schema: &Value) {
        visit_schema(schema, &mut |_, node| {
            let required = node.keyword("required").and_then(Value::as_array);
            for (name, property) in node.properties() {
                let is_required = required.is_some_and(|names| names.iter().any(|key| key == name));
                self.optional += usize::from(!is_required);
                self.unions += usize::from(is_union(property));
            }
            Descend::Into
        });
    }

    /// Returns the per-request limits that all tools exceed together.
    pub(crate) fn problems(
        self,
        limits: impl IntoIterator<Item = Limit>,
    ) -> impl Iterator<Item = ToolsProblem> {
        limits.into_iter().filter_map(move |limit| {
            let found = match limit.measure {
                Measure::Tools => self.tools,
                Measure::OptionalProperties => self.optional,
                Measure::Unions => self.unions,
                _ => return None,
            };
            let tool = None;
            (found > limit.most).then_some(ToolsProblem::Limit { tool, limit, found })
        })
    }
}

fn is_union(node: SchemaNode<'_>) -> bool {
    node.keyword("anyOf").is_some() || node.keyword("type").is_some_and(Value::is_array)
}

/// Returns the nesting depth of objects.
fn depth(node: SchemaNode<'_>) -> usize {
    let mut inner = 0;
    subschemas(node, &mut |_, part| inner = inner.max(depth(part)));
    inner + usize::from(node.keyword("properties").is_some())
}

/// Returns the number of named subschemas under a keyword, and the total length of their names in characters.
fn named(schema: &Value, keyword: &str) -> (usize, usize) {
    let (mut count, mut chars) = (0, 0);
    visit_schema(schema, &mut |path, _| {
        if let Some(Branch::Name(under, name)) = path.branch()
            && under == keyword
        {
            count += 1;
            chars += name.chars().count();
        }
        Descend::Into
    });
    (count, chars)
}

/// Returns the length in characters of the largest enum with more than 250 values, because smaller enums have no limit.
fn enum_chars(schema: &Value) -> usize {
    const SHORT: usize = 250;
    let mut most = 0;
    visit_schema(schema, &mut |_, node| {
        let listed = node.keyword("enum").and_then(Value::as_array);
        if let Some(values) = listed.filter(|values| values.len() > SHORT) {
            let chars = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
            most = most.max(values.iter().map(chars).sum());
        }
        Descend::Into
    });
    most
}

/// Returns the number of enum values, and the number of characters of enum values and constants.
fn literals(schema: &Value) -> (usize, usize) {
    let (mut count, mut chars) = (0, 0);
    let chars_of = |value: &Value| match value {
        Value::String(text) => text.chars().count(),
        other => other.to_string().len(),
    };
    visit_schema(schema, &mut |_, node| {
        let listed = node.keyword("enum").and_then(Value::as_array);
        for value in listed.into_iter().flatten() {
            count += 1;
            chars += chars_of(value);
        }
        chars += node.keyword("const").map_or(0, chars_of);
        Descend::Into
    });
    (count, chars)
}
