//! Rewrites a single schema, without its subschemas, in a provider's dialect.

use skill_core::serde_json::json;

use super::super::error::Inexpressible;
use super::{Object, SchemaDialect, merge};
use crate::projection::keywords::{bounds, literals, notes, nulls, objects};

/// Rewrites a schema that [`check`](super::check) has accepted, except for its subschemas, which are rewritten later.
pub(super) fn rewrite(object: &mut Object, dialect: &SchemaDialect) -> Result<(), Inexpressible> {
    if dialect.has_nullable() && nulls::has_null(object) {
        nulls::remove(object);
        object.insert("nullable".to_owned(), json!(true));
    }
    // this also handles `nullable` next to a choice
    if merge::is_mixed(object, dialect) {
        *object = merge::distributed(object).ok_or(Inexpressible::Combination)?;
    }
    if !dialect.keywords.has("oneOf") && !object.contains_key("anyOf") {
        rename(object, "oneOf", "anyOf");
    }
    literals::rewrite(object, dialect);
    literals::split_types(object, dialect);
    objects::items(object, dialect);
    objects::key_patterns(object, dialect);
    objects::close(object, dialect);
    if dialect.integer_bounds {
        bounds::write(object);
    }
    notes::move_unsupported(object, dialect);
    merge::describe_alternatives(object, dialect);
    Ok(())
}

/// Renames a keyword and keeps its position.
fn rename(object: &mut Object, from: &str, to: &str) {
    let keywords = std::mem::take(object).into_iter();
    *object = keywords
        .map(|(keyword, value)| {
            let keyword = if keyword == from {
                to.to_owned()
            } else {
                keyword
            };
            (keyword, value)
        })
        .collect();
}
