//! Finds the part of a schema that describes the value at a path.

use std::borrow::Cow;

use serde_json::Value;

use crate::value::path::Step;

/// The maximum number of references and alternatives to follow for one step. References can form a cycle.
const MOST_HOPS: u8 = 16;

/// Returns the schema in `document` that `reference` points to.
#[must_use]
pub fn definition<'a>(document: &'a Value, reference: &str) -> Option<&'a Value> {
    document.pointer(&percent_decoded(reference.strip_prefix('#')?))
}

/// Decodes a part of a reference. A URL percent-encodes some characters that are not encoded in the document.
#[must_use]
pub fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let is_code = |code: &&str| code.bytes().all(|byte| byte.is_ascii_hexdigit());
    let byte = |code| u8::from_str_radix(code, 16).ok();
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let decoded = after.get(..2).filter(is_code).and_then(byte);
        bytes.push(decoded.unwrap_or(b'%'));
        rest = if decoded.is_some() {
            &after[2..]
        } else {
            after
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    match String::from_utf8(bytes) {
        Ok(decoded) => Cow::Owned(decoded),
        Err(_) => Cow::Borrowed(text),
    }
}

/// A schema together with the document that defines its references.
#[derive(Clone, Copy, Debug)]
pub struct SchemaNode<'a> {
    root: &'a Value,
    here: &'a Value,
}

impl<'a> SchemaNode<'a> {
    /// Returns the node for a schema that is a whole document.
    #[must_use]
    pub fn root(schema: &'a Value) -> Self {
        Self {
            root: schema,
            here: schema,
        }
    }

    pub fn to(self, here: &'a Value) -> Self {
        Self { here, ..self }
    }

