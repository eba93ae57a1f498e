//! How the struct of an action is read, written and described, without serde's and schemars' derives.
//!
//! `#[action]` writes a table of the arguments ([`Arg`]) and five short functions ([`ArgumentList`]); everything else is
//! here, once. That takes less than two thirds of the check time of the derives, and adds what they lack: constraints
//! that are in the schema and checked while reading, where the path is known.

mod check;
mod limits;
mod read;
mod schema;
mod write;

pub use check::{Checked, Unchecked, check_argument};
pub use limits::{
    Length, Limiting, Pattern, Ranged, Textual, limit_length, limit_pattern, limit_range,
};
pub use read::{Slot, Wire, field, need, read_arguments, read_wire};
pub use schema::{Arg, arguments_schema, examples, refine_property, value};
pub use write::{write_argument, write_arguments};

use crate::data::Argument;
use serde::de::{self, MapAccess};
use serde::ser::SerializeStruct;

/// The struct of an action, as a list of arguments. Written by `#[action]`.
pub trait ArgumentList: Sized {
    /// The name of the struct.
    const STRUCT: &'static str;
    /// What the whole is, for the schema.
    const DESCRIPTION: &'static str;
    /// The JSON names.
    const NAMES: &'static [&'static str];
    /// The same arguments, described.
    const ARGS: &'static [Arg];
    /// One [`Slot`] for each argument.
    type Slots;

    /// Empty slots. (A tuple of more than twelve is not `Default`.)
    fn slots() -> Self::Slots;

    /// The place of the argument called `name`.
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

/// The type of the argument at `I`. Mentioned once, so that a type that cannot be an argument is one error.
pub trait ArgumentAt<const I: usize> {
    /// The type.
    type Type: Argument;
}
