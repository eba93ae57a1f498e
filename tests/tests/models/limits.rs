//! The numbers above which a provider refuses tools: one row for each.

use serde_json::{Map, Value, json};
use skill_agent::ToolBuf;
use skill_agent::models::{Limit, Measure, Provider, ToolsProblem};

fn object(properties: Map<String, Value>) -> Value {
    let required: Vec<String> = properties.keys().cloned().collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn properties(count: usize, schema: &Value) -> Map<String, Value> {
    (0..count)
        .map(|index| (format!("p{index:05}"), schema.clone()))
        .collect()
}

fn string() -> Value {
    json!({ "type": "string" })
}

/// One tool with this schema.
fn one(schema: Value) -> Vec<ToolBuf> {
    vec![ToolBuf::new("act", "Act.", schema)]
}

fn tools(count: usize) -> Vec<ToolBuf> {
    let tool = |index| ToolBuf::new(format!("act{index}"), "Act.", object(Map::new()));
    (0..count).map(tool).collect()
}

/// Two tools with `count` properties together.
fn two(count: usize, schema: &Value, required: bool) -> Vec<ToolBuf> {
    let half = |count| {
        let mut schema = object(properties(count, schema));
        if !required {
            schema["required"] = json!([]);
        }
        schema
    };
    vec![
        ToolBuf::new("first", "Act.", half(count / 2)),
        ToolBuf::new("second", "Act.", half(count - count / 2)),
    ]
}

fn nested(levels: usize) -> Value {
    (1..levels).fold(object(Map::new()), |inner, _| {
        object(Map::from_iter([("in".to_owned(), inner)]))
    })
}

/// Tools with a number of what is measured.
fn measured(measure: Measure, count: usize) -> Vec<ToolBuf> {
    match measure {
        Measure::Tools => tools(count),
        Measure::OptionalProperties => two(count, &string(), false),
        Measure::Unions => two(count, &json!({ "type": ["string", "null"] }), true),
        Measure::Depth => one(nested(count)),
        Measure::Properties => one(object(properties(count, &string()))),
        Measure::EnumValues => {
            let values: Vec<String> = (0..count).map(|index| format!("v{index}")).collect();
            one(object(properties(
                1,
                &json!({ "type": "string", "enum": values }),
            )))
        }
        Measure::EnumChars => {
            // an enum of up to 250 values has no such limit
            let width = count / 250;
            let values: Vec<String> = (0..251)
                .map(|index| match index {
                    0 => "x".repeat(count - 250 * width),
                    index => format!("{index:0width$}"),
                })
                .collect();
            one(object(properties(
                1,
                &json!({ "type": "string", "enum": values }),
            )))
        }
        Measure::NameChars => {
            let constant = "x".repeat(count - "p00000".len());
            one(object(properties(
                1,
                &json!({ "type": "string", "const": constant }),
            )))
        }
        _ => panic!("a row for each measure"),
    }
}

/// The limits of each provider, as documented.
const LIMITS: &[(Provider, Measure, usize)] = &[
    (Provider::OPENAI_CHAT, Measure::Tools, 128),
    (Provider::OPENAI_STRICT, Measure::Tools, 128),
    (Provider::OPENAI_STRICT, Measure::Depth, 10),
    (Provider::OPENAI_STRICT, Measure::Properties, 5_000),
    (Provider::OPENAI_STRICT, Measure::EnumValues, 1_000),
    (Provider::OPENAI_STRICT, Measure::EnumChars, 15_000),
    (Provider::OPENAI_STRICT, Measure::NameChars, 120_000),
    (Provider::OPENAI_RESPONSES_STRICT, Measure::Depth, 10),
    (Provider::ANTHROPIC_STRICT, Measure::Tools, 20),
    (Provider::ANTHROPIC_STRICT, Measure::OptionalProperties, 24),
    (Provider::ANTHROPIC_STRICT, Measure::Unions, 16),
];

#[test]
fn a_list_may_reach_each_limit_and_not_exceed_it() {
    for &(provider, measure, most) in LIMITS {
        let list = |count| {
            let tools = measured(measure, count);
            let tools: Vec<_> = tools.iter().map(ToolBuf::as_tool).collect();
            provider.tools(&tools)
        };
        list(most).unwrap_or_else(|error| panic!("{provider:?} {measure:?}: {error}"));
        let error = list(most + 1).expect_err("one too many");
        let [ToolsProblem::Limit { limit, found, .. }] = error.problems() else {
            panic!("{provider:?} {measure:?}: {error}");
        };
        assert_eq!((*limit, *found), (Limit::new(measure, most), most + 1));
    }
}

#[test]
fn providers_without_limits_take_more() {
    let tools = measured(Measure::Tools, 500);
    let tools: Vec<_> = tools.iter().map(ToolBuf::as_tool).collect();
    for provider in [Provider::ANTHROPIC, Provider::GEMINI, Provider::MCP] {
        provider.tools(&tools).unwrap();
    }
}

#[test]
fn an_exceeded_limit_says_what_to_do() {
    let tools = tools(21);
    let tools: Vec<_> = tools.iter().map(ToolBuf::as_tool).collect();
    assert_eq!(
        Provider::ANTHROPIC_STRICT
            .tools(&tools)
            .unwrap_err()
            .to_string(),
        "Anthropic strict accepts at most 20 tools in a request, and there are 21; send fewer tools at a time"
    );
    let deep = ToolBuf::new("act", "Act.", nested(11));
    assert_eq!(
        Provider::OPENAI_STRICT
            .tools([&deep.as_tool()])
            .unwrap_err()
            .to_string(),
        "the tool `act`: OpenAI strict accepts at most 10 levels of objects in a tool, and there are 11; divide the tool, or use \
         a provider that is not strict"
    );
}
