//! Finds the values to repair by comparing JSON with a schema.

use std::collections::BTreeSet;

use skill_agent_schema::{Patterns, SchemaNode};
use skill_core::serde_json::Value;
use skill_core::{MAX_ARGUMENT_BYTES, MAX_DEPTH};
use std::borrow::Cow;

use super::number::{boolean, number};
use super::place::Place;
use super::schemas::{choices, common_kind, has_own_parts, item_schema, parts, requires};
use super::{Change, MOST_REPAIRS, Repair, syntax};
use crate::completion::raw::{Edit, Kind, Raw};
use crate::projection::allows_null;

/// The maximum number of schemas to compare with one value, because schemas may be cyclic.
const MOST_LAYERS: usize = 64;

/// The maximum amount of work for one text, counted in bytes that are compared with a schema. Nested choices could double the
/// work at each level.
const MOST_WORK: usize = 64 * MAX_ARGUMENT_BYTES;

/// The work that each comparison counts in addition to its bytes.
const WORK_OF_COMPARISON: usize = 256;

pub(super) struct Finder {
    /// The edits of the text, in order.
    edits: Vec<Edit>,
    repairs: Vec<Repair>,
    patterns: Patterns,
    /// Whether to do nothing but remove the `null`s of omitted values.
    nulls_only: bool,
    /// The amount of work left.
    work: usize,
}

impl Finder {
    /// Creates a finder that removes the `null`s of omitted values.
    pub(super) fn of_nulls() -> Self {
        Self {
            edits: Vec::new(),
            repairs: Vec::new(),
            patterns: Patterns::default(),
            nulls_only: true,
            work: MOST_WORK,
        }
    }

    /// Creates a finder that makes all repairs besides `repairs`, which have already been made.
    pub(super) fn of_repairs(repairs: Vec<Repair>) -> Self {
        Self {
            repairs,
            nulls_only: false,
            ..Self::of_nulls()
        }
    }

    /// Returns the text without the `null`s of omitted values, or `None` if there are none.
    pub(super) fn cut(mut self, schema: &Value, raw: Raw<'_>) -> Option<String> {
        self.find(&[SchemaNode::root(schema)], raw, &Place::Root, 0);
        let is_cut = !self.edits.is_empty() && self.work > 0;
        is_cut.then(|| raw.edited(self.edits))
    }

    /// Returns the repaired text with all repairs, or `None` if that would take too much work.
    pub(super) fn repaired(
        mut self,
        schema: &Value,
        raw: Raw<'_>,
    ) -> Option<(String, Vec<Repair>)> {
        self.find(&[SchemaNode::root(schema)], raw, &Place::Root, 0);
        (self.work > 0).then(|| (raw.edited(self.edits), self.repairs))
    }

    /// Records a repair before the repairs from index `at` on, which are inside its value. If there are too many repairs, the
    /// finder stops.
    fn note(&mut self, at: usize, place: &Place<'_>, change: Change) {
        if self.repairs.len() >= MOST_REPAIRS {
            self.work = 0;
        } else if !self.nulls_only {
            let path = place.path();
            self.repairs.insert(at, Repair { path, change });
        }
    }

    /// Counts the work for a string. Returns whether any work is left.
    fn take_work(&mut self, text: &str) -> bool {
        self.work = self.work.saturating_sub(WORK_OF_COMPARISON + text.len());
        self.work > 0
    }

