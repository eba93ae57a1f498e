//! What cannot be state: clients, pools, handles. A server is given them, and gives them to async actions by type.

/// What a server may be given as resources: any type that is `Send + Sync + 'static`.
///
/// Implemented for every such type; never by hand. `#[derive(Resources)]` on it writes [`Provide`] for each field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the resources of a server",
    label = "not `Send + Sync + 'static`",
    note = "async actions run at the same time and share the resources: every field has to be `Send + Sync + 'static`"
)]
pub trait Resources: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<R: Send + Sync + 'static> Resources for R {}

/// Asks whether a type can be shared. `#[derive(Resources)]` does, where it is written.
pub const fn report_resources<R: Resources>() {}

/// Has a resource of the type `T`, which async actions take as `&T`.
///
/// `#[derive(Resources)]` writes it for each field of a struct. By hand it takes one method; for a trait object it names the
/// lifetime:
///
/// ```
/// use skill_core::Provide;
///
/// trait WeatherApi: Send + Sync {
///     fn reading(&self) -> f64;
/// }
///
/// struct World {
///     api: Box<dyn WeatherApi>,
/// }
///
/// impl Provide<dyn WeatherApi> for World {
///     fn provide(&self) -> &(dyn WeatherApi + 'static) {
///         &*self.api
///     }
/// }
/// # struct Cold;
/// # impl WeatherApi for Cold { fn reading(&self) -> f64 { -40.0 } }
/// # let world = World { api: Box::new(Cold) };
/// # assert_eq!(Provide::<dyn WeatherApi>::provide(&world).reading(), -40.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "the resources `{Self}` have no `{T}`",
    label = "`{Self}` does not provide `{T}`",
    note = "an async action takes `&{T}`: give the server what has one by `.resources(...)`, a struct with `#[derive(Resources)]` and a field of the type `{T}`, or one with `impl Provide<{T}>`"
)]
pub trait Provide<T: ?Sized> {
    /// The resource.
    fn provide(&self) -> &T;
}
