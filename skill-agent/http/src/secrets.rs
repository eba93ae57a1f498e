//! Secrets that servers may repeat in their messages.

/// The minimum length of a secret to search for, in bytes. A shorter one is probably a placeholder such as `key`, for a server
/// that does not check keys.
const MIN_SECRET: usize = 8;

/// Strings that must not appear in errors.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// Collects secrets and their words, such as the token after `Bearer`. Drops strings that are shorter than 8 bytes.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let mut texts = Vec::new();
        for secret in secrets {
            texts.extend(secret.split_whitespace().map(str::to_owned));
            texts.push(secret);
        }
        texts.retain(|text| text.len() >= MIN_SECRET);
        // longest first, because a secret may contain another one
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self(texts)
    }

    /// Replaces the secrets in a server's text with `…`, even if line breaks divide them or they overlap. Hides the whole text if
    /// secrets are nested too deeply.
    pub fn hide(&self, text: &str) -> String {
        let mut text = text.to_owned();
        // hiding one secret may uncover another one around it
        for _ in 0..MAX_ROUNDS {
            let secrets = self.0.iter();
            let hidden = secrets.fold(text.clone(), |text, secret| without(&text, secret));
            if hidden == text {
                return text;
            }
            text = hidden;
        }
        HIDDEN.to_string()
    }
}

/// The character that replaces a secret.
const HIDDEN: char = '…';
/// The maximum number of rounds of replacing secrets. A secret inside another one takes a second round.
const MAX_ROUNDS: usize = 8;

/// Returns `text` with each occurrence of the secret replaced.
fn without(text: &str, secret: &str) -> String {
    let secret: Vec<char> = secret.chars().filter(|char| !is_between(*char)).collect();
    let mut kept = Vec::with_capacity(text.len());
    for char in text.chars() {
        kept.push(char);
        if secret.last() == Some(&char)
            && let Some(start) = start_of(&secret, &kept)
        {
            kept.truncate(start);
            kept.push(HIDDEN);
        }
    }
    kept.into_iter().collect()
}

/// Returns the index at which a secret starts, if the secret ends at the end of `text`.
fn start_of(secret: &[char], text: &[char]) -> Option<usize> {
    let mut rest = secret.iter().rev().peekable();
    let mut end = text.len();
    while let Some(wanted) = rest.peek() {
        end = end.checked_sub(1)?;
        let char = text[end];
        if char == **wanted {
            rest.next();
        } else if matches!(char, 'n' | 'r' | 't')
            && end.checked_sub(1).map(|at| text[at]) == Some('\\')
        {
            // an escaped line break or tab, from JSON in the text
            end -= 1;
        } else if !is_between(char) {
            return None;
        }
    }
    Some(end)
}

/// Returns whether the character may come between the characters of a repeated secret, such as a space or a line break.
fn is_between(char: char) -> bool {
    !char.is_ascii_graphic()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_however_a_server_divides_them() {
        let secrets = Secrets::new([
            "sk-secret-of-tests".to_owned(),
            "Token tok-123456789".to_owned(),
        ]);
        for (text, expected) in [
            ("the key sk-secret-of-tests is wrong", "the key … is wrong"),
            (
                "the key sk-secret\n-of-tests is wrong",
                "the key … is wrong",
            ),
            ("s k-\r\n\tsecret\u{200b}-of-tests", "…"),
            (
                r"the key sk-secret\n-of-tests is wrong",
                "the key … is wrong",
            ),
            ("sk-secret-sk-secret-of-tests", "sk-secret-…"),
            ("sk-sesk-secret-of-testscret-of-tests", "…"),
            (
                "sk-sesk-sesk-secret-of-testscret-of-testscret-of-tests",
                "…",
            ),
            ("sk-setok-123456789cret-of-tests", "…"),
            ("tok-1234sk-secret-of-tests56789", "…"),
            ("sk-secret…-of-tests", "…"),
            ("Token tok-123456789, tok-123456789", "…, …"),
            ("the first secret of tests", "the first secret of tests"),
        ] {
            assert_eq!(secrets.hide(text), expected, "{text:?}");
        }
        let deep = "sk-se".repeat(99) + &"cret-of-tests".repeat(99);
        assert_eq!(secrets.hide(&deep), "…");
        let apart = "sk-settok-123456789cret-of-tests".replace("sett", "set t");
        assert_eq!(secrets.hide(&apart), "sk-set …cret-of-tests");
    }

    #[test]
    fn a_long_text_of_a_hostile_server_is_read_at_once() {
        let secrets = Secrets::new(["a".repeat(200)]);
        let text = "a \u{200b}".repeat(16_000);
        assert!(!secrets.hide(&text).contains(&"a ".repeat(200)));
    }
}
