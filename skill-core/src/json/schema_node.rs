//! Finding one's way in a schema: what it says about the value at a path.

use serde_json::Value;

use super::path::Step;

/// How many references and alternatives are followed for one step. They can lead in a circle.
const FUEL: u8 = 16;

/// A schema, and the document in which its references are defined.
#[derive(Clone, Copy)]
pub(super) struct SchemaNode<'a> {
    root: &'a Value,
    here: &'a Value,
}

impl<'a> SchemaNode<'a> {
    pub(super) fn root(schema: &'a Value) -> Self {
        Self {
            root: schema,
            here: schema,
        }
    }

    fn to(self, here: &'a Value) -> Self {
        Self { here, ..self }
    }

    /// The keyword `name` of this schema.
    pub(super) fn keyword(self, name: &str) -> Option<&'a Value> {
        self.here.get(name)
    }

    /// The schema that stands here once references are followed.
    pub(super) fn resolved(mut self) -> Self {
        for _ in 0..FUEL {
            let target = self
                .keyword("$ref")
                .and_then(Value::as_str)
                .and_then(|reference| reference.strip_prefix('#'))
                .and_then(|pointer| self.root.pointer(pointer));
            match target {
                Some(target) => self = self.to(target),
                None => break,
            }
        }
        self
    }

    /// The schemas under `oneOf`, `anyOf` and `allOf`.
    pub(super) fn alternatives(self) -> impl Iterator<Item = Self> {
        ["oneOf", "anyOf", "allOf"]
            .into_iter()
            .filter_map(move |keyword| self.keyword(keyword)?.as_array())
            .flatten()
            .map(move |schema| self.to(schema))
    }

    /// The schema of the part that `step` leads to.
    pub(super) fn child(self, step: &Step) -> Option<Self> {
        self.child_within(step, FUEL)
    }

    fn child_within(self, step: &Step, fuel: u8) -> Option<Self> {
        let fuel = fuel.checked_sub(1)?;
        let this = self.resolved();
        let direct = match step {
            Step::Key(key) => this
                .keyword("properties")
                .and_then(|properties| properties.get(&**key))
                // the schema of a map with integer keys
                .or_else(|| {
                    this.keyword("patternProperties")?
                        .as_object()?
                        .values()
                        .next()
                })
                .or_else(|| this.keyword("additionalProperties"))
                .filter(|schema| schema.is_object()),
            Step::Index(index) => this
                .keyword("prefixItems")
                .and_then(|items| items.get(*index))
                .or_else(|| this.keyword("items"))
                .filter(|schema| schema.is_object()),
        };
        match direct {
            Some(schema) => Some(this.to(schema)),
            None => this
                .alternatives()
                .find_map(|alternative| alternative.child_within(step, fuel)),
        }
    }

    /// The schema of the value at `path`.
    pub(super) fn at(self, path: &[Step]) -> Option<Self> {
        path.iter().try_fold(self, |place, step| place.child(step))
    }

    /// The names of the properties of an object here.
    pub(super) fn fields(self) -> Vec<&'a str> {
        let mut fields = Vec::new();
        self.collect_fields(&mut fields, FUEL);
        fields
    }

    fn collect_fields(self, fields: &mut Vec<&'a str>, fuel: u8) {
        let Some(fuel) = fuel.checked_sub(1) else {
            return;
        };
        let this = self.resolved();
        if let Some(properties) = this.keyword("properties").and_then(Value::as_object) {
            fields.extend(properties.keys().map(String::as_str));
        }
        for alternative in this.alternatives() {
            alternative.collect_fields(fields, fuel);
        }
    }

    /// Whether two objects here are of one kind, so that one can be laid over the other key by key.
    ///
    /// Those of an enum need not be: half a `Circle` over a `Square` is neither. `Option` of a struct
    /// is a choice as well, but `null` is no object.
    pub(super) fn merges(self) -> bool {
        let this = self.resolved();
        let mut choices = ["oneOf", "anyOf"]
            .into_iter()
            .filter_map(|keyword| this.keyword(keyword)?.as_array())
            .peekable();
        if choices.peek().is_none() {
            return true;
        }
        choices.all(|schemas| {
            let nothing = |schema: &&Value| schema.get("type").is_some_and(|kind| kind == "null");
            let others: Vec<&Value> = schemas.iter().filter(|schema| !nothing(schema)).collect();
            match others[..] {
                [only] => schemas.len() == 2 && this.to(only).merges(),
                _ => false,
            }
        })
    }
}
