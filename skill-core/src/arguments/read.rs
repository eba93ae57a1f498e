//! Reading: one visitor for every action.

use super::check::Check;
use super::{ArgumentAt, ArgumentList};
use crate::data::Argument;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Where the value of an argument waits until all have been read.
pub type Slot<T> = Option<T>;

/// `Deserialize::deserialize` of the struct of an action.
///
/// # Errors
/// What is wrong with the arguments, in serde's words: unknown, repeated, missing or mistyped.
#[inline]
pub fn read_arguments<'de, A: ArgumentList, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<A, D::Error> {
    // of a struct serde_json reads arrays as well
    deserializer.deserialize_map(Arguments(PhantomData))
}

struct Arguments<A>(PhantomData<A>);

impl<'de, A: ArgumentList> Visitor<'de> for Arguments<A> {
    type Value = A;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the arguments")
    }

    #[inline]
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<A, M::Error> {
        let mut slots = A::slots();
        while let Some(index) = map.next_key_seed(Name::<A>(PhantomData))? {
            A::fill(&mut slots, index, &mut map)?;
        }
        A::build(slots)
    }
}

/// A struct that serde's derive reads in the place of an action's.
pub trait Wire: Sized {
    /// Reads it as the derive does.
    ///
    /// # Errors
    /// Those of the derive.
    fn read_wire<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// `Deserialize::deserialize` of an action that serde's derive reads: an object, not the array that the derive takes as well.
///
/// # Errors
/// Those of the derive.
pub fn read_wire<'de, A: Wire, D: Deserializer<'de>>(deserializer: D) -> Result<A, D::Error> {
    deserializer.deserialize_map(Object(PhantomData))
}

struct Object<A>(PhantomData<A>);

impl<'de, A: Wire> Visitor<'de> for Object<A> {
    type Value = A;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the arguments")
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<A, M::Error> {
        A::read_wire(de::value::MapAccessDeserializer::new(map))
    }
}

/// A key, as the place of its argument.
struct Name<A>(PhantomData<A>);

impl<'de, A: ArgumentList> DeserializeSeed<'de> for Name<A> {
    type Value = usize;
    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<A: ArgumentList> Visitor<'_> for Name<A> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    #[inline]
    fn visit_str<E: de::Error>(self, name: &str) -> Result<usize, E> {
        A::place(name).ok_or_else(|| E::unknown_field(name, A::NAMES))
    }
}

/// Reads the value of the argument `I` of `A` into its slot; refuses a second one.
///
/// # Errors
/// When the value is not of the type, breaks a constraint, or is the second of that name.
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
    *slot = Some(map.next_value_seed(Value(check, PhantomData))?);
    Ok(())
}

/// A value that is checked where its path is known.
struct Value<T, C>(C, PhantomData<T>);

impl<'de, T: Argument, C: Check<T>> DeserializeSeed<'de> for Value<T, C> {
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

/// What an argument is when the caller left it out: what its type makes of nothing (`None`), or an error.
///
/// # Errors
/// When the type makes nothing of nothing.
#[inline]
pub fn need<A, const I: usize, E>(slot: Slot<A::Type>) -> Result<A::Type, E>
where
    A: ArgumentList + ArgumentAt<I>,
    E: de::Error,
{
    match slot {
        Some(value) => Ok(value),
        None => A::Type::__read(Missing(A::NAMES[I], PhantomData)),
    }
}

/// Whether an argument may be left out: asked of the very code that reads it, so that schema and reader agree.
pub(super) fn may_be_missing<T: Argument>() -> bool {
    T::__read(Missing::<de::value::Error>("", PhantomData)).is_ok()
}

/// A value that is not there: an option becomes `None`, everything else is a missing field.
struct Missing<E>(&'static str, PhantomData<E>);

impl<'de, E: de::Error> Deserializer<'de> for Missing<E> {
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
