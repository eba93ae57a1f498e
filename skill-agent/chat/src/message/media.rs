//! Images and files, with base64 data.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// An image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenImage")]
#[non_exhaustive]
pub struct ImagePart {
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The image's bytes in base64.
    pub data: String,
}

impl ImagePart {
    /// Creates an image from its media type and padded base64 data. Line breaks are removed, and a `data:` URL sets both the
    /// media type and the data.
    ///
    /// If the data is anything else, such as a path or a web address, sending the message fails.
    pub fn new(media_type: impl Into<String>, data: impl Into<String>) -> Self {
        let (media_type, data) = taken_apart(media_type.into(), data.into());
        Self { media_type, data }
    }

    /// Creates an image from its media type and bytes.
    ///
    /// ```
    /// use skill_agent::chat::{ImagePart, Message};
    ///
    /// # fn read() -> std::io::Result<()> {
    /// let cat = ImagePart::from_bytes("image/png", std::fs::read("photos/cat.png")?);
    /// let message = Message::user("What is it?").with(cat);
    /// # Ok(())
    /// # }
    /// assert_eq!(ImagePart::from_bytes("image/png", b"img").data, "aW1n");
    /// ```
    // A string does not convert to `Cow<[u8]>`, so a path passed by mistake does not compile.
    pub fn from_bytes<'a>(media_type: impl Into<String>, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Self {
            media_type: media_type.into(),
            data: BASE64_STANDARD.encode(bytes.into()),
        }
    }

    /// Returns an error if the data is not valid base64.
    #[doc(hidden)]
    pub fn check_data(&self) -> Result<(), String> {
        check(&self.data, "an image", "ImagePart::from_bytes")
    }
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenFile")]
#[non_exhaustive]
pub struct FilePart {
    /// The name of the file, such as `report.pdf`.
    pub name: String,
    /// The media type, such as `application/pdf`.
    pub media_type: String,
    /// The file's bytes in base64.
    pub data: String,
}

impl FilePart {
    /// Creates a file from its name, media type and padded base64 data, like [`ImagePart::new`].
    pub fn new(
        name: impl Into<String>,
        media_type: impl Into<String>,
        data: impl Into<String>,
    ) -> Self {
        let (media_type, data) = taken_apart(media_type.into(), data.into());
        Self {
            name: name.into(),
            media_type,
            data,
        }
    }

    /// Creates a file from its name, media type and bytes. For text, pass `text.as_bytes()`.
    pub fn from_bytes<'a>(
        name: impl Into<String>,
        media_type: impl Into<String>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Self {
        Self {
            name: name.into(),
            media_type: media_type.into(),
            data: BASE64_STANDARD.encode(bytes.into()),
        }
    }

    /// Returns an error if the data is not valid base64.
    #[doc(hidden)]
    pub fn check_data(&self) -> Result<(), String> {
        let what = format!("the file `{}`", self.name);
        check(&self.data, &what, "FilePart::from_bytes")
    }
}

/// Serialized form of an image, whose data may be a `data:` URL.
#[derive(Deserialize)]
#[serde(rename = "ImagePart")]
struct WrittenImage {
    media_type: String,
    data: String,
}

impl From<WrittenImage> for ImagePart {
    fn from(image: WrittenImage) -> Self {
        Self::new(image.media_type, image.data)
    }
}

/// Serialized form of a file, whose data may be a `data:` URL.
#[derive(Deserialize)]
#[serde(rename = "FilePart")]
struct WrittenFile {
    name: String,
    media_type: String,
    data: String,
}

impl From<WrittenFile> for FilePart {
    fn from(file: WrittenFile) -> Self {
        Self::new(file.name, file.media_type, file.data)
    }
}

/// Splits a `data:` URL into its media type and data. If the data contains line breaks, removes all whitespace first.
fn taken_apart(media_type: String, data: String) -> (String, String) {
    let data = if data.contains(['\n', '\r']) {
        data.split_ascii_whitespace().collect()
    } else {
        data
    };
    let is_url = data
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    let is_base64 = |head: &str| head.to_ascii_lowercase().ends_with(";base64");
    let parts = data.split_once(',').filter(|_| is_url);
    let Some((head, written)) = parts.filter(|(head, _)| is_base64(head)) else {
        return (media_type, data);
    };
    let of_url = head[5..].split(';').next().unwrap_or_default();
    let media_type = if of_url.is_empty() {
        media_type
    } else {
        of_url.to_owned()
    };
    (media_type, written.to_owned())
}

