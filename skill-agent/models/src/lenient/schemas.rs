//! Looks up the schemas that apply to a value.

use skill_agent_schema::{Branch, SchemaNode, subschemas};
use skill_core::serde_json::Value;

use crate::completion::raw::{Kind, Raw};

/// The maximum number of references and options to follow in a row, since they may be cyclic.
const MOST_HOPS: usize = 16;

/// Returns the only type besides `null` that a schema allows, and the schema that names the type. Returns `None` if there are
/// several types or a choice that is not an option, or if a constant is a string, because a string may be intended there.
fn only_kind(mut node: SchemaNode<'_>) -> Option<(&str, SchemaNode<'_>)> {
    for _ in 0..MOST_HOPS {
        node = node.resolved();
        let constants = node.keyword("enum").and_then(Value::as_array);
        let has_text = constants.is_some_and(|all| all.iter().any(Value::is_string));
        if has_text || node.keyword("const").is_some() {
            return None;
        }
        let mut all = node.listed("allOf");
        if let Some(content) = node.content_of_option() {
            node = content;
        } else if choices(node).next().is_some() {
            return None;
        } else if node.keyword("type").is_some() {
            break;
        } else {
            node = all.next().filter(|_| all.next().is_none())?;
        }
    }
    let kinds: Vec<&str> = match node.keyword("type")? {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let mut kinds = kinds.into_iter().filter(|kind| *kind != "null");
    let kind = kinds.next().filter(|kind| *kind != "string")?;
    kinds.next().is_none().then_some((kind, node))
}

/// Returns the only type that all schemas allow, as in [`only_kind`], and those schemas that name the type or no type at all.
pub(super) fn common_kind<'a>(nodes: &[SchemaNode<'a>]) -> Option<(&'a str, Vec<SchemaNode<'a>>)> {
    let (mut common, mut schemas) = (None, Vec::new());
    for &node in nodes {
        if says_no_type(node) {
            schemas.push(node);
            continue;
        }
        let (kind, node) = only_kind(node)?;
        schemas.push(node);
        common = match (common, kind) {
            (Some("number"), "integer") | (Some("integer"), "number") => Some("integer"),
            (Some(other), kind) if other != kind => return None,
            _ => Some(kind),
        };
    }
    Some((common?, schemas))
}

/// Returns whether a schema allows values of all types.
fn says_no_type(node: SchemaNode<'_>) -> bool {
    let words = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"];
    words.iter().all(|word| node.keyword(word).is_none())
}

/// Returns the schemas that apply together with a schema: the target of its reference, and the parts of `allOf`.
pub(super) fn parts(node: SchemaNode<'_>) -> impl Iterator<Item = SchemaNode<'_>> {
    let target = node.target().into_iter();
    target.chain(node.listed("allOf"))
}

/// Returns whether a value has the type, the constants and the required keys of a schema.
pub(super) fn has_own_parts(node: SchemaNode<'_>, value: Raw<'_>) -> bool {
    let kind = match value.kind() {
        Kind::Object => "object",
        Kind::Array => "array",
        // values of other types have no optional parts
        _ => return false,
    };
    let has_kind = match node.keyword("type") {
        Some(Value::String(name)) => name == kind,
        Some(Value::Array(names)) => names.iter().any(|name| name == kind),
        _ => true,
    };
    let constants = node.properties();
    let mut constants = constants.filter_map(|(key, part)| Some((key, part.keyword("const")?)));
    let has = |key: &str, constant| value.get(key).is_some_and(|part| part.equals(constant));
    has_kind
        && constants.all(|(key, constant)| has(key, constant))
        && required(node).all(|key| value.get(key).is_some())
}

pub(super) fn choices(node: SchemaNode<'_>) -> impl Iterator<Item = SchemaNode<'_>> {
    let keywords = ["anyOf", "oneOf"].into_iter();
    keywords.flat_map(move |choice| node.listed(choice))
}

fn required(node: SchemaNode<'_>) -> impl Iterator<Item = &str> {
    let names = node.keyword("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

pub(super) fn requires(node: SchemaNode<'_>, key: &str) -> bool {
    required(node).any(|name| name == key)
}

pub(super) fn item_schema(node: SchemaNode<'_>, index: usize) -> Option<SchemaNode<'_>> {
    part(node, |branch| branch == Branch::Index("prefixItems", index))
        .or_else(|| part(node, |branch| branch == Branch::Only("items")))
}

/// Returns the first subschema that is an object and whose branch satisfies `is_place`.
fn part<'a>(node: SchemaNode<'a>, is_place: impl Fn(Branch<'_>) -> bool) -> Option<SchemaNode<'a>> {
    let mut found = None;
    subschemas(node, &mut |branch, part| {
        if found.is_none() && is_place(branch) && part.value().is_object() {
            found = Some(part);
        }
    });
    found
}
