//! What the macros write means the same wherever it stands: each file of `compiles/` is a program that has to compile and
//! run. Whole crates under other conditions are `crates/hygiene-*`, each with its own test.

#[test]
fn generated_code_finds_its_names_and_leaves_those_of_the_user_alone() {
    let cases = trybuild::TestCases::new();
    cases.pass("compiles/*.rs");
}