/// Returns an error unless the data is padded base64. A provider would reject other data with a less helpful message, or misread
/// the data.
fn check(data: &str, what: &str, from_bytes: &str) -> Result<(), String> {
    if data.is_empty() {
        return Err(format!("{what} is empty; leave it out"));
    }
    let Err(problem) = problem(data) else {
        return Ok(());
    };
    Err(format!(
        "the data of {what} is base64, and {problem} give the bytes to `{from_bytes}`"
    ))
}

/// Returns an error unless the data is base64. The error names the probable content of the data, and the correction.
fn problem(data: &str) -> Result<(), String> {
    if is_base64(data) {
        return Ok(());
    }
    // the query of a web address may contain a secret
    let (shown, _) = data.split_once(['?', '#']).unwrap_or((data, ""));
    let shown = match shown.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.to_owned(),
    };
    let is_name = data.len() <= LONGEST_PATH && !data.contains(char::is_control);
    Err(if data.contains("://") {
        format!("`{shown}` is an address: fetch what is there, and")
    } else if data.starts_with("data:") {
        format!("`{shown}` is a `data:` URL without `;base64`:")
    } else if is_name && data.contains(['.', '\\', ' ']) {
        format!("`{shown}` is a path: read the file, and")
    } else {
        "this is not padded base64 in the standard alphabet:".to_owned()
    })
}

/// An error quotes at most this many characters of the data.
const MOST_SHOWN: usize = 60;
/// The maximum length in bytes of a string that an error calls a path.
const LONGEST_PATH: usize = 1024;

/// Returns whether the text is padded base64 in the standard alphabet.
fn is_base64(text: &str) -> bool {
    let digits = text.strip_suffix("==").or_else(|| text.strip_suffix('='));
    let digits = digits.unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.len().is_multiple_of(4) && digits.bytes().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_url_is_taken_apart_and_line_ends_are_left_out() {
        for (data, media_type, taken) in [
            ("aW1n", "image/png", "aW1n"),
            ("aW1n\naW1n\r\n", "image/png", "aW1naW1n"),
            ("data:image/jpeg;base64,aW1n", "image/jpeg", "aW1n"),
            ("DATA:image/jpeg;name=a;base64,aW1n", "image/jpeg", "aW1n"),
            ("data:image/jpeg;BASE64,aW1n", "image/jpeg", "aW1n"),
            ("data:;base64,aW1n", "image/png", "aW1n"),
            ("data:image/png,aW1n", "image/png", "data:image/png,aW1n"),
            ("", "image/png", ""),
        ] {
            let image = ImagePart::new("image/png", data);
            assert_eq!((&*image.media_type, &*image.data), (media_type, taken));
            let json = serde_json::json!({ "media_type": "image/png", "data": data, "name": "a" });
            assert_eq!(ImagePart::deserialize(&json).unwrap(), image);
            let file = FilePart::new("a", "image/png", data);
            assert_eq!(FilePart::deserialize(&json).unwrap(), file);
            assert_eq!((&*file.media_type, &*file.data), (media_type, taken));
        }
        let bytes = vec![0, 1, 2, 255];
        assert_eq!(FilePart::from_bytes("a", "a/b", &bytes).data, "AAEC/w==");
        assert_eq!(ImagePart::from_bytes("a/b", &bytes[..3]).data, "AAEC");
        let all: Vec<u8> = (0..=255).collect();
        for end in 1..256 {
            assert_eq!(
                ImagePart::from_bytes("a/b", &all[..end]).check_data(),
                Ok(())
            );
        }
    }

    #[test]
    fn what_takes_the_place_of_the_data_is_named() {
        for (data, problem) in [
            (
                "photos/cat.png",
                "`photos/cat.png` is a path: read the file, and",
            ),
            (
                r"C:\cats\a b.png",
                r"`C:\cats\a b.png` is a path: read the file, and",
            ),
            (
                "https://a.example/cat.png?key=hidden",
                "`https://a.example/cat.png` is an address: fetch what is there, and",
            ),
            (
                "data:text/plain,Hello",
                "`data:text/plain,Hello` is a `data:` URL without `;base64`:",
            ),
            ("aW1", "this is not padded base64 in the standard alphabet:"),
            (
                "_-8=",
                "this is not padded base64 in the standard alphabet:",
            ),
        ] {
            assert_eq!(
                ImagePart::new("image/png", data).check_data().unwrap_err(),
                format!(
                    "the data of an image is base64, and {problem} give the bytes to `ImagePart::from_bytes`"
                )
            );
        }
        let long = format!("{}.png", "é".repeat(90));
        let error = FilePart::new("a.pdf", "application/pdf", long).check_data();
        assert_eq!(
            error.unwrap_err(),
            format!(
                "the data of the file `a.pdf` is base64, and `{}…` is a path: read the file, and give the bytes to `FilePart::from_bytes`",
                "é".repeat(60)
            )
        );
    }
}
