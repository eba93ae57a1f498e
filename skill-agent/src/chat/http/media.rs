//! Images and files in requests.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::chat::{FilePart, ImagePart, MessagePart, ModelError, ResultPart};
use crate::toolbox::OutputPart;

/// An address that contains its data.
pub(super) fn data_url(media_type: &str, data: &str) -> String {
    format!("data:{media_type};base64,{data}")
}

/// Refuses data that is no image, which a server might read as an address.
pub(super) fn only_images(media_type: &str) -> Result<(), ModelError> {
    if media_type.starts_with("image/") {
        return Ok(());
    }
    let error = format!("an image has the media type `{media_type}`; write one like `image/png`");
    Err(ModelError::Request(error))
}

/// The images and files in the output of a tool.
pub(super) fn media_of_output(result: &ResultPart) -> Vec<MessagePart> {
    let media = |part: &OutputPart| match part.clone() {
        OutputPart::Image { media_type, data } => Some(ImagePart::new(media_type, data).into()),
        OutputPart::File {
            name,
            media_type,
            data,
        } => {
            let name = name.unwrap_or_else(|| "file".to_owned());
            Some(FilePart::new(name, media_type, data).into())
        }
        _ => None,
    };
    result.parts().iter().filter_map(media).collect()
}

/// The text of a file.
pub(super) fn data_of_text(file: &FilePart) -> Result<String, ModelError> {
    let bytes = BASE64_STANDARD.decode(&file.data).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let name = &file.name;
    text.ok_or_else(|| ModelError::Request(format!("the file `{name}` is not UTF-8 in base64")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_files_are_decoded_and_images_are_checked() {
        let file = |data| FilePart::new("a.txt", "text/plain", data);
        assert_eq!(data_of_text(&file("w6k=")).unwrap(), "é");
        for malformed in ["w6k", "/w=="] {
            let error = data_of_text(&file(malformed)).unwrap_err().to_string();
            assert!(error.contains("`a.txt` is not UTF-8"), "{error}");
        }
        assert!(only_images("image/png").is_ok());
        assert!(
            only_images("text/html")
                .unwrap_err()
                .to_string()
                .contains("`text/html`")
        );
    }
}
