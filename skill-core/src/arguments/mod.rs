//! Reads, writes and describes an action's struct without the serde and schemars derives.
//!
//! `#[action]` generates a table of the arguments ([`Arg`]) and five short functions ([`ArgumentList`]). The rest is here and is
//! compiled once. rustc checks this in less than two thirds of the time that the derives need. This module also supports
//! constraints: they are written into the schema, and checked while a value is read, when the path is known.

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

/// An action's struct as a list of arguments. `#[action]` implements this trait.
pub trait ArgumentList: Sized {
    /// The struct's name.
    const STRUCT: &'static str;
    /// The struct's description, for the schema.
    const DESCRIPTION: &'static str;
    /// The arguments' JSON names.
    const NAMES: &'static [&'static str];
    /// The arguments' descriptions, in the order of `NAMES`.
    const ARGS: &'static [Arg];
    /// A tuple with one [`Slot`] per argument.
    type Slots;

    /// Returns empty slots. (Tuples of more than twelve do not implement `Default`.)
    fn slots() -> Self::Slots;

    /// Returns the index of the argument called `name`.
    fn place(name: &str) -> Option<usize>;

    /// Reads the value of the argument at `index` into its slot.
    fn fill<'de, M: MapAccess<'de>>(
        slots: &mut Self::Slots,
        index: usize,
        map: &mut M,
    ) -> Result<(), M::Error>;

    /// Builds the struct from the slots.
    fn build<E: de::Error>(slots: Self::Slots) -> Result<Self, E>;

    /// Writes every argument.
    fn write<W: SerializeStruct>(&self, out: &mut W) -> Result<(), W::Error>;
}

/// The type of the argument at index `I`. Generated code mentions the type only here, so a type that cannot be an argument causes
/// only one error.
pub trait ArgumentAt<const I: usize> {
    /// The argument's type.
    type Type: Argument;
}

/// Panics in const evaluation if the argument at `I` is a whole signal. `#[action]` calls it at the argument's type.
#[track_caller]
pub const fn report_whole_signal<A: ArgumentAt<I>, const I: usize>() {
    assert!(
        !A::Type::__IS_SIGNAL,
        "a signal is no argument and no base field; an action takes the fields of its data, each by its name, such as `order: u64`; in `impl Hooks`, `prepare_signal` gets each whole signal, and `handle_signal` those without a route"
    );
}
