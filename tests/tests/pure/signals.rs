//! Signals as CloudEvents JSON: refusals with their place, directives with signals, and a comparison with the Python
//! package `cloudevents`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::directive::Origin;
use skill_agent::core::directive::{Effect, Reply};
use skill_agent::core::{Context, Directive, NoConfig, Signal};
use skill_agent::prelude::Skill;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

fn read(text: &str) -> Result<Signal, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn a_type_may_be_borrowed() {
    fn of(kind: &str) -> Signal {
        let ty = format!("order.{kind}");
        Signal::new(&*ty, json!(1)).with_type(ty.as_str())
    }
    assert_eq!(of("paid").ty(), "order.paid");
    assert_eq!(Signal::without_data(String::from("a")).ty(), "a");
}

#[test]
fn every_attribute_is_read() {
    let text = r#"{
        "specversion": "1.0", "id": "7", "source": "/shop/1?x#y", "type": "order.paid", "subject": "order 7",
        "time": "2026-01-02T05:04:05.25+02:00", "datacontenttype": "application/json", "dataschema": "urn:order",
        "traceparent": "00-ab", "sampled": true, "sequence1": -7, "data": {"total": 3.5}
    }"#;
    let signal = read(text).unwrap();
    assert_eq!((signal.ty(), signal.id()), ("order.paid", Some("7")));
    assert_eq!(signal.source(), Some("/shop/1?x#y"));
    assert_eq!(signal.subject(), Some("order 7"));
    let time = SystemTime::UNIX_EPOCH + Duration::new(1_767_323_045, 250_000_000);
    assert_eq!(signal.time(), Some(time));
    assert_eq!(signal.datacontenttype(), Some("application/json"));
    assert_eq!(signal.dataschema(), Some("urn:order"));
    assert_eq!(signal.data()["total"], 3.5);
    let extensions = json!({ "traceparent": "00-ab", "sampled": true, "sequence1": -7 });
    assert_eq!(json!(signal.extensions()), extensions);
    let again = serde_json::to_value(&signal).unwrap();
    assert_eq!(again["time"], "2026-01-02T03:04:05.25Z");
    assert_eq!(serde_json::from_value::<Signal>(again).unwrap(), signal);
}

#[test]
fn null_means_absent_except_for_data() {
    let text = r#"{"specversion":"1.0","type":"a","id":null,"source":null,"subject":null,"time":null,"ext":null,
        "datacontenttype":null,"dataschema":null,"data_base64":null}"#;
    assert_eq!(read(text), Ok(Signal::without_data("a")));
    let null = Signal::new("a", Value::Null);
    let text = serde_json::to_string(&null).unwrap();
    assert_eq!(text, r#"{"specversion":"1.0","type":"a","data":null}"#);
    assert_eq!(read(&text), Ok(null));
    let text = serde_json::to_string(&Signal::without_data("a")).unwrap();
    assert_eq!(text, r#"{"specversion":"1.0","type":"a"}"#);

    let text = r#"{"specversion":"1.0","type":"a","data":null,"data_base64":"AAE="}"#;
    assert_eq!(read(text), Ok(Signal::binary("a", [0, 1])));
}

/// Asserts that reading each text fails with an error that contains the expected text.
fn assert_refused(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let error = read(text).unwrap_err();
        assert!(error.contains(expected), "{text}\n{error}\n{expected}");
    }
}

