//! The words in generated texts.

/// Scalars that are not numbers, or only for some readers.
#[rustfmt::skip]
pub(super) const WORDS: &[&str] = &[
    "", "~", "null", "Null", "NULL", "nUll", "true", "True", "TRUE", "tRue", "false", "False", "FALSE",
    "yes", "no", "on", "off", "y", "n", "a", "name", "<<", "=", "é字", "\u{FEFF}", "\u{85}", "\u{2028}",
    "\u{A0}", "\u{0}", "\u{7F}", "\u{1F600}", "it's", "\"q\"", "a b", "a  b", "\\x41", "\\u0041", "\\n",
    "\\ud800", "QQ==", "QUI=", "QUJD", "QR==", "Q===", "====", "QQ", "/w==", "Q Q = =", "4pyT", "2024-01-01",
    "inf", "nan", "infinity", "-inf", "include",
];

/// Numbers, and words that look like them.
#[rustfmt::skip]
pub(super) const NUMBERS: &[&str] = &[
    "0", "-0", "+0", "00", "007", "-007", "1", "+1", "-1", "--1", "+-1", "-+1", "12", "1_000", "_1", "1_",
    "1__0", "0_1", "-1_0", "0x", "0x1F", "0X1f", "-0x1F", "+0x1F", "0x_1", "0x1_0", "0xG", "0o17", "0O17",
    "0o8", "017", "08", "0b101", "0B1", "0b2", "-0b1", "18446744073709551615", "18446744073709551616",
    "1844674407370955161_5", "1844674407370955161_6", "-9223372036854775808", "-9223372036854775809",
    "-922337203685477580_8", "-922337203685477580_9", "0xFFFFFFFFFFFFFFFF", "0x10000000000000000",
    "-0x8000000000000000", "-0x8000000000000001", "340282366920938463463374607431768211456",
    "34028236692093846346337460743176821145_6", "1.0", "-1.5", "+1.5", ".5", "-.5", "5.", ".", "-", "+",
    "1e3", "1E3", "1e+3", "1.e-3", "1e", "e1", "1e999", "-1e999", "+9e400", ".9e999", "1e-999", "1_0.5",
    ".inf", "-.inf", "+.inf", ".Inf", ".INF", ".iNF", ".nan", ".NaN", ".NAN", "-.nan", "+.nan", "--.inf",
    "1.0.0", "1:30", "0.", "0.0", "00.5", "1,000", "0x1.8p3",
];

#[rustfmt::skip]
pub(super) const TAGS: &[&str] = &[
    "!", "!!", "!x", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!seq", "!!map", "!!binary",
    "!!timestamp", "!!merge", "!!value", "!!set", "!!omap", "!!time", "!!include", "!!degrees", "!str",
    "!int", "!float", "!bool", "!null", "!seq", "!map", "!binary", "!timestamp", "!merge", "!value", "!time",
    "!degrees", "!radians", "!include", "!include#a", "!include#", "!includes", "!e!int", "!e!x",
    "!<tag:yaml.org,2002:int>", "!<tag:yaml.org,2002:!int>", "!<tag:yaml.org,2002:include>",
    "!<tag:yaml.org,2002:!include#a>", "!<!>", "!<!!>", "!<!int>", "!<!!int>", "!<!!!int>", "!<!!binary>",
    "!<!!timestamp>", "!<!!time>", "!<!!include>", "!<include>", "!<int>", "!<x:y>", "!!%69nt", "!%20", "!<",
    "!!str!", "!<tag:yaml.org,2002:merge>", "!<tag:yaml.org,2002:!merge>", "!<tag:yaml.org,2002:>",
];

#[rustfmt::skip]
pub(super) const INDICATORS: &[&str] = &[
    ": ", ":", "- ", "-", "? ", "?", ", ", ",", "[", "]", "{", "}", "#", " #", "&", "&a ", "*", "*a ", "*a",
    "!", "|", ">", "'", "\"", "%", "@", "`", "<<: ", "<<", "---", "...", "\\", "\t", " ", "  ", "    ", "\n",
    "\n  ", "\n    ", "\r\n", "\r", "\u{FEFF}", "\u{85}", "\u{2028}", "\0", "\u{1}", "''", "\"\"", "|\n  ",
];

#[rustfmt::skip]
pub(super) const HEADERS: &[&str] = &[
    "|", ">", "|-", "|+", ">-", ">+", "|2", "|1-", ">2+", "|+1", "|0", "|9", "|10", "|--", "| # c", "|#", ">x",
    "|\t",
];

#[rustfmt::skip]
pub(super) const LINES: &[&str] = &[
    "---", "--- ", "--- a", "--- |", "----", "...", "... ", "... x", "%YAML 1.2", "%YAML 1.1", "%YAML 2.0",
    "%YAML 1", "%YAML 1.2 # c", "%TAG !e! tag:yaml.org,2002:", "%TAG !e! tag:yaml.org,2002:i", "%TAG ! !e",
    "%TAG !! tag:yaml.org,2002:", "%TAG !! !", "%TAG !e! !", "%TAG !e! !in", "%x y", "%", "# comment",
    "   # comment", "\t# comment", "", " ", "\t", "- ", "-", "?", "? a", ": b", "a:", "a: b", "  a: b", "- a", "- - a",
    "- a: b", "  c: d", "? - a", "? a: b", "a: b: c", "\tx", "a:\tb", "-\ta", "<<: a", "<<: {a: b}", "? <<",
    "[a, b]", "{a: b}", "{a, b: , ? c}", "[a: b]", "[? a: b]", "{<<: a}", "? {<<: a}", "? [{<<: 1}]", "{? a}",
    "x: &a b", "y: *a", "'a': b", "\"a\": b", "a: 'b", "  c'", "a: \"b", "  c\"", "a: |", "  text", "   more",
    "a: >-", "[", "]", "{", "}", "[a,", "b]", "{a:", "b}", "\"a\"b: c", "'a' b", "a: [b", "a: {b", "a: - b",
    "[a]: b", "{a: b}: c", "? !!int x", "? [!!int x", "? {!!int x: y", "!!map {a: b}", "!!seq [a]", "!!str [a]",
];
