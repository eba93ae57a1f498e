// An option without a method of its own is set by a method.
// Text of rustc, `no method named `top_p` found for struct `RequestOptions``: docs/chat.md has the cure.
use skill_agent::chat::RequestOptions;

fn main() {
    let _ = RequestOptions::new().top_p(0.9);
}
