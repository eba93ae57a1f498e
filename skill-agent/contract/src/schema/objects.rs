//! Compares the properties of objects.

use super::Role;
use super::annotations::TEXTS;
use super::compare::Comparison;
use super::difference::What;
use super::shape::{All, Alternative, is_anything, is_nothing};
use serde_json::Value;
use skill_agent_schema::SchemaNode;
use std::collections::BTreeSet;

impl<'s> Comparison<'s> {
    pub(super) fn objects(&mut self, first: &Alternative<'s>, second: &Alternative<'s>) {
        let renamed = self.renamed(first, second);
        if let Some((old, new)) = renamed {
            self.property(old, |this| this.push(What::Renamed(new.to_owned())));
        }
        let names = first.properties.keys().chain(second.properties.keys());
        let names: BTreeSet<&str> = names.chain(&second.required).copied().collect();
        for name in names {
            if renamed.is_none_or(|(old, new)| name != old && name != new) {
                self.property(name, |this| this.compare_property(name, first, second));
            }
        }
        self.compare_other_keys(first, second);
    }

    fn property(&mut self, name: &str, compare: impl FnOnce(&mut Self)) {
        let dot = if self.path.is_empty() { "" } else { "." };
        self.below(&format!("{dot}{name}"), compare);
    }

    fn compare_property(&mut self, name: &str, first: &Alternative<'s>, second: &Alternative<'s>) {
        let is_required = second.required.contains(name) && !first.required.contains(name);
        match (first.properties.get(name), second.properties.get(name)) {
            (Some(one), _) if is_nothing(one) => {
                if is_required {
                    self.push(What::Requires);
                }
            }
            (Some(one), Some(other)) => {
                if is_required {
                    self.push(What::Requires);
                }
                self.compare(one, other);
            }
            (Some(one), None) => self.lacking(one, second),
            (None, Some(other)) => self.adding(other, is_required, first),
            (None, None) if is_required => self.push(What::Requires),
            (None, None) => {}
        }
    }

    /// Handles a property of the first object that the second lacks.
    fn lacking(&mut self, one: &All<'s>, second: &Alternative<'s>) {
        let is_map = !is_anything(&second.others) && !is_nothing(&second.others);
        if is_map || !second.patterns.is_empty() {
            // when a struct becomes a map, it keeps its fields
            let patterns = second.patterns.iter().map(|(_, schema)| schema);
            return patterns
                .chain([&second.others])
                .for_each(|other| self.compare(one, other));
        }
        let is_open = is_anything(&second.others);
        match (self.role, self.first_is_old) {
            // the other direction reports the property as added
            (Role::Answer, true) if is_open => {}
            (Role::Answer, false) if is_open => {}
            _ => self.push(What::Lacks {
                is_ignored: is_open,
            }),
        }
    }

    /// Handles a property of the second object that the first lacks.
    fn adding(&mut self, other: &All<'s>, is_required: bool, first: &Alternative<'s>) {
        let is_map = !is_anything(&first.others) && !is_nothing(&first.others);
        if is_map || !first.patterns.is_empty() {
            // a map may become a struct
            if is_required {
                self.push(What::Requires);
            }
            let patterns = first.patterns.iter().map(|(_, schema)| schema);
            return patterns
                .chain([&first.others])
                .for_each(|one| self.compare(one, other));
        }
        match (self.role, self.first_is_old) {
            // a key that the old schema does not name is unused, even if an open object allows it
            (Role::Arguments | Role::State | Role::Configuration, true) if !is_required => {}
            // answers, and the directions that report new or removed properties
            _ => self.push(What::Adds { is_required }),
        }
    }

    fn compare_other_keys(&mut self, first: &Alternative<'s>, second: &Alternative<'s>) {
        for (pattern, schema) in &second.patterns {
            let own = first.patterns.iter().find(|(own, _)| own == pattern);
            // keys are not matched against patterns
            let has_named = !first.properties.is_empty() || !first.patterns.is_empty();
            if own.is_none() && has_named && !is_anything(schema) {
                let reason = "a pattern of keys is combined with other properties";
                self.push(What::Unknown(reason));
                continue;
            }
            let own = own.map_or(&first.others, |(_, own)| own);
            self.other_keys(own, schema);
        }
        for (pattern, schema) in &first.patterns {
            if !second.patterns.iter().any(|(own, _)| own == pattern) {
                self.other_keys(schema, &second.others);
            }
        }
        self.other_keys(&first.others, &second.others);
    }

    fn other_keys(&mut self, first: &All<'s>, second: &All<'s>) {
        if is_nothing(first) {
            return;
        }
        if is_nothing(second) {
            return self.push(What::Keys);
        }
        let dot = if self.path.is_empty() { "*" } else { ".*" };
        self.below(dot, |this| this.compare(first, second));
    }

    /// Returns the only removed property and the only new one, if they have the same schema.
    fn renamed(
        &self,
        first: &Alternative<'s>,
        second: &Alternative<'s>,
    ) -> Option<(&'s str, &'s str)> {
        let (old, new) = if self.first_is_old {
            (first, second)
        } else {
            (second, first)
        };
        let (gone, gone_schema) = only(old, new)?;
        let (added, added_schema) = only(new, old)?;
        has_same_schema(gone_schema, added_schema).then_some((gone, added))
    }
}

/// Returns whether the schemas of two properties are equal apart from their texts.
fn has_same_schema(one: &All<'_>, other: &All<'_>) -> bool {
    match (&one[..], &other[..]) {
        ([one], [other]) => without_texts(*one) == without_texts(*other),
        _ => false,
    }
}

fn without_texts(node: SchemaNode<'_>) -> Value {
    let mut value = node.value().clone();
    if let Some(keywords) = value.as_object_mut() {
        keywords.retain(|keyword, _| !TEXTS.contains(&keyword.as_str()) && keyword != "default");
    }
    value
}

/// Returns the only property that one object has and the other lacks.
fn only<'a, 's>(
    one: &'a Alternative<'s>,
    other: &Alternative<'s>,
) -> Option<(&'s str, &'a All<'s>)> {
    let properties = one.properties.iter();
    let mut others = properties.filter(|(name, _)| !other.properties.contains_key(*name));
    let (name, schema) = others.next()?;
    others.next().is_none().then_some((*name, schema))
}
