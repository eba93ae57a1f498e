//! Cuts a file into parts that are small enough for a model.

use crate::ContentHash;
use skill_core::process::{MAX_TEXT, NoPart, part_at};
use std::ops::Range;

/// Why a file has no part at an offset.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoFilePart {
    #[error("it is a binary file of {bytes} bytes, and only text in UTF-8 can be read")]
    Binary { bytes: usize },
    #[error(transparent)]
    Offset(#[from] NoPart),
}

/// Returns a file's text from an offset. If the rest of the file does not fit into one answer, a note says how to continue. The
/// note contains the beginning of the file's hash, so that a reader notices if the file changes between two parts.
pub(super) fn part(bytes: &[u8], offset: u64) -> Result<String, NoFilePart> {
    let total = bytes.len();
    // a zero byte is valid UTF-8, but does not occur in text
    let text = match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.contains(&0) => text,
        _ => return Err(NoFilePart::Binary { bytes: total }),
    };
    if offset == 0 && total <= MAX_TEXT {
        return Ok(text.to_owned());
    }
    let Range { start: begin, end } = part_at(text, offset)?;
    let next = if end < total {
        format!("to read on, call again with `offset` {end}")
    } else {
        "this is the end of the file".to_owned()
    };
    let version = &ContentHash::of(bytes).to_string()[..8];
    Ok(format!(
        "{}\n\n[bytes {begin} to {end} of {total}, version {version}; {next}]",
        &text[begin..end]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads a file like a model does, by following the notes.
    fn read_on(bytes: &[u8]) -> (String, usize) {
        let (mut whole, mut offset, mut parts) = (String::new(), 0, 0);
        loop {
            let answer = part(bytes, offset).unwrap();
            assert!(answer.len() <= MAX_TEXT);
            parts += 1;
            let Some((text, note)) = answer.rsplit_once("\n\n[bytes ") else {
                return (answer, parts);
            };
            whole += text;
            match note.split_once("`offset` ") {
                Some((_, next)) => offset = next.trim_end_matches(']').parse().unwrap(),
                None => {
                    assert!(note.ends_with("; this is the end of the file]"), "{note}");
                    return (whole, parts);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn the_parts_of_a_file_are_the_file(unit in "[a-z\u{e9}\u{5b57}\u{1F525}]{1,9}", size in 0_usize..300_000) {
            let text = unit.repeat(size / unit.len());
            let (whole, parts) = read_on(text.as_bytes());
            prop_assert!(whole == text);
            prop_assert_eq!(parts == 1, text.len() <= MAX_TEXT);
        }
    }

    #[test]
    fn a_note_says_how_to_read_on() {
        let text = "x".repeat(70_000);
        let first = part(text.as_bytes(), 0).unwrap();
        let version = &ContentHash::of(text.as_bytes()).to_string()[..8];
        assert!(first.ends_with(&format!(
            "x\n\n[bytes 0 to 65344 of 70000, version {version}; to read on, call again with `offset` 65344]"
        )));
        let last = part(text.as_bytes(), 65_344).unwrap();
        assert!(last.ends_with(&format!(
            "x\n\n[bytes 65344 to 70000 of 70000, version {version}; this is the end of the file]"
        )));
        // the file changes between two parts
        let edited = text.replacen('x', "y", 1);
        let other = part(edited.as_bytes(), 65_344).unwrap();
        assert_ne!(last, other);
        assert!(!other.contains(version));
    }

    #[test]
    fn a_wrong_offset_and_a_binary_file_are_refused() {
        let fire = "a\u{1F525}b".as_bytes();
        assert_eq!(part(fire, 5).unwrap().split('\n').next(), Some("b"));
        for offset in 2..5 {
            let within = NoPart::WithinCharacter { offset, begin: 1 };
            assert_eq!(part(fire, offset as u64), Err(within.into()));
        }
        for offset in [6, 7, u64::MAX] {
            let beyond = NoPart::BeyondEnd { offset, bytes: 6 };
            assert_eq!(part(fire, offset), Err(beyond.into()));
        }
        assert_eq!(part(b"", 0).unwrap(), "");
        assert_eq!(
            part(b"", 1),
            Err(NoFilePart::Offset(NoPart::BeyondEnd {
                offset: 1,
                bytes: 0
            }))
        );
        for binary in [&b"\xff\xfea"[..], b"a\0b", b"\x89PNG"] {
            let bytes = binary.len();
            assert_eq!(part(binary, 0), Err(NoFilePart::Binary { bytes }));
        }
    }
}
