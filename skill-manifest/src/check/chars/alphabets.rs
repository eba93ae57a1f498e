//! Detects letters that look alike in different alphabets, such as the Latin and the Cyrillic `a`.

use unicode_normalization::UnicodeNormalization;

/// The letter ranges of each alphabet. Other scripts, such as Han and Hangul, look different and are often mixed with Latin
/// letters, so they are not listed.
const ALPHABETS: &[(&str, &[(char, char)])] = &[
    (
        "Latin",
        &[
            ('A', 'Z'),
            ('a', 'z'),
            ('\u{C0}', '\u{D6}'),
            ('\u{D8}', '\u{F6}'),
            ('\u{F8}', '\u{2AF}'),
            ('\u{1D00}', '\u{1D25}'),
            ('\u{1D6B}', '\u{1D77}'),
            ('\u{1D79}', '\u{1D9A}'),
            ('\u{1E00}', '\u{1EFF}'),
            ('\u{2C60}', '\u{2C7F}'),
            ('\u{A722}', '\u{A7FF}'),
            ('\u{AB30}', '\u{AB64}'),
        ],
    ),
    (
        "Greek",
        &[
            ('\u{370}', '\u{373}'),
            ('\u{376}', '\u{3E1}'),
            ('\u{3F0}', '\u{3FF}'),
            ('\u{1F00}', '\u{1FFF}'),
        ],
    ),
    (
        "Cyrillic",
        &[
            ('\u{400}', '\u{52F}'),
            ('\u{1C80}', '\u{1C8F}'),
            ('\u{1D2B}', '\u{1D2B}'),
            ('\u{A640}', '\u{A69D}'),
        ],
    ),
    ("Armenian", &[('\u{531}', '\u{588}')]),
    (
        "Georgian",
        &[
            ('\u{10A0}', '\u{10FF}'),
            ('\u{1C90}', '\u{1CBF}'),
            ('\u{2D00}', '\u{2D2F}'),
        ],
    ),
    (
        "Cherokee",
        &[('\u{13A0}', '\u{13FF}'), ('\u{AB70}', '\u{ABBF}')],
    ),
    (
        "Coptic",
        &[('\u{3E2}', '\u{3EF}'), ('\u{2C80}', '\u{2CFF}')],
    ),
    ("Lisu", &[('\u{A4D0}', '\u{A4FF}')]),
];

/// Two alphabets in one text, in order of appearance.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MixedAlphabets {
    pub(crate) first: &'static str,
    pub(crate) second: &'static str,
    /// The first letter of the second alphabet.
    pub(crate) letter: char,
}

/// Returns the first two alphabets in a text, or `None` if all its letters are from the same alphabet.
pub(crate) fn mixed_alphabets(text: &str) -> Option<MixedAlphabets> {
    if text.is_ascii() {
        return None;
    }
    // a full-width `a` is a Latin letter
    let mut letters = text
        .nfkc()
        .filter_map(|letter| Some((alphabet(letter)?, letter)));
    let (first, _) = letters.next()?;
    let (second, letter) = letters.find(|(other, _)| *other != first)?;
    Some(MixedAlphabets {
        first,
        second,
        letter,
    })
}

fn alphabet(letter: char) -> Option<&'static str> {
    let has = |ranges: &[(char, char)]| ranges.iter().any(|(a, z)| (*a..=*z).contains(&letter));
    let found = ALPHABETS.iter().find(|(_, ranges)| has(ranges));
    found.map(|(name, _)| *name)
}
