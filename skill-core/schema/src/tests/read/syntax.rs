use crate::{read, read_document};
use serde_json::Value;

#[test]
fn a_frequent_mistake_of_syntax_is_named_with_its_place() {
    let single = "a text is in double quotes, and this one is in single quotes";
    let key = "a key is a text in double quotes";
    for (text, message, line, column) in [
        ("{'by': 2}", single, 1, 2),
        (r#"{"by": 'two'}"#, single, 1, 8),
        ("[1, 'two']", single, 1, 5),
        ("'two'", single, 1, 1),
        (r#"{"by":2,}"#, "trailing comma", 1, 9),
        ("{\n  \"é\": 2,\n}", "trailing comma", 3, 1),
        ("[1,]", "trailing comma", 1, 4),
        (r#"{"by":]"#, "expected value", 1, 7),
        ("{by: 2}", key, 1, 2),
        ("{2: 2}", key, 1, 2),
        (r#"{"by": }"#, "expected value", 1, 8),
    ] {
        let expected = format!("not JSON: {message} at line {line} column {column}");
        let error = read::<Value>(text).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
        let error = read_document(text, 100).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
}
