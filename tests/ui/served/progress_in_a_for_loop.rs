// The values of a progress channel are read by a `for` loop.
// Text of ours.
use skill_agent::server::progress_channel;

async fn listen() {
    let (_, values) = progress_channel();
    for value in values {
        println!("{value}");
    }
}

fn main() {}