#[test]
fn an_invalid_attribute_is_refused_with_its_name_and_position() {
    assert_refused(&[
        (
            r#"[]"#,
            "invalid type: sequence, expected a signal: an object with `specversion` and `type` at line 1 column 0",
        ),
        (
            r#"{"specversion":"1.0"}"#,
            "missing field `type` at line 1 column 21",
        ),
        (
            r#"{"type":"a"}"#,
            "missing field `specversion` at line 1 column 12",
        ),
        (
            r#"{"specversion":"0.3","type":"a"}"#,
            "invalid value: string \"0.3\", expected the version \"1.0\" of CloudEvents as `specversion` at line 1 column 20",
        ),
        (
            r#"{"specversion":1.0,"type":"a"}"#,
            "expected the version \"1.0\" of CloudEvents as `specversion` at line 1 column 18",
        ),
        (
            "{\"specversion\":\"1.0\",\n\"type\":\"\"}",
            "invalid value: string \"\", expected a text that is not empty as `type` at line 2 column 10",
        ),
        (
            r#"{"specversion":"1.0","type":"a","id":""}"#,
            "expected a text that is not empty as `id` at line 1 column 40",
        ),
        (
            r#"{"specversion":"1.0","type":"a","id":7}"#,
            "invalid type: integer `7`, expected a text that is not empty as `id` at line 1 column 39",
        ),
        (
            r#"{"specversion":"1.0","type":"a","source":""}"#,
            "as `source`",
        ),
        (
            r#"{"specversion":"1.0","type":"a","subject":""}"#,
            "as `subject`",
        ),
        (
            r#"{"specversion":"1.0","type":"a","dataschema":[]}"#,
            "invalid type: sequence, expected a text that is not empty as `dataschema`",
        ),
        (
            r#"{"specversion":"1.0","type":"a","datacontenttype":{}}"#,
            "invalid type: map, expected a text that is not empty as `datacontenttype`",
        ),
        (
            r#"{"specversion":"1.0","type":"a","time":"yesterday"}"#,
            "invalid value: string \"yesterday\", expected a time of RFC 3339 like \"2026-01-02T03:04:05Z\" as `time` at line 1 column 51",
        ),
    ]);
    let long = format!(
        r#"{{"specversion":"1.0","type":"a","time":"{}"}}"#,
        "é".repeat(1 << 20)
    );
    assert!(read(&long).unwrap_err().len() < 400);
}

#[test]
fn invalid_data_is_refused() {
    assert_refused(&[
        (
            r#"{"specversion":"1.0","type":"a","data_base64":"_w=="}"#,
            "invalid value: string \"_w==\", expected padded base64 of RFC 4648 as `data_base64` at line 1 column 53",
        ),
        (
            r#"{"specversion":"1.0","type":"a","data_base64":"/w"}"#,
            "padded base64",
        ),
        (
            r#"{"specversion":"1.0","type":"a","data":1,"data_base64":"/w==","id":"1"}"#,
            "a signal has `data` or `data_base64`, not both at line 1 column 61",
        ),
        (
            r#"{"specversion":"1.0","type":"a","data_base64":"/w==","data":1}"#,
            "not both",
        ),
    ]);
}

#[test]
fn an_invalid_extension_is_refused() {
    assert_refused(&[
        (
            r#"{"specversion":"1.0","type":"a","trace_id":"x"}"#,
            "`trace_id` cannot be an extension of a signal: a name has `a-z` and `0-9` only at line 1 column 42",
        ),
        (
            r#"{"specversion":"1.0","type":"a","":"x"}"#,
            "a name has `a-z` and `0-9` only",
        ),
        (
            r#"{"specversion":"1.0","type":"a","ext":[1]}"#,
            "`ext` cannot be an extension of a signal: a value is a text",
        ),
        (
            r#"{"specversion":"1.0","type":"a","ext":1.5}"#,
            "a whole number of 32 bits",
        ),
        (
            r#"{"specversion":"1.0","type":"a","ext":2147483648}"#,
            "a whole number of 32 bits",
        ),
    ]);
}

#[test]
fn a_repeated_attribute_is_refused() {
    assert_refused(&[
        (
            r#"{"specversion":"1.0","type":"a","type":"b"}"#,
            "duplicate field `type` at line 1",
        ),
        (
            r#"{"specversion":"1.0","type":"a","data":null,"data":1}"#,
            "duplicate field `data`",
        ),
        (
            r#"{"specversion":"1.0","type":"a","ext":1,"ext":2}"#,
            "duplicate field `ext`",
        ),
    ]);
}

