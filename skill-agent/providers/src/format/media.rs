//! Images and files in requests.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use skill_agent_chat::{
    FilePart, ImagePart, Message, MessagePart, ModelError, ResultPart, TextPart,
};
use skill_agent_toolbox::OutputPart;

/// Returns a `data:` URL with the data.
pub(crate) fn data_url(media_type: &str, data: &str) -> String {
    format!("data:{media_type};base64,{data}")
}

/// Returns an error unless the image has an image's media type and base64 data. A server might take other data for an address.
pub(crate) fn only_images(image: &ImagePart) -> Result<(), ModelError> {
    check_type(image)
        .and_then(|()| image.check_data())
        .map_err(ModelError::Request)
}

fn check_type(image: &ImagePart) -> Result<(), String> {
    let media_type = &image.media_type;
    if media_type.starts_with("image/") {
        return Ok(());
    }
    Err(format!(
        "an image has the media type `{media_type}`; write one like `image/png`"
    ))
}

type CheckFile = fn(&FilePart) -> Result<(), String>;

/// The images and files that a model accepts.
#[derive(Clone, Copy)]
pub(crate) struct MediaRules {
    /// Whether the model accepts images.
    pub(crate) images: bool,
    /// Checks a file in a result.
    pub(crate) files: CheckFile,
}

impl MediaRules {
    /// Returns the images and files of a tool's output. Each one that the model does not accept is replaced with text, because it
    /// would make every later request fail.
    pub(crate) fn of_output(self, result: &ResultPart) -> Vec<MessagePart> {
        let media = media_of_output(result).into_iter();
        media.map(|part| self.or_note(part, self.files)).collect()
    }

    /// Returns the parts of a message. The last message of a conversation is sent unchanged. In earlier messages, images that the
    /// model does not accept and files that cannot be read become text, because a different model may have accepted them.
    pub(crate) fn of_message(self, message: &Message, is_last: bool) -> Vec<MessagePart> {
        let parts = shown(&message.parts);
        if is_last {
            return parts;
        }
        let parts = parts.into_iter();
        parts.map(|part| self.or_note(part, readable)).collect()
    }

    fn or_note(self, part: MessagePart, files: CheckFile) -> MessagePart {
        let (kind, accepted) = match &part {
            MessagePart::Image(image) => ("an image", self.accept(image)),
            MessagePart::File(file) => ("a file", files(file)),
            _ => return part,
        };
        let reason = match accepted.and_then(|()| check_data(&part)) {
            Ok(()) => return part,
            Err(reason) => reason,
        };
        TextPart::new(format!("{kind} was left out: {reason}")).into()
    }

    fn accept(self, image: &ImagePart) -> Result<(), String> {
        if !self.images {
            return Err("the model reads no images".to_owned());
        }
        check_type(image)
    }
}

/// Returns the parts as a request has them. The text that the chat adds is a block behind the text before it, because not every
/// server accepts several texts in a message.
pub(crate) fn shown(parts: &[MessagePart]) -> Vec<MessagePart> {
    let mut shown = Vec::with_capacity(parts.len());
    for part in parts {
        let MessagePart::Context(part) = part else {
            shown.push(part.clone());
            continue;
        };
        match (shown.last_mut(), part.block()) {
            (_, None) => {}
            (Some(MessagePart::Text(text)), Some(block)) => {
                text.text = format!("{}\n\n{block}", text.text);
            }
            (_, Some(block)) => shown.push(TextPart::new(block).into()),
        }
    }
    shown
}

/// Returns an error message for the model unless the data is base64. The message for a person is different: it names functions of
/// this project.
fn check_data(part: &MessagePart) -> Result<(), String> {
    let (data, checked) = match part {
        MessagePart::Image(image) => (&image.data, image.check_data()),
        MessagePart::File(file) => (&file.data, file.check_data()),
        _ => return Ok(()),
    };
    let reason = if data.is_empty() {
        "it is empty"
    } else {
        "its data is not base64"
    };
    checked.map_err(|_| reason.to_owned())
}

/// Returns an error for a text file that is not UTF-8. Accepts all other files.
fn readable(file: &FilePart) -> Result<(), String> {
    if file.media_type.starts_with("text/") {
        return text_of(file).map(drop);
    }
    Ok(())
}

/// Returns an error unless the file is a PDF.
pub(crate) fn only_pdf(file: &FilePart) -> Result<(), String> {
    if file.media_type == PDF {
        return Ok(());
    }
    let FilePart {
        name, media_type, ..
    } = file;
    Err(format!(
        "`{name}` has the media type `{media_type}`, and the model reads only `{PDF}`"
    ))
}

/// Returns an error unless the file is UTF-8 text or a PDF.
pub(crate) fn only_texts_and_pdf(file: &FilePart) -> Result<(), String> {
    if file.media_type.starts_with("text/") {
        return text_of(file).map(drop);
    }
    only_pdf(file)
}

const PDF: &str = "application/pdf";

fn media_of_output(result: &ResultPart) -> Vec<MessagePart> {
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

/// Decodes the base64 data of a text file to UTF-8.
pub(crate) fn data_of_text(file: &FilePart) -> Result<String, ModelError> {
    text_of(file).map_err(ModelError::Request)
}

fn text_of(file: &FilePart) -> Result<String, String> {
    let bytes = BASE64_STANDARD.decode(&file.data).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let name = &file.name;
    text.ok_or_else(|| format!("the file `{name}` is not UTF-8 in base64"))
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
        let image = |media_type| ImagePart::new(media_type, "aW1n");
        assert!(only_images(&image("image/png")).is_ok());
        assert!(
            only_images(&image("text/html"))
                .unwrap_err()
                .to_string()
                .contains("`text/html`")
        );
    }
}
