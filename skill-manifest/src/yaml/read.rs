//! Converts parser events to nodes.

use super::error::{Failure, Reason};
use super::limits::{Counter, parser_options};
use super::scalar::Scalar;
use super::tag::Tag;
use super::{Node, Value};
use crate::DocumentLimits;
use crate::diagnostic::Position;
use granit_parser::{Event, Marker, Parser, ScalarStyle, Span, StrInput};
use std::borrow::Cow;
use std::collections::VecDeque;

/// Parses a single document within limits. The recursion is as deep as the document, whose depth [`Counter`] limits.
pub(super) struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    counter: Counter,
    /// The tokens of a key that was read ahead of its value.
    key: VecDeque<Token<'a>>,
    /// The place of the last event.
    place: Place,
}

/// An event that is part of a value.
struct Token<'a> {
    kind: TokenKind<'a>,
    place: Place,
    tagged: bool,
    ignored_tag: Option<Box<str>>,
}

enum TokenKind<'a> {
    Scalar(Scalar<'a>),
    ListStart,
    ListEnd,
    MapStart,
    MapEnd,
}

#[derive(Clone, Copy)]
struct Place {
    at: Position,
    /// The byte range in the source.
    span: (usize, usize),
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a str, limits: &DocumentLimits) -> Self {
        Self {
            parser: Parser::with_options(StrInput::new(source), parser_options(limits)),
            counter: Counter::new(limits),
            key: VecDeque::new(),
            place: Place {
                at: Position { line: 0, column: 0 },
                span: (0, 0),
            },
        }
    }

    /// Reads the only document, up to the end of the text. An empty text is null.
    pub(super) fn document(mut self) -> Result<Node, Failure> {
        let root = match self.next()? {
            Some(first) => self.node(first)?,
            None => self.place.node(Value::Null, false, None),
        };
        match self.next()? {
            None => Ok(root),
            Some(second) => Err(Failure::new(Reason::SecondDocument, second.place.at)),
        }
    }

    /// Reads the node that begins with the given token.
    fn node(&mut self, first: Token<'a>) -> Result<Node, Failure> {
        let Token {
            kind,
            place,
            tagged,
            ignored_tag,
        } = first;
        let value = match kind {
            TokenKind::Scalar(scalar) => scalar
                .resolve()
                .map_err(|problem| Failure::invalid(problem, place.at))?,
            TokenKind::ListStart => Value::List(self.items()?),
            TokenKind::MapStart => Value::Map(self.entries()?),
            TokenKind::ListEnd | TokenKind::MapEnd => {
                return Err(Failure::invalid("unexpected end of a value", place.at));
            }
        };
        Ok(place.node(value, tagged, ignored_tag))
    }

    fn items(&mut self) -> Result<Vec<Node>, Failure> {
        let mut items = Vec::new();
        loop {
            let token = self.expect()?;
            if matches!(token.kind, TokenKind::ListEnd) {
                return Ok(items);
            }
            items.push(self.node(token)?);
        }
    }

    fn entries(&mut self) -> Result<Vec<(Node, Node)>, Failure> {
        let mut entries = Vec::new();
        loop {
            let token = self.expect()?;
            match &token.kind {
                TokenKind::MapEnd => return Ok(entries),
                TokenKind::Scalar(scalar) if scalar.is_merge_key() => {
                    return Err(Failure::new(Reason::MergeKey, token.place.at));
                }
                TokenKind::ListStart | TokenKind::MapStart => self.read_ahead()?,
                _ => {}
            }
            let key = self.node(token)?;
            let token = self.expect()?;
            let value = self.node(token)?;
            entries.push((key, value));
        }
    }

    /// Parses the rest of a key that is a list or a mapping, so that a syntax error in the key is reported before an error in the
    /// value.
    fn read_ahead(&mut self) -> Result<(), Failure> {
        if !self.key.is_empty() {
            return Ok(()); // the key contains another key
        }
        let mut tokens = VecDeque::new();
        let mut depth = 1_usize;
        while depth > 0 {
            let token = self.expect()?;
            match token.kind {
                TokenKind::ListStart | TokenKind::MapStart => depth += 1,
                TokenKind::ListEnd | TokenKind::MapEnd => depth -= 1,
                TokenKind::Scalar(_) => {}
            }
            tokens.push_back(token);
        }
        self.key = tokens;
        Ok(())
    }

    fn expect(&mut self) -> Result<Token<'a>, Failure> {
        let token = self.next()?;
        token.ok_or_else(|| Failure::invalid("unexpected end of input", self.place.at))
    }

    /// Returns the next token, or `None` at the end of the text.
    fn next(&mut self) -> Result<Option<Token<'a>>, Failure> {
        if let Some(token) = self.key.pop_front() {
            return Ok(Some(token));
        }
        for next in self.parser.by_ref() {
            let (event, span) =
                next.map_err(|error| Failure::new(Reason::of(&error), position(error.marker())))?;
            let place = Place::of(&span);
            self.place = place;
            self.counter
                .count(&event)
                .map_err(|reason| Failure::new(reason, place.at))?;
            let tag = event.tag();
            let tagged = tag.is_some();
            let ignored = tag.filter(|tag| Tag::of(Some(tag)).is_ignored());
            let ignored_tag = ignored.map(|tag| tag.original().into());
            let kind =
                TokenKind::of(event).map_err(|problem| Failure::invalid(problem, place.at))?;
            if let Some(kind) = kind {
                return Ok(Some(Token {
                    kind,
                    place,
                    tagged,
                    ignored_tag,
                }));
            }
        }
        Ok(None)
    }
}

impl<'a> TokenKind<'a> {
    /// Converts an event to a part of a value. Returns `None` for other events, and an error for an invalid tag.
    fn of(event: Event<'a>) -> Result<Option<Self>, Cow<'static, str>> {
        let tag = Tag::of(event.tag());
        let fits = match &event {
            Event::Scalar(..) => tag.fits_scalar(),
            Event::SequenceStart(..) => tag.fits_list(),
            Event::MappingStart(..) => tag.fits_map(),
            _ => true,
        };
        if !fits {
            return Err(if tag == Tag::Include {
                "!include currently only supports the scalar form: !include <path>".into()
            } else {
                let tag = event.tag().map(granit_parser::Tag::original);
                format!("unsupported tag `{}`", tag.unwrap_or_default()).into()
            });
        }
        Ok(Some(match event {
            Event::Scalar(text, style, ..) => Self::Scalar(Scalar {
                text,
                is_plain: style == ScalarStyle::Plain,
                tag,
            }),
            Event::SequenceStart(..) => Self::ListStart,
            Event::SequenceEnd => Self::ListEnd,
            Event::MappingStart(..) => Self::MapStart,
            Event::MappingEnd => Self::MapEnd,
            _ => return Ok(None),
        }))
    }
}

impl Place {
    fn of(span: &Span) -> Self {
        let begin = span.start.byte_offset().unwrap_or_default();
        let end = span.end.byte_offset().unwrap_or_default();
        Self {
            at: position(&span.start),
            span: (begin, end.max(begin)),
        }
    }

    fn node(self, value: Value, tagged: bool, ignored_tag: Option<Box<str>>) -> Node {
        Node {
            at: self.at,
            value,
            tagged,
            ignored_tag,
            span: self.span,
        }
    }
}

fn position(marker: &Marker) -> Position {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Position {
        line: number(marker.line()),
        column: number(marker.col().saturating_add(1)),
    }
}
