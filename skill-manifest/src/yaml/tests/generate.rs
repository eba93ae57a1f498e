//! Generates texts that look like YAML.

use super::vocabulary::{HEADERS, INDICATORS, LINES, NUMBERS, TAGS, WORDS};
use crate::DocumentLimits;

/// A pseudo-random sequence of texts.
pub(super) struct Generator {
    state: u64,
    documents: Vec<String>,
    /// Whether the text has as few errors as possible.
    is_tidy: bool,
}

impl Generator {
    pub(super) fn new(seed: u64, documents: Vec<String>) -> Self {
        // as long as a typical document's frontmatter
        let documents = documents
            .into_iter()
            .filter(|text| text.len() < 2_000)
            .collect();
        Self {
            state: seed,
            documents,
            is_tidy: false,
        }
    }

    pub(super) fn text(&mut self) -> String {
        self.is_tidy = self.is_one_in(3);
        if self.is_tidy {
            return self.nested();
        }
        match self.below(10) {
            0..=2 => self.lines(),
            3..=5 => self.pieces(),
            6..=7 => self.nested(),
            _ => {
                let text = self.document();
                self.mutated(text)
            }
        }
    }

    /// Returns the usual limits in most cases, and sometimes limits that small texts exceed.
    pub(super) fn limits(&mut self) -> DocumentLimits {
        let mut limits = DocumentLimits::DEFAULT;
        if self.is_one_in(3) {
            limits.depth = self.below(5);
            limits.nodes = self.below(15);
        }
        limits
    }

    /// Returns the next random number, from SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn pick(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }

