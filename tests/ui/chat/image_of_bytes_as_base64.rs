// The bytes of an image are given where base64 is expected.
// Text of rustc, `E0277`: docs/chat.md has the cure.
use skill_agent::chat::ImagePart;

fn cat(bytes: Vec<u8>) -> ImagePart {
    ImagePart::new("image/png", bytes)
}

fn main() {}
