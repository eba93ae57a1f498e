//! A trie of patterns by segment.
//!
//! One pass over a type visits each node at most once, however many `**` are above it. A node is visited together with *all* its
//! possible positions in the type, as the bits of a word. The search therefore never backtracks, finds nothing twice, and
//! allocates no list of visited nodes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The maximum number of a type's segments whose positions fit into [`Positions`].
const MOST: usize = 127;

/// Positions between a type's segments: bit `i` is before segment `i`, and the bit after the last segment is the end.
type Positions = u128;

type NodeId = u32;

/// A segment's text as a number, so that it is compared and hashed once for all nodes.
type Symbol = u32;

/// The value for no symbol and no child. It equals the root's id, because the root is never a child.
const NONE: u32 = 0;

const ROOT: NodeId = 0;

/// The patterns, each with the slots registered under it.
#[derive(Clone, Debug)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    free: Vec<NodeId>,
    /// The children of nodes by segment.
    names: HashMap<(NodeId, Symbol), NodeId, BuildHasherDefault<Mix>>,
    symbols: HashMap<Box<str>, Interned>,
    free_symbols: Vec<Symbol>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    parent: NodeId,
    /// The number of children for named segments.
    named: u32,
    /// The child for `*`.
    one: NodeId,
    /// The child for `**`.
    many: NodeId,
    slots: Vec<u32>,
}

impl Node {
    fn is_bare(&self) -> bool {
        self.slots.is_empty() && self.named == 0 && self.one == NONE && self.many == NONE
    }
}

#[derive(Clone, Copy, Debug)]
struct Interned {
    symbol: Symbol,
    /// The number of nodes for this segment.
    uses: u32,
}

impl Default for Trie {
    fn default() -> Self {
        Self {
            nodes: vec![Node::default()],
            free: Vec::new(),
            names: HashMap::default(),
            symbols: HashMap::new(),
            free_symbols: Vec::new(),
        }
    }
}

impl Trie {
    /// Adds a slot to a pattern.
    pub(super) fn insert(&mut self, pattern: &str, slot: u32) {
        let mut at = ROOT;
        for segment in segments(pattern) {
            at = match self.child(at, segment) {
                Some(child) => child,
                None => self.grow(at, segment),
            };
        }
        self.nodes[at as usize].slots.push(slot);
    }

    /// Removes a slot from a pattern, and the nodes that are no longer used.
    pub(super) fn remove(&mut self, pattern: &str, slot: u32) {
        let Some(mut at) = self.find(pattern) else {
            return;
        };
        self.nodes[at as usize].slots.retain(|other| *other != slot);
        let mut segments: Vec<&str> = segments(pattern).collect();
        while at != ROOT && self.nodes[at as usize].is_bare() {
            let parent = self.nodes[at as usize].parent;
            self.cut(parent, segments.pop().unwrap_or_default());
            self.free.push(at);
            at = parent;
        }
    }

    /// Returns the slots registered under exactly this pattern.
    pub(super) fn slots(&self, pattern: &str) -> &[u32] {
        let at = self.find(pattern);
        at.map_or(&[], |at| &self.nodes[at as usize].slots)
    }

    /// Calls `visit` once with every slot whose pattern matches the type. Returns `false`, without a call, if the type has too
    /// many segments.
    pub(super) fn walk(&self, ty: &str, visit: &mut impl FnMut(u32)) -> bool {
        let mut symbols = [NONE; MOST];
        let mut length = 0;
        for segment in ty.split('.') {
            let Some(symbol) = symbols.get_mut(length) else {
                return false;
            };
            *symbol = self
                .symbols
                .get(segment)
                .map_or(NONE, |segment| segment.symbol);
            length += 1;
        }
        let walk = Walk {
            trie: self,
            symbols: &symbols[..length],
            end: 1 << length,
        };
        walk.visit(ROOT, 1, visit);
        true
    }

    fn find(&self, pattern: &str) -> Option<NodeId> {
        segments(pattern).try_fold(ROOT, |at, segment| self.child(at, segment))
    }

    fn child(&self, at: NodeId, segment: &str) -> Option<NodeId> {
        let node = &self.nodes[at as usize];
        let child = match segment {
            "*" => node.one,
            "**" => node.many,
            name => *self.names.get(&(at, self.symbols.get(name)?.symbol))?,
        };
        (child != NONE).then_some(child)
    }

