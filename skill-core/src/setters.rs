//! A macro for the setters of plain data.

/// Declares setters. Each takes the struct by value, assigns one field, and returns the struct.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    ($($(#[$meta:meta])* pub const fn $name:ident($given:ident: $type:ty) { $field:ident = $value:expr })*) => {$(
        $(#[$meta])*
        #[must_use]
        pub const fn $name(mut self, $given: $type) -> Self {
            self.$field = $value;
            self
        }
    )*};
    ($($(#[$meta:meta])* pub fn $name:ident($given:ident: $type:ty) { $field:ident = $value:expr })*) => {$(
        $(#[$meta])*
        #[must_use]
        pub fn $name(mut self, $given: $type) -> Self {
            self.$field = $value;
            self
        }
    )*};
}