    fn is_one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn line_end(&mut self) -> &'static str {
        match self.below(20) {
            0 => "\r\n",
            1 => "\r",
            _ => "\n",
        }
    }

    fn scalar(&mut self) -> String {
        if self.is_tidy {
            return self.tidy_scalar();
        }
        let scalar = match self.below(6) {
            0..=2 => self.pick(WORDS),
            3..=4 => self.pick(NUMBERS),
            _ => return "a".repeat(1_015 + self.below(20)),
        };
        match self.below(8) {
            0 => format!("'{scalar}'"),
            1 => format!("\"{scalar}\""),
            2 => format!("'{scalar}"),
            3 if self.is_one_in(4) => {
                let header = self.pick(HEADERS);
                format!("{header}\n  {scalar}\n")
            }
            _ => scalar.to_owned(),
        }
    }

    fn tidy_scalar(&mut self) -> String {
        match self.below(8) {
            0 => "''".to_owned(),
            1 => format!("'{}'", self.pick(NUMBERS)),
            2 => format!("\"{}\\u00e9\"", self.pick(NUMBERS)),
            3..=5 => self.pick(NUMBERS).to_owned(),
            _ => ["a", "b c", "é", "字", "x#y", "~", "null", "true", "False"][self.below(9)]
                .to_owned(),
        }
    }

    /// Generates the properties before a value.
    fn properties(&mut self) -> String {
        if self.is_tidy {
            let tags = ["!!str ", "! ", "!x ", "!<x:y> "];
            let tag = self.below(60);
            return tags.get(tag).copied().unwrap_or_default().to_owned();
        }
        match self.below(30) {
            0..=5 => format!("{} ", self.pick(TAGS)),
            6 => "&a ".to_owned(),
            7 => "*a ".to_owned(),
            _ => String::new(),
        }
    }

    /// Generates whole lines with random indentation.
    fn lines(&mut self) -> String {
        let mut text = String::new();
        if self.is_one_in(20) {
            text.push('\u{FEFF}');
        }
        for _ in 0..self.below(9) {
            text.push_str(&" ".repeat([0, 0, 0, 1, 2, 2, 4][self.below(7)]));
            match self.below(4) {
                0..=1 => text.push_str(self.pick(LINES)),
                2 => {
                    text.push_str(&self.properties());
                    text.push_str(&self.scalar());
                    text.push_str(": ");
                    text.push_str(&self.properties());
                    text.push_str(&self.scalar());
                }
                _ => text.push_str(&self.pieces()),
            }
            text.push_str(self.line_end());
        }
        text
    }

    /// Generates indicators and scalars in any order.
    fn pieces(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.below(12) {
            match self.below(6) {
                0..=3 => text.push_str(self.pick(INDICATORS)),
                4 => text.push_str(&self.scalar()),
                _ => text.push_str(&self.properties()),
            }
        }
        text
    }

    /// Generates text that is usually valid. Its properties may not be.
    fn nested(&mut self) -> String {
        let depth = self.below(7);
        let mut text = String::new();
        if self.is_one_in(10) {
            text.push_str("%TAG !e! tag:yaml.org,2002:\n---\n");
        }
        if self.is_one_in(2) {
            self.block(&mut text, 0, depth);
        } else {
            self.flow(&mut text, depth);
        }
        if self.is_one_in(20) {
            let text = std::mem::take(&mut text);
            return self.mutated(text);
        }
        text
    }

    fn block(&mut self, text: &mut String, indent: usize, depth: usize) {
        let margin = " ".repeat(indent);
        for _ in 0..=self.below(3) {
            let start = text.len();
            text.push_str(&margin);
            match self.below(5) {
                0 => text.push_str("- "),
                1 => text.push_str("? "),
                _ => {
                    text.push_str(&self.properties());
                    text.push_str(&self.scalar());
                    text.push_str(": ");
                }
            }
            text.push_str(&self.properties());
            if depth > 0 && self.is_one_in(2) {
                if self.is_one_in(3) {
                    self.flow(text, depth - 1);
                    text.push('\n');
                } else {
                    if !text[start..].ends_with("- ") {
                        text.push('\n');
                    }
                    self.block(text, indent + 2, depth - 1);
                }
            } else {
                text.push_str(&self.scalar());
                text.push_str(self.line_end());
            }
        }
    }

    fn flow(&mut self, text: &mut String, depth: usize) {
        text.push_str(&self.properties());
        if depth == 0 {
            text.push_str(&self.scalar());
            return;
        }
        let is_list = self.is_one_in(2);
        text.push(if is_list { '[' } else { '{' });
        for _ in 0..self.below(4) {
            if self.is_one_in(5) {
                text.push_str("? ");
            }
            self.flow(text, depth - 1);
            if !is_list || self.is_one_in(6) {
                text.push_str(": ");
                self.flow(text, depth - 1);
            }
            text.push_str([", ", ",", ",\n", "  ,\n  "][self.below(4)]);
        }
        text.push(if is_list { ']' } else { '}' });
    }

    fn document(&mut self) -> String {
        let index = self.below(self.documents.len());
        self.documents[index].clone()
    }

    /// Removes, inserts, replaces or repeats a few characters or lines of text.
    fn mutated(&mut self, text: String) -> String {
        let mut text = text;
        for _ in 0..=self.below(4) {
            let (begin, end) = self.range(&text);
            match self.below(6) {
                0 => text.replace_range(begin..end, ""),
                1 => text.insert_str(begin, self.pick(INDICATORS)),
                2 => text.replace_range(begin..end, self.pick(INDICATORS)),
                3 => {
                    let repeated = text[begin..end].to_owned();
                    text.insert_str(end, &repeated);
                }
                4 => {
                    let line = format!("{}{}", self.pick(LINES), self.line_end());
                    let begin = text[..begin].rfind('\n').map_or(0, |index| index + 1);
                    text.insert_str(begin, &line);
                }
                _ => {
                    let inserted = self.properties() + &self.scalar();
                    text.insert_str(begin, &inserted);
                }
            }
        }
        text
    }

    /// Returns a short range between two characters, or a line.
    fn range(&mut self, text: &str) -> (usize, usize) {
        let mut begin = self.below(text.len() + 1);
        while !text.is_char_boundary(begin) {
            begin -= 1;
        }
        if self.is_one_in(4) {
            let line = text[..begin].rfind('\n').map_or(0, |index| index + 1);
            let end = text[begin..]
                .find('\n')
                .map_or(text.len(), |index| begin + index + 1);
            return (line, end);
        }
        let length = self.below(4);
        let end = text[begin..].char_indices().nth(length);
        (begin, end.map_or(text.len(), |(index, _)| begin + index))
    }
}
