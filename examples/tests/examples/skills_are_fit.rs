//! The skills of the examples are fit to be listed by agents of other crates.

use skill_agent::testing::assert_skill;
use skill_examples::mountable::{Arithmetic, Auth, AuthenticatedSearch, Counter, HttpClient};
use skill_examples::skills::{FileSystem, Math, Message, Posting, Ticket};
use skill_examples::ticker::Ticker;
use skill_examples::worked;

#[test]
fn every_skill_is_fit() {
    assert_skill::<Arithmetic>();
    assert_skill::<Auth>();
    assert_skill::<AuthenticatedSearch>();
    assert_skill::<Counter>();
    assert_skill::<FileSystem>();
    assert_skill::<HttpClient>();
    assert_skill::<Math>();
    assert_skill::<Message>();
    assert_skill::<Posting>();
    assert_skill::<Ticker>();
    assert_skill::<Ticket>();
    assert_skill::<worked::handle_signal::Calculator>();
    assert_skill::<worked::own_tools::Arithmetic>();
    assert_skill::<worked::schemas::Calculator>();
    assert_skill::<worked::schemas::Stats>();
}
