//! Reports literals in `agent!` that violate a constraint on their field.

use crate::composition::messages::const_message::ConstMessage;
use crate::spec::{Bounds, Constraints, FieldConstraints, Number, Provenance};
use crate::{Agent, SkillOf, SkillSpec};

/// A literal in one of the configurations in `agent!`.
#[derive(Clone, Copy, Debug)]
pub struct ConfigLiteral {
    field: &'static str,
    /// The number of lists around the literal.
    depth: usize,
    value: Value,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Number(Number),
    Length(Number),
}

impl ConfigLiteral {
    /// Creates a numeric literal.
    pub const fn number(field: &'static str, number: Number) -> Self {
        Self {
            field,
            depth: 0,
            value: Value::Number(number),
        }
    }

    /// Creates a literal for a string with `length` characters, or a list with `length` items.
    pub const fn length(field: &'static str, length: usize) -> Self {
        Self {
            field,
            depth: 0,
            value: Value::Length(Number::Integer(length as i128)),
        }
    }

    /// Sets the number of lists around the literal.
    #[must_use]
    pub const fn depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Returns the range that the literal violates.
    const fn violated(&self, constraints: &Constraints) -> Option<Bounds> {
        let (bounds, number) = match self.value {
            Value::Number(number) => (constraints.range, number),
            Value::Length(length) => (constraints.length, length),
        };
        match bounds {
            Some(bounds) if !bounds.contain(number) => Some(bounds),
            _ => None,
        }
    }
}

/// Panics in const evaluation if a literal violates a constraint on its field. `agent!` calls this at the literal.
#[track_caller]
pub const fn report_literal<G: Agent, S: SkillOf<G, AT>, const AT: usize>(literal: ConfigLiteral) {
    let spec = &S::SPEC;
    let Some(field) = find(spec.config_constraints, literal.field) else {
        return;
    };
    if literal.depth >= field.levels.len() {
        return;
    }
    if let Some(bounds) = literal.violated(&field.levels[literal.depth]) {
        panic!("{}", message(&literal, bounds, spec).as_str());
    }
}

const fn message(literal: &ConfigLiteral, bounds: Bounds, spec: &SkillSpec) -> ConstMessage {
    let mut text = ConstMessage::new();
    text = match literal.value {
        Value::Number(number) => text.push_number(number),
        Value::Length(length) => text.push(&["the length "]).push_number(length),
    };
    text = range(text.push(&[" is out of range, expected "]), bounds);
    let place = match literal.depth {
        0 => "",
        _ => "an item of ",
    };
    let owner = match spec.provenance {
        Provenance::Agent => "agent",
        _ => "skill",
    };
    text.fill(
        " for {}`{}` in the configuration of the {} `{}`",
        &[place, literal.field, owner, spec.type_path],
    )
}

/// Appends a range in Rust syntax.
const fn range(mut text: ConstMessage, bounds: Bounds) -> ConstMessage {
    if let Some(low) = bounds.low {
        text = text.push_number(low);
    }
    match bounds.high {
        Some(high) => text.push(&["..="]).push_number(high),
        None => text.push(&[".."]),
    }
}

/// Finds a field's constraints. The search is binary, because an agent may set every field.
const fn find<'a>(sorted: &'a [FieldConstraints], name: &str) -> Option<&'a FieldConstraints> {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = low + (high - low) / 2;
        match order(sorted[middle].field, name) {
            0 => return Some(&sorted[middle]),
            order if order < 0 => low = middle + 1,
            _ => high = middle,
        }
    }
    None
}

/// Compares byte by byte: negative if `a` comes before `b`, 0 if they are equal, positive otherwise.
const fn order(a: &str, b: &str) -> i32 {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() {
        if a[i] != b[i] {
            return a[i] as i32 - b[i] as i32;
        }
        i += 1;
    }
    if a.len() < b.len() {
        -1
    } else {
        (a.len() > b.len()) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_names_is_that_of_the_standard_library() {
        let names = ["", "a", "ab", "b", "window", "ä"];
        for a in names {
            for b in names {
                assert_eq!(order(a, b).signum(), a.cmp(b) as i32, "{a} {b}");
            }
        }
    }

    #[test]
    fn every_field_is_found() {
        let names = ["a", "ab", "b", "length", "window"];
        for count in 0..=names.len() {
            let fields: Vec<_> = names[..count]
                .iter()
                .map(|name| FieldConstraints::new(name, &[]))
                .collect();
            for (index, name) in names.iter().enumerate() {
                let found = find(&fields, name).map(|field| field.field);
                assert_eq!(found, (index < count).then_some(*name));
            }
        }
    }
}