#[test]
fn setting_an_invalid_extension_is_an_error() {
    let signal = || Signal::without_data("a");
    for name in ["", "Ext", "trace_id", "data", "data_base64", "type", "ä"] {
        assert_eq!(signal().with_extension(name, 1).unwrap_err().name, name);
    }
    for value in [json!([]), json!({}), json!(0.5), json!(1i64 << 31)] {
        assert!(
            signal().with_extension("ext", value.clone()).is_err(),
            "{value}"
        );
    }
}

fn directives() -> Vec<Value> {
    let signal = json!({
        "specversion": "1.0", "id": "1", "source": "/s", "type": "a.b", "time": "2026-01-02T03:04:05Z", "ext": -1,
        "data": { "list": [1, -2, 0.5, null, "x"] },
    });
    let bytes =
        json!({ "specversion": "1.0", "type": "a.b", "subject": "c", "data_base64": "/wA=" });
    let bare = json!({ "specversion": "1.0", "type": "a.b" });
    let origin = json!({ "skill": "clock", "cause": "7", "tags": ["x"] });
    let own = json!({ "skill": "clock", "cause": null, "tags": [] });
    vec![
        json!({ "directive": "emit", "effect": signal, "origin": origin }),
        json!({ "directive": "emit", "effect": bytes, "origin": own }),
        json!({ "directive": "run", "effect": { "action": "tick", "params": { "n": 1 } }, "origin": own }),
        json!({ "directive": "reply", "effect": { "to": null, "signal": bare }, "origin": own }),
        json!({ "directive": "register_action", "skill": "clock", "action": "tick", "origin": own }),
        json!({ "directive": "deregister_action", "skill": "clock", "action": "tick", "origin": own }),
        json!({
            "directive": "schedule",
            "effect": { "after": { "secs": 1, "nanos": 5 }, "signal": signal, "key": null },
            "origin": own,
        }),
        json!({ "directive": "spawn", "effect": { "id": "child", "params": [1] }, "origin": own }),
        json!({ "directive": "stop", "reason": "done", "origin": own }),
        json!({ "directive": "error", "message": "no", "origin": own }),
    ]
}

