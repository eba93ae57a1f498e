//! A string built in const evaluation.

use crate::spec::Number;

/// The capacity of a message in bytes: enough for several name clashes of one skill, each with two paths and two names.
const ROOM: usize = 4096;

/// A string in a fixed buffer. From the first part that does not fit, everything is left out.
#[derive(Clone, Debug)]
pub struct ConstMessage {
    bytes: [u8; ROOM],
    length: usize,
    is_full: bool,
}

impl Default for ConstMessage {
    fn default() -> Self {
        Self::new()
    }
}

impl ConstMessage {
    /// Creates an empty message.
    pub const fn new() -> Self {
        Self {
            bytes: [0; ROOM],
            length: 0,
            is_full: false,
        }
    }

    /// Returns whether the message is empty.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Appends the parts, up to the first one that does not fit.
    pub const fn push(mut self, parts: &[&str]) -> Self {
        let mut p = 0;
        while p < parts.len() {
            let part = parts[p].as_bytes();
            self.is_full |= self.length + part.len() > ROOM;
            if self.is_full {
                return self;
            }
            let mut i = 0;
            while i < part.len() {
                self.bytes[self.length] = part[i];
                self.length += 1;
                i += 1;
            }
            p += 1;
        }
        self
    }

    /// Appends a template, with an argument in place of each `{}`.
    pub const fn fill(mut self, template: &str, args: &[&str]) -> Self {
        let (mut rest, mut used, mut at) = (template, 0, 0);
        while at + 1 < rest.len() {
            at += 1;
            if let (b'{', b'}') = (rest.as_bytes()[at - 1], rest.as_bytes()[at]) {
                let (before, after) = rest.split_at(at - 1);
                self = self.push(&[before, args[used]]);
                (rest, used, at) = (after.split_at(2).1, used + 1, 0);
            }
        }
        self.push(&[rest])
    }

    /// Appends a template for the next clash. See [`fill`](Self::fill).
    pub const fn also(self, template: &str, args: &[&str]) -> Self {
        self.separate().fill(template, args)
    }

    /// Appends an integer in decimal digits, or a float's text.
    pub(crate) const fn push_number(self, number: Number) -> Self {
        let integer = match number {
            Number::Integer(integer) => integer,
            Number::Float(_, text) => return self.push(&[text]),
        };
        // the largest number has 39 digits
        let mut digits = [b'0'; 39];
        let mut start = digits.len();
        let mut rest = integer.unsigned_abs();
        while rest > 0 || start == digits.len() {
            start -= 1;
            digits[start] += (rest % 10) as u8;
            rest /= 10;
        }
        let minus = if integer < 0 { "-" } else { "" };
        match core::str::from_utf8(digits.split_at(start).1) {
            Ok(digits) => self.push(&[minus, digits]),
            Err(_) => self,
        }
    }

    /// Separates the next clash from the previous ones.
    pub const fn separate(self) -> Self {
        if self.is_empty() {
            self
        } else {
            self.push(&["; also: "])
        }
    }

    /// Returns the message.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "a message that is not UTF-8",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_in_order() {
        for (template, filled) in [
            ("", ""),
            ("{}", "a"),
            ("{}{} {", "ab {"),
            ("`{{{}}}` { ... }{}", "`{{a}}` { ... }b"),
            ("no place", "no place"),
        ] {
            let message = ConstMessage::new().fill(template, &["a", "b"]);
            assert_eq!(message.as_str(), filled);
        }
        let message = ConstMessage::new().also("{}", &["a"]).also("{}", &["b"]);
        assert_eq!(message.as_str(), "a; also: b");
    }

    #[test]
    fn numbers_are_written_in_decimal_digits() {
        for number in [0, 7, 10, -4, i128::MAX, i128::MIN] {
            let message = ConstMessage::new().push_number(Number::Integer(number));
            assert_eq!(message.as_str(), number.to_string());
        }
        let message = ConstMessage::new().push_number(Number::Float(1000.0, "1e3"));
        assert_eq!(message.as_str(), "1e3");
    }
}
