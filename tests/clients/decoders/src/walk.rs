//! Values that a decoder allows: random walks over its masks, byte by byte.

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv};
use llguidance::{Matcher, ParserFactory};
use serde_json::{Value, json};

/// A walk that is longer is given up.
const MOST_BYTES: usize = 2_000;

/// A compiled schema.
pub struct Decoder(Matcher);

impl Decoder {
    /// Compiles a schema. A lenient decoder ignores the keywords and formats that it does not have.
    ///
    /// # Errors
    ///
    /// The message of the decoder.
    pub fn new(schema: &Value, lenient: bool) -> Result<Self, String> {
        let environment: TokEnv = ApproximateTokEnv::single_byte_env();
        let mut schema = schema.clone();
        // spaces between tokens say nothing, and a walk would be lost in them
        schema["x-guidance"] = json!({
            "whitespace_flexible": false,
            "lenient": lenient,
            "coerce_one_of": lenient,
        });
        let mut factory = ParserFactory::new_simple(&environment).map_err(|e| e.to_string())?;
        let parser = factory
            .quiet()
            .create_parser(TopLevelGrammar::from_json_schema(schema));
        let matcher = Matcher::new(parser);
        match matcher.get_error() {
            Some(error) => Err(error),
            None => Ok(Self(matcher)),
        }
    }

    /// Walks until the value is complete; `None` if that takes too long.
    pub fn value(&mut self, dice: &mut Dice) -> Option<String> {
        self.0.reset().expect("a new walk begins");
        let mut text = Vec::new();
        while text.len() < MOST_BYTES {
            if self.0.is_accepting().expect("the walk is allowed") {
                let text = String::from_utf8(text).expect("the decoder writes UTF-8");
                return Some(text);
            }
            let mask = self.0.compute_mask().expect("the walk is allowed");
            let allowed: Vec<u8> = (0..=255)
                .filter(|&byte| mask.is_allowed(byte.into()))
                .collect();
            let byte = dice.byte(&allowed, text.len());
            self.0
                .consume_token(byte.into())
                .expect("the mask allows it");
            text.push(byte);
        }
        None
    }
}

/// Chooses the same bytes in each run.
pub struct Dice(u64);

impl Dice {
    /// Dice for one subject.
    pub fn new(seed: &str) -> Self {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(seed.bytes().fold(0xcbf2_9ce4_8422_2325, mix) | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    /// One of the allowed bytes. First a kind of byte is chosen, so that texts and lists end; the longer the walk, the sooner.
    fn byte(&mut self, allowed: &[u8], length: usize) -> u8 {
        let kinds = [
            Kind::Ends,
            Kind::Continues,
            Kind::Word,
            Kind::Number,
            Kind::Rare,
        ];
        let weights = kinds.map(|kind| {
            let is_there = allowed.iter().any(|&byte| Kind::of(byte) == kind);
            if is_there { kind.weight(length) } else { 0 }
        });
        let mut chosen = self.below(weights.iter().sum());
        let mut weighted = kinds.into_iter().zip(weights);
        let kind = loop {
            let (kind, weight) = weighted.next().expect("one of the weights is chosen");
            if chosen < weight {
                break kind;
            }
            chosen -= weight;
        };
        let bytes: Vec<u8> = allowed
            .iter()
            .copied()
            .filter(|&byte| Kind::of(byte) == kind)
            .collect();
        bytes[self.below(bytes.len())]
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ends,
    Continues,
    Word,
    Number,
    Rare,
}

impl Kind {
    fn of(byte: u8) -> Self {
        match byte {
            b'"' | b']' | b'}' => Self::Ends,
            b',' | b':' | b'{' | b'[' => Self::Continues,
            b'a'..=b'z' | b'A'..=b'Z' | b' ' | b'_' => Self::Word,
            b'0'..=b'9' | b'-' | b'.' => Self::Number,
            _ => Self::Rare,
        }
    }

    fn weight(self, length: usize) -> usize {
        match self {
            Self::Ends => 30 + length,
            Self::Continues => 30,
            Self::Word | Self::Number => 20,
            Self::Rare => 4,
        }
    }
}
