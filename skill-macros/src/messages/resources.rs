//! Messages about resources.

pub(crate) fn resources_on(what: &str) -> String {
    format!(
        "`#[derive(Resources)]` belongs on a struct whose fields are resources, and this is {what}"
    )
}

pub(crate) fn generic_resources() -> String {
    "`#[derive(Resources)]` belongs on a struct without parameters, since a resource is found by its type; write a struct for each case, or `impl Provide<Type>` by hand".to_owned()
}

pub(crate) fn provided_here(ty: &str) -> String {
    format!("a resource of the type `{ty}` is here first")
}

pub(crate) fn provided_twice(ty: &str) -> String {
    format!(
        "two fields provide the type `{ty}`, by which a resource is found; write `#[resources(skip)]` on one of them, or give it a type of its own"
    )
}

pub(crate) fn async_skill_mut(ty: &str) -> String {
    format!(
        "an async action reads a snapshot of its skill: take `&{ty}`, and change the state by pure actions that it queues: `cx.then(...)`"
    )
}

pub(crate) fn resource_by_value(written: &str, inner: &str) -> String {
    format!(
        "an argument comes from JSON, and `{written}` does not; an async action takes a resource by reference: `&{inner}`"
    )
}

pub(crate) fn resource_mut(ty: &str) -> String {
    format!("a resource is shared by actions that run at the same time; take it as `&{ty}`")
}

pub(crate) fn resource_impl() -> String {
    "a resource has one type, by which it is found; write it out, or take `&dyn Trait`".to_owned()
}

pub(crate) fn resource_with_options() -> String {
    "a resource is given by the server and is not an argument; remove `#[arg(...)]`".to_owned()
}

pub(crate) fn resource_of_pure(ty: &str) -> String {
    format!(
        "`&{ty}` is a resource, and a pure action has none: it only sees its skill and its arguments; write `async fn`"
    )
}
