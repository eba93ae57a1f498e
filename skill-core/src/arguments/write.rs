//! Writes a typed action as the arguments of a call.

use super::{ArgumentAt, ArgumentList};
use crate::bounds::Argument;
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// Implements `Serialize::serialize` for an action's struct.
///
/// # Errors
/// Returns the serializer's error.
pub fn write_arguments<A: ArgumentList, S: Serializer>(
    arguments: &A,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_struct(A::STRUCT, A::NAMES.len())?;
    arguments.write(&mut out)?;
    out.end()
}

/// Writes the argument `I`.
///
/// # Errors
/// Returns the serializer's error.
pub fn write_argument<A, const I: usize, W>(value: &A::Type, out: &mut W) -> Result<(), W::Error>
where
    A: ArgumentList + ArgumentAt<I>,
    W: SerializeStruct,
{
    out.serialize_field(A::NAMES[I], &SerializeArgument(value))
}

struct SerializeArgument<'a, T>(&'a T);

impl<T: Argument> Serialize for SerializeArgument<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.__serialize(serializer)
    }
}
