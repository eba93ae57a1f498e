//! Reads arguments: one visitor for all actions.

use super::check::Check;
use super::{ArgumentAt, ArgumentList};
use crate::bounds::Argument;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// An argument's value, or `None` if it has not been read yet.
pub type Slot<T> = Option<T>;

/// Implements `Deserialize::deserialize` for an action's struct.
///
/// # Errors
/// Fails for an unknown, repeated or missing argument, or a wrong type, in serde's wording.
#[inline]
pub fn read_arguments<'de, A: ArgumentList, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<A, D::Error> {
    // with `deserialize_struct`, serde_json would accept an array too
    deserializer.deserialize_map(ArgumentsVisitor(PhantomData))
}

struct ArgumentsVisitor<A>(PhantomData<A>);

impl<'de, A: ArgumentList> Visitor<'de> for ArgumentsVisitor<A> {
    type Value = A;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        expected_object(A::NAMES, f)
    }

    #[inline]
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<A, M::Error> {
        let mut slots = A::slots();
        while let Some(index) = map.next_key_seed(ArgumentName::<A>(PhantomData))? {
            A::fill(&mut slots, index, &mut map)?;
        }
        A::build(slots)
    }
}

fn expected_object(arguments: &[&str], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some((first, others)) = arguments.split_first() else {
        return f.write_str("an empty object");
    };
    write!(f, "an object with the arguments `{first}`")?;
    for other in others {
        write!(f, ", `{other}`")?;
    }
    Ok(())
}

/// A struct that serde's derive reads in place of the action's struct.
pub trait Wire: Sized {
    /// Reads the struct as the derive does.
    ///
    /// # Errors
    /// Returns the derive's error.
    fn read_wire<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// Implements `Deserialize::deserialize` for an action that serde's derive reads. Refuses arrays, which the derive alone would
/// accept.
///
/// # Errors
/// Returns the derive's error.
pub fn read_wire<'de, A: Wire, D: Deserializer<'de>>(deserializer: D) -> Result<A, D::Error> {
    deserializer.deserialize_map(ObjectVisitor(PhantomData))
}

struct ObjectVisitor<A>(PhantomData<A>);

impl<'de, A: Wire> Visitor<'de> for ObjectVisitor<A> {
    type Value = A;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the arguments")
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<A, M::Error> {
        A::read_wire(de::value::MapAccessDeserializer::new(map))
    }
}

/// Reads a key as the index of its argument.
struct ArgumentName<A>(PhantomData<A>);

impl<'de, A: ArgumentList> DeserializeSeed<'de> for ArgumentName<A> {
    type Value = usize;
    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<A: ArgumentList> Visitor<'_> for ArgumentName<A> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    #[inline]
    fn visit_str<E: de::Error>(self, name: &str) -> Result<usize, E> {
        A::place(name).ok_or_else(|| E::unknown_field(name, A::NAMES))
    }
}

/// Reads the value of argument `I` of `A` into its slot. Refuses a repeated argument.
///
/// # Errors
/// Fails if the value has the wrong type or violates a constraint, or if the argument is repeated.
#[inline]
pub fn field<'de, A, const I: usize, M>(
    slot: &mut Slot<A::Type>,
    check: impl Check<A::Type>,
    map: &mut M,
) -> Result<(), M::Error>
where
    A: ArgumentList + ArgumentAt<I>,
    M: MapAccess<'de>,
{
    if slot.is_some() {
        return Err(de::Error::duplicate_field(A::NAMES[I]));
    }
    *slot = Some(map.next_value_seed(CheckedValue(check, PhantomData))?);
    Ok(())
}

/// Reads a value and checks it while its path is known.
struct CheckedValue<T, C>(C, PhantomData<T>);

impl<'de, T: Argument, C: Check<T>> DeserializeSeed<'de> for CheckedValue<T, C> {
    type Value = T;
    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        let value = T::__read(deserializer)?;
        match self.0.check(&value) {
            Ok(()) => Ok(value),
            Err(broken) => Err(de::Error::custom(broken)),
        }
    }
}

/// Returns an argument's value. If the caller left the argument out, an `Option` becomes `None`, and any other type is an error.
///
/// # Errors
/// Fails if the argument is missing.
#[inline]
pub fn need<A, const I: usize, E>(slot: Slot<A::Type>) -> Result<A::Type, E>
where
    A: ArgumentList + ArgumentAt<I>,
    E: de::Error,
{
    match slot {
        Some(value) => Ok(value),
        None => A::Type::__read(MissingValue(A::NAMES[I], PhantomData)),
    }
}

/// Returns whether an argument may be left out. This function calls the code that reads the argument, so that the schema and the
/// reader agree.
pub(super) fn may_be_missing<T: Argument>() -> bool {
    T::__read(MissingValue::<de::value::Error>("", PhantomData)).is_ok()
}

/// A deserializer without a value: an `Option` reads as `None`, and other types fail as missing fields.
struct MissingValue<E>(&'static str, PhantomData<E>);

impl<'de, E: de::Error> Deserializer<'de> for MissingValue<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::missing_field(self.0))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
