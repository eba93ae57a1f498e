//! Facts about a type that generated code looks up at compile time. An inherent constant whose bounds hold takes precedence over
//! the constant of a trait that every type has.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// Carries the type whose facts are looked up.
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// The values for types without the inherent constants.
pub trait AssumeUnsafe {
    /// See [`Probe::IS_RESULT`].
    const IS_RESULT: bool = false;
    /// See [`Probe::IS_JSON_SAFE`].
    const IS_JSON_SAFE: bool = false;
}

impl<T: ?Sized> AssumeUnsafe for Probe<T> {}

impl<T, E> Probe<Result<T, E>> {
    /// Whether the type is a `Result`, under whatever name.
    pub const IS_RESULT: bool = true;
}

impl<T: JsonSafe> Probe<T> {
    /// Whether every value of the type can be written as JSON.
    pub const IS_JSON_SAFE: bool = true;
}

/// Standard library types whose values can all be written as JSON: no floats, no maps, no code of users.
pub trait JsonSafe {}

macro_rules! sure {
    ($($ty:ty)*) => { $(impl JsonSafe for $ty {})* };
}
sure!(() bool char String i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
impl JsonSafe for &'static str {}
impl JsonSafe for Cow<'static, str> {}
impl<T: JsonSafe> JsonSafe for Box<T> {}
impl<T: JsonSafe> JsonSafe for Option<T> {}
impl<T: JsonSafe> JsonSafe for BTreeMap<String, T> {}
impl<A: JsonSafe> JsonSafe for (A,) {}
impl<A: JsonSafe, B: JsonSafe> JsonSafe for (A, B) {}
impl<A: JsonSafe, B: JsonSafe, C: JsonSafe> JsonSafe for (A, B, C) {}
impl<T: JsonSafe> JsonSafe for Vec<T> {}

/// The parts of a `Result`, under whatever name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is called `Result` and is not `core::result::Result`",
    label = "not the `Result` of the standard library",
    note = "an action that can fail returns `core::result::Result<Answer, Error>` or an alias of it; give another type another name"
)]
pub trait ResultParts {
    /// The type of `Ok`.
    type Ok;
    /// The type of `Err`.
    type Err;
    /// The result itself.
    fn into_result(self) -> Result<Self::Ok, Self::Err>;
}

impl<T, E> ResultParts for Result<T, E> {
    type Ok = T;
    type Err = E;
    #[inline]
    fn into_result(self) -> Self {
        self
    }
}

/// Panics, in const evaluation, if the return type of an action is a `Result` whose name does not show it.
#[track_caller]
pub const fn tell_hidden_result(is_result: bool) {
    assert!(
        !is_result,
        "this type is a `Result` under another name; write `Result<Answer, Error>`, so that a failure is not taken for an output"
    );
}