    fn grow(&mut self, parent: NodeId, segment: &str) -> NodeId {
        let node = Node {
            parent,
            ..Node::default()
        };
        let child = match self.free.pop() {
            Some(free) => {
                self.nodes[free as usize] = node;
                free
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as NodeId
            }
        };
        match segment {
            "*" => self.nodes[parent as usize].one = child,
            "**" => self.nodes[parent as usize].many = child,
            name => {
                let symbol = self.intern(name);
                self.names.insert((parent, symbol), child);
                self.nodes[parent as usize].named += 1;
            }
        }
        child
    }

    fn cut(&mut self, parent: NodeId, segment: &str) {
        match segment {
            "*" => self.nodes[parent as usize].one = NONE,
            "**" => self.nodes[parent as usize].many = NONE,
            name => {
                if let Some(symbol) = self.release(name) {
                    self.names.remove(&(parent, symbol));
                    self.nodes[parent as usize].named -= 1;
                }
            }
        }
    }

    fn intern(&mut self, name: &str) -> Symbol {
        if let Some(interned) = self.symbols.get_mut(name) {
            interned.uses += 1;
            return interned.symbol;
        }
        let next = self.symbols.len() as Symbol + 1;
        let symbol = self.free_symbols.pop().unwrap_or(next);
        let interned = Interned { symbol, uses: 1 };
        self.symbols.insert(name.into(), interned);
        symbol
    }

    fn release(&mut self, name: &str) -> Option<Symbol> {
        let interned = self.symbols.get_mut(name)?;
        let symbol = interned.symbol;
        interned.uses -= 1;
        if interned.uses == 0 {
            self.symbols.remove(name);
            self.free_symbols.push(symbol);
        }
        Some(symbol)
    }

    #[cfg(test)]
    pub(super) fn is_bare(&self) -> bool {
        let kept = self.nodes.len() - self.free.len();
        kept == 1 && self.nodes[0].is_bare() && self.names.is_empty() && self.symbols.is_empty()
    }
}

/// Returns the segments of a pattern. Skips a `**` after a `**`, because it adds nothing and could make a node deeper than the
/// longest type.
fn segments(pattern: &str) -> impl Iterator<Item = &str> {
    let mut after_many = false;
    pattern.split('.').filter(move |segment| {
        let again = after_many && *segment == "**";
        after_many = *segment == "**";
        !again
    })
}

/// One pass over a type.
struct Walk<'a> {
    trie: &'a Trie,
    /// The type's segments; [`NONE`] for a segment that is in no pattern.
    symbols: &'a [Symbol],
    end: Positions,
}

impl Walk<'_> {
    fn visit(&self, at: NodeId, positions: Positions, visit: &mut impl FnMut(u32)) {
        let node = &self.trie.nodes[at as usize];
        if positions & self.end != 0 {
            node.slots.iter().copied().for_each(&mut *visit);
        }
        let inside = positions & !self.end;
        if node.named != 0 {
            self.visit_named(at, inside, visit);
        }
        if node.one != NONE && inside != 0 {
            self.visit(node.one, inside << 1, visit);
        }
        if node.many != NONE {
            self.visit(node.many, self.first_and_after(positions), visit);
        }
    }

    fn visit_named(&self, at: NodeId, mut positions: Positions, visit: &mut impl FnMut(u32)) {
        while positions != 0 {
            let first = positions.trailing_zeros() as usize;
            positions &= positions - 1;
            let symbol = self.symbols[first];
            if symbol == NONE {
                continue;
            }
            if let Some(&child) = self.trie.names.get(&(at, symbol)) {
                let others = self.named_alike(symbol, positions);
                positions &= !others;
                self.visit(child, (others | 1 << first) << 1, visit);
            }
        }
    }

    /// Returns the positions that are before the segment `symbol`.
    fn named_alike(&self, symbol: Symbol, mut positions: Positions) -> Positions {
        let mut alike = 0;
        while positions != 0 {
            let place = positions.trailing_zeros() as usize;
            positions &= positions - 1;
            alike |= Positions::from(self.symbols[place] == symbol) << place;
        }
        alike
    }

    /// Returns the first of the positions, and all after it.
    fn first_and_after(&self, positions: Positions) -> Positions {
        let all = (self.end << 1).wrapping_sub(1);
        all << positions.trailing_zeros() & all
    }
}

/// Hashes pairs of numbers that the trie assigns itself, so that a sender cannot make them collide.
#[derive(Clone, Copy, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        // the table takes the bucket from the low bits and the tag from the high ones
        self.0 ^ self.0 >> 32
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u32(u32::from(*byte)));
    }
}
