//! Results: parts, long texts, and the tool that reads them on.

use crate::script::{Script, tool};
use crate::support::*;
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::toolbox::{OutputPart, ToolError, ToolOutput, ToolSession, Toolbox};

const TEXT: &str = r#"{"text":"a"}"#;
const KIB: usize = 1 << 10;

async fn reading(script: &Script) -> ToolSession {
    let toolbox = Toolbox::builder().source("disk", script.clone());
    toolbox.build().await.unwrap().session(ForeignCaller::Model)
}

/// The id and the offset in the note of a part.
fn note(text: &str) -> Option<(String, usize)> {
    let (_, note) = text.rsplit_once("call `read_result` with `id` \"")?;
    let (id, rest) = note.split_once("\" and `offset` ")?;
    Some((id.to_owned(), rest.trim_end_matches(']').parse().unwrap()))
}

async fn read(session: &ToolSession, id: &str, offset: usize) -> Result<String, ToolError> {
    let arguments = json!({ "id": id, "offset": offset }).to_string();
    let output = session.call("read_result", &arguments).await?;
    Ok(output.text().into_owned())
}

#[timed_test::test]
async fn all_parts_come_as_the_tool_gave_them() {
    let image = || OutputPart::Image {
        media_type: "image/png".into(),
        data: "aGk=".into(),
    };
    let file = || OutputPart::File {
        name: Some("a.pdf".into()),
        media_type: "application/pdf".into(),
        data: "aGk=".into(),
    };
    let link = OutputPart::Link {
        uri: "https://example.com/b".into(),
        name: "b".into(),
        description: None,
        media_type: None,
    };
    let output = ToolOutput::new(vec!["<a> & b".into(), image(), link, "c".into(), file()]);
    let script = Script::of(&["read"]);
    script.answer_with(output.clone());
    let found = reading(&script).await.call("read", TEXT).await.unwrap();
    assert_eq!(found, output);
    assert_eq!(found.text(), "<a> & b\n[b](https://example.com/b)\nc");
    let stored = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<ToolOutput>(&stored).unwrap(), found);
}

#[timed_test::test]
async fn a_long_text_is_cut_and_read_on_to_its_end() {
    let whole = "a\u{1F525}\u{e9}".repeat(40 * KIB);
    let script = Script::of(&["read"]);
    script.answer_with(whole.as_str().into());
    let session = reading(&script).await;
    let first = session.list().await;
    assert_eq!(names(&first), ["read"]);

    let mut part = session
        .call("read", TEXT)
        .await
        .unwrap()
        .text()
        .into_owned();
    let listed = session.list().await;
    assert_eq!(names(&listed), ["read", "read_result"]);
    assert_eq!(listed.generation, first.generation + 1);
    let mut read_back = String::new();
    loop {
        assert!(part.len() <= 64 * KIB);
        let (text, _) = part.rsplit_once("\n\n[bytes ").unwrap();
        read_back += text;
        let Some((id, offset)) = note(&part) else {
            break;
        };
        part = read(&session, &id, offset).await.unwrap();
    }
    assert!(
        part.ends_with("; this is the end of the result]"),
        "{}",
        &part[part.len() - 99..]
    );
    assert!(read_back == whole);
}

