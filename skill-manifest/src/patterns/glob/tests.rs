use super::*;

#[test]
fn a_glob_matches_whole_paths() {
    for (glob, matched, others) in [
        (
            "*.rs",
            &["a.rs", ".rs"][..],
            &["src/a.rs", "a.rsx", "a.rs\n"][..],
        ),
        (
            "src/*",
            &["src/a", "src/.a"],
            &["src", "src/a/b", "a/src/b"],
        ),
        ("src/**", &["src/a", "src/a/b.rs"], &["src", "src2/a"]),
        ("**", &["a", "a/b\n/c"], &[""]),
        ("**/*.rs", &["a.rs", "a/b/c.rs"], &["a/b.rs/c"]),
        (
            "a/**/b",
            &["a/b", "a/x/b", "a/x/y/b"],
            &["ab", "a/xb", "a/b/c"],
        ),
        ("a**b", &["ab", "axyb"], &["a/b"]),
        ("a***", &["a", "ab"], &["a/b"]),
        (
            "file?.txt",
            &["file1.txt", "file字.txt"],
            &["file.txt", "file/.txt"],
        ),
        (
            "*.{ts,tsx}",
            &["a.ts", "a.tsx"],
            &["a.t", "a.{ts,tsx}", "a.ts,tsx"],
        ),
        (
            "{src,{lib,test}s}/a",
            &["src/a", "libs/a", "tests/a"],
            &["lib/a"],
        ),
        ("{src/**,doc/*}", &["src/a/b", "doc/a"], &["doc/a/b", "src"]),
        ("{**/,}a", &["a", "x/a"], &["xa"]),
        ("x{**,b}", &["xb", "xyz"], &["x/y"]),
        ("[a-c]x", &["ax", "cx"], &["dx", "Ax"]),
        ("[!a-c]x", &["dx"], &["ax", "/x"]),
        ("[^a]x", &["bx"], &["ax"]),
        ("[]-]", &["]", "-"], &["a"]),
        ("[+-9]", &["+", "5", "."], &["/", "a"]),
        ("[\\]a]", &["]", "a"], &["\\"]),
        ("[.$]+(a|b)", &["$+(a|b)", ".+(a|b)"], &["x+a"]),
        ("a,b", &["a,b"], &["a", "b"]),
        ("\\*\\{", &["*{"], &["a{"]),
        ("字/*", &["字/x"], &["x/字"]),
        ("README.md", &["README.md"], &["readme.md", "READMExmd"]),
    ] {
        let regex = compile_glob(glob).unwrap();
        for path in matched {
            assert!(regex.is_match(path), "{glob} {path:?} {regex}");
        }
        for path in others {
            assert!(!regex.is_match(path), "{glob} {path:?} {regex}");
        }
    }
}

#[test]
fn a_text_that_is_not_a_glob_is_refused() {
    for (glob, expected) in [
        ("", "it is empty"),
        ("!a", "it begins with `!`, and a glob cannot exclude paths"),
        (
            "/a",
            "it has the segment ``; write it relative to the project, like `src/**/*.rs`",
        ),
        (
            "a/",
            "it has the segment ``; write it relative to the project, like `src/**/*.rs`",
        ),
        (
            "./a",
            "it has the segment `.`; write it relative to the project, like `src/**/*.rs`",
        ),
        (
            "a/../b",
            "it has the segment `..`; write it relative to the project, like `src/**/*.rs`",
        ),
        ("[a", "the `[` is not closed"),
        ("[]", "the `[` is not closed"),
        ("[a\\", "the `[` is not closed"),
        ("[a-", "the `[` is not closed"),
        ("{a,b", "the `{` is not closed"),
        ("a}", "the `}` is not opened"),
        ("[a/b]", "`[…]` matches one character other than `/`"),
        ("[\\/]", "`[…]` matches one character other than `/`"),
        ("[z-a]", "the range `z-a` is reversed"),
        ("a\\", "nothing follows the `\\` at the end"),
    ] {
        assert_eq!(
            glob_to_regex(glob).unwrap_err().to_string(),
            expected,
            "{glob}"
        );
    }
    let deep = "{".repeat(100) + &"}".repeat(100);
    assert_eq!(compile_glob(&deep).unwrap_err(), GlobError::TooLarge);
    let long = "?".repeat(10_000);
    assert_eq!(compile_glob(&long).unwrap_err(), GlobError::TooLarge);
}

#[test]
fn a_list_of_globs_is_split_outside_of_braces_and_brackets() {
    assert_eq!(
        split_globs(" src/**/*.{ts,tsx}, [,]a ,, b\\,c,\\{,d"),
        ["src/**/*.{ts,tsx}", "[,]a", "b\\,c", "\\{", "d"]
    );
    assert_eq!(split_globs(" , "), Vec::<String>::new());
}