#[test]
fn every_directive_survives_json_and_message_pack() {
    for json in directives() {
        let directive: Directive = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(serde_json::to_value(&directive).unwrap(), json);
        let text = serde_json::to_string(&directive).unwrap();
        assert_eq!(serde_json::from_str::<Directive>(&text).unwrap(), directive);
        let packed = rmp_serde::to_vec_named(&directive).unwrap();
        let unpacked: Directive = rmp_serde::from_slice(&packed).unwrap();
        assert_eq!(unpacked, directive);
    }
    let unknown = serde_json::from_str::<Directive>(r#"{"directive":"explode"}"#).unwrap_err();
    assert!(
        unknown.to_string().contains("unknown variant `explode`"),
        "{unknown}"
    );
}

/// Reads every line as an event and writes it again, then writes two events of its own.
const PYTHON: &str = r#"
import sys
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent
form = JSONFormat()
for line in sys.stdin:
    print(form.write(form.read(None, line)).decode())
attributes = {"id": "p", "source": "/python", "type": "py.made", "ext": "x"}
print(form.write(CloudEvent(dict(attributes), {"n": [1, None, "é"]})).decode())
print(form.write(CloudEvent(dict(attributes, datacontenttype="image/png"), b"\x00\xff")).decode())
"#;

/// Returns the lines that Python prints. Without Python or the package, prints the reason and returns `None`.
fn python(lines: &str) -> Option<Vec<Signal>> {
    let probe = Command::new("python3")
        .args(["-c", "import cloudevents.core.formats.json"])
        .output();
    match probe {
        Ok(output) if output.status.success() => {}
        Ok(_) => {
            eprintln!("skipped: python3 has no package `cloudevents` 2");
            return None;
        }
        Err(error) => {
            eprintln!("skipped: no python3: {error}");
            return None;
        }
    }
    let mut child = Command::new("python3")
        .args(["-c", PYTHON])
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // the few lines fit into the pipe
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(lines.lines().map(|line| read(line).unwrap()).collect())
}

#[test]
fn signals_are_exchanged_with_the_python_package_cloudevents() {
    let stamped = |mut signal: Signal| {
        // Python's resolution is a microsecond
        let time = SystemTime::UNIX_EPOCH + Duration::from_micros(1_767_323_045_250_001);
        signal.stamp("1", "/rust", time);
        signal
    };
    let signals = [
        Signal::new(
            "order.paid",
            json!({ "total": 3.5, "lines": [1, null, "ü"] }),
        ),
        Signal::new("order.paid", json!("text")).with_subject("7"),
        Signal::new("order.paid", json!([1, 2]))
            .with_datacontenttype("application/json")
            .with_dataschema("urn:order"),
        Signal::new("order.paid", json!("<a/>")).with_datacontenttype("text/xml"),
        Signal::binary("photo.taken", [0, 255, 7]).with_datacontenttype("image/png"),
        Signal::binary("photo.taken", []),
        Signal::without_data("clock.ticked")
            .with_extension("sampled", true)
            .and_then(|signal| signal.with_extension("sequence1", -7))
            .and_then(|signal| signal.with_extension("traceparent", "00-ab"))
            .unwrap(),
    ]
    .map(stamped);
    let lines: String = signals
        .iter()
        .map(|signal| serde_json::to_string(signal).unwrap() + "\n")
        .collect();
    let Some(answers) = python(&lines) else {
        return;
    };
    let (returned, made) = answers.split_at(signals.len());
    assert_eq!(returned, signals);
    let [object, bytes] = made else {
        panic!("{made:?}");
    };
    assert_eq!(
        (object.ty(), object.id(), object.source()),
        ("py.made", Some("p"), Some("/python"))
    );
    assert!(object.time().is_some() && object.extensions()["ext"] == "x");
    assert_eq!(object.data(), &json!({ "n": [1, null, "é"] }));
    assert_eq!(bytes.binary_data(), Some(&[0, 255][..]));
    assert_eq!(bytes.datacontenttype(), Some("image/png"));
}

/// Has no state.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "voice")]
struct Voice {}

#[test]
fn a_signal_with_an_invalid_type_is_replaced_by_an_error() {
    for ty in ["", "a..b", "a b", "a.*", "**", "über"] {
        let mut cx = Context::<Voice>::for_test(NoConfig {});
        cx.emit(Signal::new(ty, json!(1)));
        cx.reply(Signal::without_data(ty));
        cx.schedule(Duration::ZERO, Signal::binary(ty, []));
        cx.schedule_as(
            "key",
            Duration::ZERO,
            Signal::new("a", json!(1)).with_type(ty),
        );
        let errors = ["emitted", "replied", "scheduled", "scheduled"].map(|what| {
            let message = format!(
                "`voice` {what} a signal of the type `{ty}`; a type is written like `order.paid`: names of letters, digits, `_` and `-`, separated by `.`"
            );
            Directive::error(message, Origin::new("voice"))
        });
        assert_eq!(cx.into_directives(), errors);
    }
}

#[test]
fn queued_directives_can_be_compared_with_constructed_ones() {
    let mut cx = Context::<Voice>::for_test(NoConfig {}).with_reply_to("inbox");
    let answer = Signal::new("voice.said", json!(1));
    cx.reply(answer.clone());
    cx.cancel("later");
    cx.stop("hoarse");
    let origin = Origin::new("voice");
    let reply = Reply::new(answer).with_to("inbox");
    let expected = [
        Directive::Reply(Effect::new(reply, origin.clone())),
        Directive::cancel("voice.later", origin.clone()),
        Directive::stop("hoarse", origin),
    ];
    assert_eq!(cx.into_directives(), expected);
}
