//! Type properties that generated code looks up at compile time. Every type has a trait constant. If a type satisfies the bounds
//! of an inherent constant with the same name, the inherent constant takes precedence.

use crate::spec::FieldConstraints;
use skill_agent_grammar::same;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// Carries the type whose properties are looked up.
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// The fallback values for types without the inherent constants.
pub trait AssumeUnsafe {
    /// See [`Probe::IS_RESULT`].
    const IS_RESULT: bool = false;
    /// See [`Probe::IS_JSON_SAFE`].
    const IS_JSON_SAFE: bool = false;
    /// See [`Probe::SECRETS`].
    const SECRETS: &'static [&'static str] = &[];
    /// See [`Probe::SECRET_FIELDS`].
    const SECRET_FIELDS: &'static [&'static str] = &[];
    /// See [`Probe::CONSTRAINTS`].
    const CONSTRAINTS: &'static [FieldConstraints] = &[];
}

impl<T: ?Sized> AssumeUnsafe for Probe<T> {}

impl<T, E> Probe<Result<T, E>> {
    /// Whether the type is `Result`, including an alias of it.
    pub const IS_RESULT: bool = true;
}

impl<T: JsonSafe> Probe<T> {
    /// Whether every value of the type serializes to JSON.
    pub const IS_JSON_SAFE: bool = true;
}

impl<T: SecretPaths> Probe<T> {
    /// The paths of a configuration's secrets.
    pub const SECRETS: &'static [&'static str] = T::PATHS;
    /// The names of the secret fields.
    pub const SECRET_FIELDS: &'static [&'static str] = T::FIELDS;
}

impl<T: ConstrainedFields> Probe<T> {
    /// The constraints on a configuration's fields.
    pub const CONSTRAINTS: &'static [FieldConstraints] = T::FIELDS;
}

/// A configuration whose fields have constraints. `#[derive(SkillConfig)]` implements it.
pub trait ConstrainedFields {
    /// The fields with constraints, sorted by name.
    const FIELDS: &'static [FieldConstraints];
}

/// A configuration with secrets. `#[derive(SkillConfig)]` implements it.
pub trait SecretPaths {
    /// The paths of the secrets.
    const PATHS: &'static [&'static str];
    /// The names of the secret fields.
    const FIELDS: &'static [&'static str];
}

/// Panics during const evaluation if `field`, which takes its initial value from the configuration, copies a secret.
#[track_caller]
pub const fn report_copy_of_secret(secrets: &[&str], field: &str) {
    let mut i = 0;
    while i < secrets.len() {
        assert!(
            !same(secrets[i], field),
            "this field begins with a secret of the configuration, and is none; write `#[skill(from_config, secret)]`"
        );
        i += 1;
    }
}

/// Standard library types whose values always serialize to JSON: types without floats and user code, and maps only with string
/// keys.
pub trait JsonSafe {}

macro_rules! json_safe {
    ($($ty:ty)*) => { $(impl JsonSafe for $ty {})* };
}
json_safe!(() bool char String i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
impl JsonSafe for &'static str {}
impl JsonSafe for Cow<'static, str> {}
impl<T: JsonSafe> JsonSafe for Box<T> {}
impl<T: JsonSafe> JsonSafe for Option<T> {}
impl<T: JsonSafe> JsonSafe for BTreeMap<String, T> {}
impl<A: JsonSafe> JsonSafe for (A,) {}
impl<A: JsonSafe, B: JsonSafe> JsonSafe for (A, B) {}
impl<A: JsonSafe, B: JsonSafe, C: JsonSafe> JsonSafe for (A, B, C) {}
impl<T: JsonSafe> JsonSafe for Vec<T> {}

/// The parts of a `Result`, including an alias of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is called `Result` and is not `core::result::Result`",
    label = "not the `Result` of the standard library",
    note = "an action that can fail returns `core::result::Result<Answer, Error>` or an alias of it; give another type another name"
)]
pub trait ResultParts {
    /// The `Ok` type.
    type Ok;
    /// The `Err` type.
    type Err;
    /// Returns the result itself.
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

/// Panics during const evaluation if an action's return type is an alias of `Result` that is not called `Result`.
#[track_caller]
pub const fn report_hidden_result(is_result: bool) {
    assert!(
        !is_result,
        "this type is a `Result` under another name; write `Result<Answer, Error>`, so that a failure is not taken for an output"
    );
}
