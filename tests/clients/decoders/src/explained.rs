//! Why an action refuses arguments that a decoder allows.

use crate::subjects::Subject;
use skill_agent::models::Provider;

/// A reason. A list that is empty stands for all.
#[derive(Debug)]
pub struct Row {
    /// The reason.
    pub reason: &'static str,
    /// The providers whose dialect does not have it.
    providers: &'static [Provider],
    /// The keywords. The schema of the tool has one of them.
    keywords: &'static [&'static str],
    /// The tools.
    tools: &'static [&'static str],
    /// Parts of errors. The error has one of them.
    errors: &'static [&'static str],
}

impl Row {
    /// A reason for these parts of errors.
    const fn new(reason: &'static str, errors: &'static [&'static str]) -> Self {
        Self {
            reason,
            providers: &[],
            keywords: &[],
            tools: &[],
            errors,
        }
    }

    const fn providers(mut self, providers: &'static [Provider]) -> Self {
        self.providers = providers;
        self
    }

    const fn keywords(mut self, keywords: &'static [&'static str]) -> Self {
        self.keywords = keywords;
        self
    }

    const fn tools(mut self, tools: &'static [&'static str]) -> Self {
        self.tools = tools;
        self
    }

    /// Whether this is the reason of an error.
    #[must_use]
    pub fn explains(&self, provider: Provider, subject: &Subject, error: &str) -> bool {
        let schema = subject.tool.input_schema().to_string();
        let has = |keyword: &&str| schema.contains(&format!("\"{keyword}\":"));
        (self.providers.is_empty() || self.providers.contains(&provider))
            && (self.keywords.is_empty() || self.keywords.iter().any(has))
            && (self.tools.is_empty() || self.tools.contains(&subject.name.as_str()))
            && self.errors.iter().any(|part| error.contains(part))
    }
}

/// The reasons. The first that fits is that of an error; one that is not needed fails the test.
pub static ROWS: &[Row] = &[
    Row::new("JSON Schema allows a key twice", &["is given twice"]),
    Row::new(
        "JSON Schema allows numbers that no float can hold",
        &["number out of range", "expected a number from -3.4e38"],
    ),
    // rows of docs/schemas.md
    Row::new(
        "keys of a map",
        &[
            "expected key to be a number in quotes",
            "expected an integer from -128",
            "`-0.0`",
            "expected a character",
        ],
    )
    .tools(&[
        "holders.by_letter",
        "holders.by_number",
        "holders.by_signed_number",
        "argument_agent.maps",
    ]),
    Row::new(
        "`2.0` where serde buffers",
        &["floating point `-0.0`", "it fits none of the alternatives"],
    )
    .tools(&["holders.flat", "holders.internal", "holders.untagged"]),
    Row::new(
        "further keys of types of the standard library",
        &["unknown field", "an object with a single key"],
    )
    .tools(&[
        "holders.duration",
        "holders.time",
        "holders.range",
        "holders.inclusive_range",
        "holders.bound",
        "holders.outcome",
    ]),
    // what a dialect does not have, and is in the description
    Row::new(
        "no objects without further keys",
        &[
            "unknown field",
            "an object with a single key",
            "unknown variant",
        ],
    )
    .providers(&[Provider::GEMINI_LEGACY])
    .keywords(&["additionalProperties"]),
    Row::new(
        "no formats of addresses, in the dialect or the decoder",
        &["expected an IP"],
    )
    .keywords(&["format"]),
    Row::new(
        "no lengths of texts and of objects",
        &["the length ", "expected a character"],
    )
    .providers(&[
        Provider::OPENAI_STRICT,
        Provider::ANTHROPIC_STRICT,
        Provider::GEMINI,
    ])
    .keywords(&["minLength", "maxLength"]),
    Row::new(
        "no lengths of lists above 1",
        &["the length ", "invalid length"],
    )
    .providers(&[Provider::ANTHROPIC_STRICT])
    .keywords(&["minItems", "maxItems"]),
    Row::new("no patterns", &["does not match the pattern"])
        .providers(&[Provider::ANTHROPIC_STRICT, Provider::GEMINI])
        .keywords(&["pattern"]),
    Row::new(
        "no bounds",
        &[
            "is out of range",
            "expected an integer from",
            "other than 0",
            "expected an integer of 128 bits",
        ],
    )
    .providers(&[Provider::ANTHROPIC_STRICT])
    .keywords(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
    Row::new("no exclusive bounds", &["is out of range"])
        .providers(&[Provider::GEMINI, Provider::GEMINI_LEGACY])
        .keywords(&["exclusiveMinimum", "exclusiveMaximum"]),
    Row::new("no `not`, in the dialect or the decoder", &["other than 0"]).keywords(&["not"]),
    Row::new("no places in tuples", &["invalid type"])
        .providers(&[
            Provider::OPENAI_CHAT,
            Provider::OPENAI_STRICT,
            Provider::ANTHROPIC_STRICT,
            Provider::GEMINI_LEGACY,
        ])
        .keywords(&["prefixItems"]),
    Row::new(
        "no references: the innermost level of a recursive type is only its type",
        &[
            "missing field",
            "invalid type",
            "unknown variant",
            "an object with a single key",
        ],
    )
    .providers(&[Provider::MCP])
    .keywords(&["$ref"]),
];