    /// Returns the document that defines the references, as JSON.
    #[must_use]
    pub fn document(self) -> &'a Value {
        self.root
    }

    /// Returns the schema as JSON.
    #[must_use]
    pub fn value(self) -> &'a Value {
        self.here
    }

    /// Returns the value of the keyword `name`.
    #[must_use]
    pub fn keyword(self, name: &str) -> Option<&'a Value> {
        self.here.get(name)
    }

    /// Follows the schema's references to their target. Returns the schema itself if it has no reference.
    #[must_use]
    pub fn resolved(mut self) -> Self {
        for _ in 0..MOST_HOPS {
            match self.target() {
                Some(target) => self = target,
                None => break,
            }
        }
        self
    }

    /// Returns the target of the schema's reference.
    #[must_use]
    pub fn target(self) -> Option<Self> {
        let reference = self.keyword("$ref")?.as_str()?;
        definition(self.root, reference).map(|target| self.to(target))
    }

    /// Returns the schemas in the list under `keyword`, such as `anyOf`.
    pub fn listed(self, keyword: &str) -> impl Iterator<Item = Self> {
        let list = self.keyword(keyword).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .map(move |schema| self.to(schema))
    }

    /// Returns an object's properties with their names.
    pub fn properties(self) -> impl Iterator<Item = (&'a str, Self)> {
        let properties = self.keyword("properties").and_then(Value::as_object);
        let properties = properties.into_iter().flatten();
        properties.map(move |(name, schema)| (name.as_str(), self.to(schema)))
    }

    /// Returns the names of the required properties.
    pub fn required(self) -> impl Iterator<Item = &'a str> {
        let names = self.keyword("required").and_then(Value::as_array);
        names.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Returns the property called `name`.
    #[must_use]
    pub fn property(self, name: &str) -> Option<Self> {
        let properties = self.keyword("properties")?.as_object()?;
        properties.get(name).map(|schema| self.to(schema))
    }

    /// Returns the schemas under `oneOf`, `anyOf` and `allOf`.
    pub fn alternatives(self) -> impl Iterator<Item = Self> {
        let keywords = ["oneOf", "anyOf", "allOf"].into_iter();
        keywords.flat_map(move |keyword| self.listed(keyword))
    }

    /// Returns the schema of the part at `step`.
    pub fn child(self, step: &Step) -> Option<Self> {
        self.child_within(step, MOST_HOPS)
    }

    fn child_within(self, step: &Step, hops: u8) -> Option<Self> {
        let hops = hops.checked_sub(1)?;
        let this = self.resolved();
        this.part(step).or_else(|| {
            let mut alternatives = this.alternatives();
            alternatives.find_map(|alternative| alternative.child_within(step, hops))
        })
    }

    /// Returns the schema of the part at `step`, without following references or alternatives.
    pub fn part(self, step: &Step) -> Option<Self> {
        match step {
            Step::Key(key) => self.entry(key),
            Step::Index(index) => {
                let item = self.keyword("prefixItems");
                let item = item.and_then(|items| items.get(*index));
                self.to_object(item.or_else(|| self.keyword("items")))
            }
        }
    }

    /// Returns the schema of the value under `key`, without following references or alternatives.
    pub fn entry(self, key: &str) -> Option<Self> {
        let property = self.keyword("properties").and_then(|all| all.get(key));
        // the schema of a map with integer keys
        let pattern = || {
            let patterns = self.keyword("patternProperties")?.as_object()?;
            patterns.values().next()
        };
        let others = || self.keyword("additionalProperties");
        self.to_object(property.or_else(pattern).or_else(others))
    }

    fn to_object(self, schema: Option<&'a Value>) -> Option<Self> {
        let schema = schema.filter(|schema| schema.is_object())?;
        Some(self.to(schema))
    }

    /// Returns the schema of the value at `path`.
    pub fn at(self, path: &[Step]) -> Option<Self> {
        path.iter().try_fold(self, |node, step| node.child(step))
    }

    /// Returns whether `key` may be a map key rather than a field name.
    ///
    /// The schema of a struct lists its fields. The schema of a map with enum keys also lists its keys, but gives all of them the
    /// same schema and allows no others.
    pub fn may_have_entry(self, key: &str) -> bool {
        let this = self.resolved();
        let this = this.content_of_option().map_or(this, Self::resolved);
        let Some(listed) = this.property(key) else {
            return true;
        };
        let is_closed = this
            .keyword("additionalProperties")
            .is_some_and(|others| others == false);
        let mut properties = this.properties();
        is_closed
            && this.keyword("required").is_none()
            && properties.all(|(_, schema)| schema.here == listed.here)
    }

    /// Returns the schema inside an `Option` of a struct or an enum. The schema of such an `Option` is a choice between that
    /// schema and `null`.
    #[must_use]
    pub fn content_of_option(self) -> Option<Self> {
        let is_null = |schema: &Self| schema.keyword("type").is_some_and(|kind| kind == "null");
        let choices: Vec<Self> = self.choices().collect();
        match choices[..] {
            [null, content] if is_null(&null) => Some(content),
            [content, null] if is_null(&null) => Some(content),
            _ => None,
        }
    }

    fn choices(self) -> impl Iterator<Item = Self> {
        let keywords = ["oneOf", "anyOf"].into_iter();
        keywords.flat_map(move |keyword| self.listed(keyword))
    }

    /// Returns the property names of the object, including the names in its alternatives.
    pub fn fields(self) -> Vec<&'a str> {
        let mut fields = Vec::new();
        self.collect_fields(&mut fields, MOST_HOPS);
        fields
    }

    fn collect_fields(self, fields: &mut Vec<&'a str>, hops: u8) {
        let Some(hops) = hops.checked_sub(1) else {
            return;
        };
        let this = self.resolved();
        fields.extend(this.properties().map(|(name, _)| name));
        for alternative in this.alternatives() {
            alternative.collect_fields(fields, hops);
        }
    }

    /// Returns whether all objects that the schema allows have the same fields, so that they can be merged key by key.
    ///
    /// The objects of an enum have different fields: if a part of a `Circle` were merged into a `Square`, the result would be
    /// neither. The schema of an optional struct is a choice as well, but its other branch is `null`.
    pub fn merges(self) -> bool {
        let this = self.resolved();
        match this.content_of_option() {
            Some(content) => content.merges(),
            None => this.choices().next().is_none(),
        }
    }
}
