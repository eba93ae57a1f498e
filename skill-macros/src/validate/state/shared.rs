//! Checks that copies of a state do not share values, because a failed command is undone by restoring a copy.

use crate::errors::Errors;
use crate::messages;
use crate::validate::state::owned::type_argument;
use crate::validate::{compact_text, report};
use syn::visit::{self, Visit};
use syn::{Type, TypePath};

/// The pointers whose copies share their value.
const POINTERS: [&str; 2] = ["Arc", "Rc"];

/// The cells whose value can change behind a shared pointer.
const CELLS: [&str; 4] = ["Cell", "Mutex", "RefCell", "RwLock"];

/// A type must not contain a cell behind a shared pointer.
pub(crate) fn check(ty: &Type, errors: &mut Errors) {
    struct Find<'e>(&'e mut Errors);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_type_path(&mut self, path: &'ast TypePath) {
            match shared_value(path) {
                Some(value) => {
                    report(messages::shared_state(&compact_text(&value)), path, self.0);
                }
                None => visit::visit_type_path(self, path),
            }
        }
    }
    Find(errors).visit_type(ty);
}

/// Returns the value in `Arc<Mutex<value>>`.
fn shared_value(path: &TypePath) -> Option<Type> {
    let content = |ty: &Type, names: &[&str]| {
        let mut found = names.iter().filter_map(|name| type_argument(ty, name));
        found.next().cloned()
    };
    let cell = content(&Type::Path(path.clone()), &POINTERS)?;
    content(&cell, &CELLS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value_of(ty: &str) -> Option<String> {
        let ty: TypePath = syn::parse_str(ty).unwrap();
        shared_value(&ty).map(|value| compact_text(&value))
    }

    #[test]
    fn a_cell_behind_a_pointer_is_shared_and_nothing_else_is() {
        for shared in [
            "Arc<Mutex<Vec<u8>>>",
            "std::sync::Arc<std::sync::RwLock<Vec<u8>>>",
            "Rc<RefCell<Vec<u8>>>",
            "Rc<Cell<Vec<u8>>>",
            "Arc<tokio::sync::Mutex<Vec<u8>>>",
        ] {
            assert_eq!(value_of(shared).as_deref(), Some("Vec<u8>"), "{shared}");
        }
        for other in [
            "Mutex<u8>",
            "Arc<str>",
            "Arc<Vec<u8>>",
            "Arc",
            "Box<Mutex<u8>>",
        ] {
            assert_eq!(value_of(other), None, "{other}");
        }
    }
}
