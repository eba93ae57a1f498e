//! Why something is refused that the decoder let through.

/// A reason.
struct Row {
    reason: &'static str,
    /// The rows of the table that it is for. Without one, it is for all.
    names: &'static [&'static str],
    /// Parts of errors. The error has one of them.
    errors: &'static [&'static str],
}

const ROWS: &[Row] = &[
    Row {
        reason: "JSON allows a key twice",
        names: &[],
        errors: &["is given twice"],
    },
    Row {
        reason: "JSON allows numbers that no float holds",
        names: &[],
        errors: &["number out of range", "expected a number from -3.4e38"],
    },
    Row {
        reason: "OpenAI's dialect has no places in tuples",
        names: &[
            "alone tuple",
            "beside tools tuple",
            "alone enum with data",
            "beside tools enum with data",
            "alone enum with tag and content",
            "beside tools enum with tag and content",
        ],
        errors: &["invalid type"],
    },
    Row {
        reason: "llama.cpp leaves out what is beside a choice",
        names: &["alone flattened enum"],
        errors: &["missing field"],
    },
    Row {
        reason: "the innermost level of a recursive type is only its type",
        names: &["argument_agent recursive", "by a call recursive struct"],
        errors: &["missing field", "invalid type", "unknown field"],
    },
    Row {
        reason: "llama.cpp has no bounds of numbers with a fraction",
        names: &["argument_agent ranges"],
        errors: &["is out of range"],
    },
    Row {
        reason: "llama.cpp has no numbers of properties, and no sets",
        names: &["argument_agent lengths"],
        errors: &["the length "],
    },
    Row {
        reason: "llama.cpp has no patterns for a part of a text, nor with classes, nor with a length",
        names: &["argument_agent patterns"],
        errors: &["does not match the pattern", "the length "],
    },
    Row {
        reason: "llama.cpp has no patterns of keys",
        names: &["argument_agent maps"],
        errors: &["a number in quotes"],
    },
];

/// The reason of an error, if it is known.
pub fn reason(form: &str, name: &str, error: &str) -> Option<&'static str> {
    let row = format!("{form} {name}");
    let explains = |known: &&Row| {
        (known.names.is_empty() || known.names.contains(&row.as_str()))
            && known.errors.iter().any(|part| error.contains(part))
    };
    ROWS.iter().find(explains).map(|row| row.reason)
}
