// A path is given where the bytes of an image are expected.
// Text of rustc, `E0277`: docs/chat.md has the cure.
use skill_agent::chat::ImagePart;

fn cat() -> ImagePart {
    ImagePart::from_bytes("image/png", "photos/cat.png")
}

fn main() {}