    /// Finds repairs in a value that must match all of `schemas`.
    fn find(
        &mut self,
        schemas: &[SchemaNode<'_>],
        value: Raw<'_>,
        place: &Place<'_>,
        depth: usize,
    ) {
        // deeper arguments are rejected when they are parsed
        if depth >= MAX_DEPTH || (!self.nulls_only && !self.take_work(value.text())) {
            return;
        }
        match value.kind() {
            Kind::Object => {
                let layers = self.layers(schemas, value);
                self.find_in_object(&layers, value, place, depth);
            }
            Kind::Array => {
                let layers = self.layers(schemas, value);
                for (index, item) in value.items().enumerate() {
                    let parts = layers.iter();
                    let parts = parts.filter_map(|layer| item_schema(*layer, index));
                    let parts: Vec<SchemaNode<'_>> = parts.collect();
                    self.find(&parts, item, &Place::Index(place, index), depth + 1);
                }
            }
            Kind::String if !self.nulls_only => self.find_in_text(schemas, value, place, depth),
            _ => {}
        }
    }

    /// Replaces a string with the value that it contains as JSON text, if the schemas allow only one type of value and no
    /// strings.
    fn find_in_text(
        &mut self,
        schemas: &[SchemaNode<'_>],
        value: Raw<'_>,
        place: &Place<'_>,
        depth: usize,
    ) {
        let (Some((kind, schemas)), Some(text)) = (common_kind(schemas), value.string()) else {
            return;
        };
        let text = text.trim();
        let before = self.repairs.len();
        let (put, change) = match kind {
            "array" | "object" => (
                self.parsed(kind, &schemas, text, place, depth),
                Change::Json,
            ),
            "boolean" => (boolean(text).map(str::to_owned), Change::Boolean),
            _ => {
                let number = number(text, kind == "integer");
                (number.map(str::to_owned), Change::Number)
            }
        };
        match put {
            Some(put) => {
                self.edits.push((value.place(), put));
                self.note(before, place, change);
            }
            None => self.repairs.truncate(before),
        }
    }

    /// Parses a string as a list or an object, and returns the repaired text.
    fn parsed(
        &mut self,
        kind: &str,
        schemas: &[SchemaNode<'_>],
        text: &str,
        place: &Place<'_>,
        depth: usize,
    ) -> Option<String> {
        let wanted = if kind == "array" {
            Kind::Array
        } else {
            Kind::Object
        };
        let json = match Raw::parse(text) {
            Ok(_) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(syntax::repaired(text, place, &mut self.repairs)?),
        };
        let raw = Raw::parse(&json).ok().filter(|raw| raw.kind() == wanted)?;
        let around = std::mem::take(&mut self.edits);
        self.find(schemas, raw, place, depth + 1);
        let edits = std::mem::replace(&mut self.edits, around);
        Some(raw.edited(edits))
    }

    fn find_in_object(
        &mut self,
        layers: &[SchemaNode<'_>],
        value: Raw<'_>,
        place: &Place<'_>,
        depth: usize,
    ) {
        // if a key is repeated, the caller decides which value counts
        let mut keys = BTreeSet::new();
        if !value.entries().all(|entry| keys.insert(entry.key)) {
            return;
        }
        let (mut end, mut is_first) = (value.place().start + 1, true);
        for entry in value.entries() {
            let parts = layers.iter().filter_map(|layer| layer.property(&entry.key));
            let is_omitted = entry.value.is_null()
                && !layers.iter().any(|layer| requires(*layer, &entry.key))
                && parts.clone().next().is_some()
                && !parts
                    .clone()
                    .all(|part| allows_null(part.resolved().value()));
            if is_omitted {
                // remove the preceding comma too
                self.edits.push((end..entry.place.end, String::new()));
                let place = Place::Key(place, &entry.key);
                self.note(self.repairs.len(), &place, Change::Null);
            } else {
                // if all entries before this one are removed, it has no preceding comma to remove
                if is_first
                    && end > value.place().start + 1
                    && let Some((cut, _)) = self.edits.last_mut()
                {
                    cut.end = entry.place.start;
                }
                is_first = false;
                let parts = layers.iter();
                let parts = parts.flat_map(|layer| self.patterns.schemas_of(&entry.key, *layer));
                let parts: Vec<SchemaNode<'_>> = parts.collect();
                let place = Place::Key(place, &entry.key);
                self.find(&parts, entry.value, &place, depth + 1);
            }
            end = entry.place.end;
        }
    }

    /// Returns all schemas that a value must match: the given ones, those that they refer to or combine, and one alternative of
    /// each choice.
    fn layers<'a>(&mut self, schemas: &[SchemaNode<'a>], value: Raw<'_>) -> Vec<SchemaNode<'a>> {
        let mut layers = schemas.to_vec();
        let mut at = 0;
        while let Some(&layer) = layers.get(at) {
            if layers.len() > MOST_LAYERS {
                break;
            }
            layers.extend(parts(layer));
            for choice in ["anyOf", "oneOf"] {
                let mut around = layers.clone();
                let mut alternatives = layer.listed(choice);
                let found =
                    alternatives.find(|alternative| self.fits(*alternative, &mut around, value));
                // if several alternatives are possible, the caller decides, and one of them may accept a string
                let is_clear = self.nulls_only
                    || !alternatives.any(|alternative| self.fits(alternative, &mut around, value));
                layers.extend(found.filter(|_| is_clear));
            }
            at += 1;
        }
        layers
    }

    /// Returns whether a value may match an alternative. A value with a key that is neither in the alternative nor in the
    /// surrounding schemas cannot match, because strict mode closes all objects.
    fn fits<'a>(
        &mut self,
        alternative: SchemaNode<'a>,
        around: &mut Vec<SchemaNode<'a>>,
        value: Raw<'_>,
    ) -> bool {
        let from = around.len();
        around.push(alternative);
        let fits = self.has_all_parts(around, from, value) && {
            let inner: Vec<SchemaNode<'a>> =
                around[from..].iter().copied().flat_map(choices).collect();
            if inner.is_empty() {
                let patterns = &mut self.patterns;
                let mut knows = |layer: &SchemaNode<'_>, key: &str| {
                    layer.property(key).is_some() || !patterns.schemas_of(key, *layer).is_empty()
                };
                let mut keys = value.entries().map(|entry| entry.key);
                keys.all(|key| around.iter().any(|layer| knows(layer, &key)))
            } else {
                inner
                    .into_iter()
                    .any(|inner| self.fits(inner, around, value))
            }
        };
        around.truncate(from);
        fits
    }

    /// Adds the schemas that the schema at `from` refers to and combines. Returns whether the value has the required parts of
    /// each of them.
    fn has_all_parts(
        &mut self,
        around: &mut Vec<SchemaNode<'_>>,
        from: usize,
        value: Raw<'_>,
    ) -> bool {
        let mut at = from;
        while let Some(&layer) = around.get(at) {
            let has_work = self.take_work(value.text());
            // a choice may contain itself
            let is_same = |outer: &SchemaNode<'_>| std::ptr::eq(outer.value(), layer.value());
            let is_repeated = around[..at].iter().any(is_same);
            if !has_work || at > 2 * MOST_LAYERS || is_repeated || !has_own_parts(layer, value) {
                return false;
            }
            around.extend(parts(layer));
            at += 1;
        }
        true
    }
}
