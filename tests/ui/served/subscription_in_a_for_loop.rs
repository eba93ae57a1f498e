// The signals of a subscription are read by a `for` loop.
// Text of ours.
use skill_agent::server::Subscription;

async fn listen(signals: Subscription) {
    for signal in signals {
        println!("{}", signal.ty());
    }
}

fn main() {}
