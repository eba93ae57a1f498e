//! Reads, writes and describes the struct of an action, without the derives of serde and schemars.
//!
//! `#[action]` writes a table of the arguments ([`Arg`]) and five short functions ([`ArgumentList`]); the rest is here, compiled
//! once. That takes less than two thirds of the check time of the derives. It also supports constraints, which are written into
//! the schema and checked while reading, when the path is known.

mod check;
mod limits;
mod read;
mod schema;
mod write;

pub use check::{Checked, Unchecked, check_argument};
pub use limits::{
    Length, LimitUse, Ranged, RegexPattern, Textual, limit_length, limit_pattern, limit_range,
};
pub use read::{Slot, Wire, field, need, read_arguments, read_wire};
pub use schema::{Arg, arguments_schema, describe_arguments, examples, refine_property, value};
pub use write::{write_argument, write_arguments};

use crate::bounds::Argument;
use serde::de::{self, MapAccess};
use serde::ser::SerializeStruct;

/// The struct of an action, as a list of arguments. Written by `#[action]`.
pub trait ArgumentList: Sized {
    /// The name of the struct.
    const STRUCT: &'static str;
    /// The description of the struct, for the schema.
    const DESCRIPTION: &'static str;
    /// The JSON names.
    const NAMES: &'static [&'static str];
    /// The descriptions of the arguments, in the same order.
    const ARGS: &'static [Arg];
    /// One [`Slot`] for each argument.
    type Slots;

    /// Empty slots. (Tuples of more than twelve do not implement `Default`.)
    fn slots() -> Self::Slots;

    /// The index of the argument called `name`.
    fn place(name: &str) -> Option<usize>;

    /// Reads the value of the argument at `index` into its slot.
    fn fill<'de, M: MapAccess<'de>>(
        slots: &mut Self::Slots,
        index: usize,
        map: &mut M,
    ) -> Result<(), M::Error>;

    /// Makes the struct of the slots.
    fn build<E: de::Error>(slots: Self::Slots) -> Result<Self, E>;

    /// Writes every argument.
    fn write<W: SerializeStruct>(&self, out: &mut W) -> Result<(), W::Error>;
}

/// The type of the argument at `I`. It is mentioned once, so that a type that cannot be an argument causes one error.
pub trait ArgumentAt<const I: usize> {
    /// The type.
    type Type: Argument;
}
