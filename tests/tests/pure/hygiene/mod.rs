//! Generated code works in modules with unusual names, lints and macros: each module is a program that has to compile and run.
//! `crates/hygiene-*` are whole crates for the same purpose.

#![allow(dead_code)] // a short program uses few of the generated items

macro_rules! programs {
    ($($name:ident)*) => {
        const PROGRAMS: &[&str] = &[$(stringify!($name)),*];

        $(
            pub mod $name;

            #[test]
            fn $name() {
                $name::main();
            }
        )*
    };
}

programs! {
    builder_of_an_agent_without_debug
    cfg_below_the_attribute
    description_below_a_condition
    every_lint_denied
    fields_from_another_macro
    functions_named_like_generated_variables
    items_named_like_generated_items
    lint_forbidden
    no_implicit_prelude
    types_from_another_macro
    written_by_another_macro
}

#[test]
fn every_file_is_in_the_list() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pure/hygiene");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path().with_extension(""))
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .filter(|name| name != "mod")
        .collect();
    files.sort();
    assert_eq!(files, PROGRAMS);
}
