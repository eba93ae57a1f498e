//! An enum whose variants a test goes through.

/// An enum without fields, and a list of its variants.
macro_rules! listed_enum {
    ($(#[$attribute:meta])* $vis:vis enum $name:ident { $($variant:ident,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        $vis enum $name {
            $($variant,)*
        }

        impl $name {
            $vis const ALL: &[Self] = &[$(Self::$variant,)*];
        }
    };
}