#[timed_test::test]
async fn a_new_session_for_each_call_has_no_result_to_read_on_and_says_so() {
    let script = Script::of(&["read"]);
    script.answer_with("x".repeat(70 * KIB).into());
    let toolbox = Toolbox::builder().source("disk", script.clone());
    let toolbox = toolbox.build().await.unwrap();
    let session = || toolbox.session(ForeignCaller::Model);
    let cut = session().call("read", TEXT).await.unwrap();
    let (id, offset) = note(&cut.text()).unwrap();
    let other = session();
    let error = read(&other, &id, offset).await.unwrap_err();
    assert!(matches!(error, ToolError::Unknown { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "there is no tool `read_result` in this session, which has cut no result; keep one session for a conversation, or call \
         the tool of the result again"
    );
    assert_eq!(names(&*other.list().await), ["read"]);
}

#[timed_test::test]
async fn only_what_is_too_long_is_cut_and_images_stay() {
    let image = || OutputPart::Image {
        media_type: "image/png".into(),
        data: "aGk=".into(),
    };
    let script = Script::of(&["read"]);
    let session = reading(&script).await;
    let longest = "x".repeat(64 * KIB);
    script.answer_with(longest.as_str().into());
    assert_eq!(session.call("read", TEXT).await.unwrap().text(), longest);
    let lines = ToolOutput::new(vec![longest[..KIB].into(), longest[KIB + 1..].into()]);
    script.answer_with(lines.clone());
    assert_eq!(session.call("read", TEXT).await.unwrap(), lines);
    assert_eq!(names(&*session.list().await), ["read"], "nothing was kept");
    script.answer_with(format!("{longest}x").into());
    let cut = session.call("read", TEXT).await.unwrap();
    assert!(note(&cut.text()).is_some());
    let fits = "x".repeat(64 * KIB - 1);
    script.answer_with(fits.as_str().into());
    assert_eq!(session.call("read", TEXT).await.unwrap().text(), fits);
    let halves = ToolOutput::new(vec![fits.as_str().into(), image(), "rest".into()]);
    script.answer_with(halves);
    let cut = session.call("read", TEXT).await.unwrap();
    let (text, image_kept) = (cut.text().into_owned(), cut.parts()[1].clone());
    assert_eq!((cut.parts().len(), image_kept), (2, image()));
    let (id, offset) = note(&text).unwrap();
    let rest = read(&session, &id, offset).await.unwrap();
    assert!(
        rest.contains("x\nrest\n\n[bytes 65344 to 65540 of 65540; "),
        "{rest}"
    );
    // an action of a server, too
    let server = porter().await;
    server.mount("pages", json!({})).await.unwrap();
    let session = Toolbox::of(&server).session(ForeignCaller::Model);
    let page = session.call("page", r#"{"letters":70000}"#).await.unwrap();
    assert!(note(&page.text()).is_some());
}

#[timed_test::test]
async fn the_last_sixteen_are_kept_and_a_result_that_is_gone_is_an_error_that_says_so() {
    let script = Script::of(&["read"]);
    let session = reading(&script).await;
    let mut ids = Vec::new();
    for number in 0..18 {
        script.answer_with(format!("{number:02}{}", "x".repeat(70 * KIB)).into());
        let text = session
            .call("read", TEXT)
            .await
            .unwrap()
            .text()
            .into_owned();
        ids.push(note(&text).unwrap().0);
    }
    for (number, id) in ids.iter().enumerate() {
        let part = read(&session, id, 0).await;
        match number {
            0 | 1 => assert_eq!(
                part.unwrap_err().to_string(),
                format!(
                    "the result `{id}` is no longer kept, since later ones took its place; call its tool again"
                )
            ),
            _ => assert!(part.unwrap().starts_with(&format!("{number:02}x"))),
        }
    }
    // at most 16 MiB
    script.answer_with("y".repeat(9 << 20).into());
    for _ in 0..2 {
        session.call("read", TEXT).await.unwrap();
    }
    read(&session, &ids[17], 0).await.unwrap_err();
    script.answer_with("z".repeat((16 << 20) + 1).into());
    let text = session
        .call("read", TEXT)
        .await
        .unwrap()
        .text()
        .into_owned();
    assert!(
        text.ends_with("; the rest is not kept, since the result has more than 16777216 bytes]")
    );
    assert!(text.len() <= 64 * KIB);
}

#[timed_test::test]
async fn wrong_ids_and_offsets_are_refused() {
    let script = Script::with(vec![tool("read")]);
    script.answer_with("\u{1F525}".repeat(20 * KIB).as_str().into());
    let (session, other) = (reading(&script).await, reading(&script).await);
    let id = |text: &str| note(text).unwrap().0;
    let own = id(&session.call("read", TEXT).await.unwrap().text());
    let foreign = id(&other.call("read", TEXT).await.unwrap().text());
    assert_ne!(own, foreign, "sessions have other ids");
    let prefix = own.strip_suffix("-1").unwrap();
    for id in [
        &foreign,
        "",
        "1",
        &format!("{prefix}-2"),
        &format!("{prefix}-01"),
        &format!("{prefix}-+1"),
    ] {
        let error = read(&session, id, 0).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("there is no result `{id}` in this conversation")
        );
    }
    let whole = 80 * KIB;
    for (offset, reason) in [
        (
            2,
            "the offset 2 is within a character, which begins at 0".to_owned(),
        ),
        (
            whole,
            format!("the offset {whole} is beyond its end; it has {whole} bytes"),
        ),
        (
            usize::MAX,
            format!(
                "the offset {} is beyond its end; it has {whole} bytes",
                usize::MAX
            ),
        ),
    ] {
        let error = read(&session, &own, offset).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the result `{own}` has no such part: {reason}")
        );
    }
    for arguments in [
        r#"{"id":1,"offset":0}"#,
        r#"{"offset":0}"#,
        r#"{"id":"a","offset":-1}"#,
    ] {
        let error = session.call("read_result", arguments).await.unwrap_err();
        assert!(matches!(error, ToolError::Arguments { .. }), "{error}");
    }
    let float = format!(r#"{{"id":"{own}","offset":4.0}}"#);
    session.call("read_result", &float).await.unwrap();
}

#[timed_test::test]
async fn a_text_of_exactly_the_limit_is_not_cut() {
    let script = Script::of(&["read"]);
    let session = reading(&script).await;
    let whole = "x".repeat(64 * KIB);
    let halves = || ToolOutput::new(vec![whole[1..].into(), "".into()]);
    for output in [whole.as_str().into(), halves()] {
        script.answer_with(output);
        let shown = session.call("read", TEXT).await.unwrap();
        assert!(note(&shown.text()).is_none());
    }
    script.answer_with(ToolOutput::new(vec![whole.as_str().into(), "".into()]));
    let shown = session.call("read", TEXT).await.unwrap();
    assert!(note(&shown.text()).is_some());
}

#[timed_test::test]
async fn a_text_that_is_too_long_to_keep_lists_no_tool_to_read_it() {
    let script = Script::of(&["read"]);
    let session = reading(&script).await;
    script.answer_with("z".repeat((16 << 20) + 1).into());
    let shown = session.call("read", TEXT).await.unwrap();
    assert!(
        shown
            .text()
            .ends_with("; the rest is not kept, since the result has more than 16777216 bytes]")
    );
    assert_eq!(names(&*session.list().await), ["read"]);
}

#[timed_test::test]
async fn images_that_are_too_large_are_left_out() {
    let script = Script::of(&["read"]);
    let image = OutputPart::Image {
        media_type: "image/png".into(),
        data: "A".repeat((16 << 20) + 1),
    };
    script.answer_with(ToolOutput::new(vec![image]));
    let output = reading(&script).await.call("read", TEXT).await.unwrap();
    assert_eq!(
        output.text(),
        "[an image of 16777226 bytes is left out: a result has at most 16777216]"
    );
}

#[timed_test::test]
async fn names_media_types_and_the_number_of_files_are_limited() {
    let file = |name: usize, media_type: usize| OutputPart::File {
        name: Some("n".repeat(name)),
        media_type: "m".repeat(media_type),
        data: String::new(),
    };
    let script = Script::of(&["read"]);
    let session = reading(&script).await;
    for large in [file((16 << 20) + 1, 0), file(0, (16 << 20) + 1)] {
        script.answer_with(ToolOutput::new(vec![large]));
        let output = session.call("read", TEXT).await.unwrap();
        assert_eq!(
            output.text(),
            "[a file of 16777217 bytes is left out: a result has at most 16777216]"
        );
    }
    script.answer_with(ToolOutput::new(vec![file(0, 0); 258]));
    let output = session.call("read", TEXT).await.unwrap();
    assert_eq!(output.parts().len(), 257);
    assert_eq!(
        output.text(),
        "[2 more images and files are left out: a result has at most 256]"
    );
}
