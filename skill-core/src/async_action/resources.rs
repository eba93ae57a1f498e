//! Resources: values that cannot be state, such as clients, pools and handles. Async actions borrow them by type from their
//! server.

/// A server's resources: any type that is `Send + Sync + 'static`.
///
/// Implemented for every such type. Do not implement it yourself. `#[derive(Resources)]` implements [`Provide`] for each field
/// of a struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the resources of a server",
    label = "not `Send + Sync + 'static`",
    note = "async actions run at the same time and share the resources: every field has to be `Send + Sync + 'static`"
)]
pub trait Resources: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<R: Send + Sync + 'static> Resources for R {}

/// Fails to compile if a type cannot be shared between threads. `#[derive(Resources)]` calls this function so that the error
/// points at the derive.
pub const fn report_resources<R: Resources>() {}

/// Provides a resource of the type `T`, which async actions take as `&T`.
///
/// `#[derive(Resources)]` implements this trait for each field of a struct. A manual implementation for a trait object must name
/// the lifetime:
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
    label = "expected a struct with `#[derive(Resources)]` that has `{T}`",
    note = "an async action takes `&{T}`: give the server what has one by `.resources(...)`, a struct with `#[derive(Resources)]` and a field of the type `{T}`, or one with `impl Provide<{T}>`"
)]
pub trait Provide<T: ?Sized> {
    /// Returns the resource.
    fn provide(&self) -> &T;
}
