//! States of many types over a restart: each is read back equal, or refused before it is acknowledged.

use super::{chain, kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::server::{AgentServerBuilder, VerifyRecords};
use skill_agent::store::Memory;
use skill_agent::{Applied, ServeError};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::net::IpAddr;
use std::num::NonZeroU8;
use std::path::PathBuf;
use std::time::Duration;

/// Declares types for the states below.
macro_rules! types {
    ($($item:item)*) => {
        $(
            #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
            $item
        )*
    };
}

types! {
    pub struct Unit;
    pub struct Newtype(u32);
    pub struct Pair(u32, String);
    pub struct Nested { newtype: Newtype, list: Vec<Pair> }
    #[serde(default)]
    pub struct Defaulted { a: u32, #[serde(skip_serializing_if = "Vec::is_empty")] b: Vec<u8> }
    #[serde(rename_all = "camelCase")]
    pub struct Renamed { long_name: u32, #[serde(rename = "type")] kind: String }
    pub struct Flat { a: u32, #[serde(flatten)] rest: BTreeMap<String, u32> }
    pub enum Plain { #[default] Off, On(u8), Pair(u8, u8), Fields { level: i64 } }
    #[serde(tag = "type")]
    pub enum Tagged { #[default] Off, Fields { level: i64, items: Vec<u8> } }
    #[serde(tag = "type", content = "value")]
    pub enum Adjacent { #[default] Off, On(u8), Fields { level: i64 } }
    #[serde(untagged)]
    pub enum Untagged { #[default] Off, Number(f64), Text(String), Fields { level: i64 } }
    pub struct Deep { inner: Option<Box<Self>> }
    #[derive(Eq, PartialOrd, Ord)]
    pub enum Letter { #[default] A, B }
    // From here on, `Serialize` and `Deserialize` differ.
    pub struct Skipping { #[serde(skip_serializing_if = "Vec::is_empty")] list: Vec<u8>, a: u32 }
    #[serde(rename_all(serialize = "UPPERCASE"))]
    pub struct OneWay { name: String }
    #[serde(default)]
    pub struct OneWayDefault { #[serde(rename(serialize = "NAME"))] name: String }
    #[serde(tag = "type")]
    pub enum TaggedWide { #[default] Off, Fields { level: i128 } }
    #[serde(untagged)]
    pub enum Ambiguous { #[default] Off, Wide(f64), Narrow(u8) }
    #[serde(default)]
    pub struct HalfSkipped { #[serde(skip_deserializing)] count: u32, a: u32 }
}

type Outcome<T> = Result<T, String>;

/// A number that is written as text and read as a number.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
pub struct Lopsided(u32);

impl Serialize for Lopsided {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_string())
    }
}

impl<'de> Deserialize<'de> for Lopsided {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(Self)
    }
}

/// A number that is rounded when it is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Rounded(f64);

impl<'de> Deserialize<'de> for Rounded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(|number| Self(number.round()))
    }
}

/// Declares a skill per type, with an action that stores a value of it, and an agent that has all of them.
macro_rules! states {
    (kept { $($kept:ident: $kept_type:ty = $kept_value:expr;)* } refused { $($refused:ident: $refused_type:ty = $refused_value:expr;)* }) => {
        $(states!(@skill $kept, $kept_type, $kept_value);)*
        $(states!(@skill $refused, $refused_type, $refused_value);)*

        agent! {
            /// Holds a value of each type.
            #[derive(Clone, Debug)]
            pub struct Holders {
                name: "holders",
                skills: [$($kept::Holder as $kept,)* $($refused::Holder as $refused,)*],
            }
        }

        const KEPT: &[&str] = &[$(stringify!($kept)),*];
        const REFUSED: &[&str] = &[$(stringify!($refused)),*];

        /// The values by the names of their skills, for comparison.
        fn values(state: &HoldersState) -> BTreeMap<&'static str, String> {
            BTreeMap::from([
                $((stringify!($kept), format!("{:?}", state.$kept.value)),)*
                $((stringify!($refused), format!("{:?}", state.$refused.value)),)*
            ])
        }
    };
    (@skill $module:ident, $ty:ty, $value:expr) => {
        mod $module {
            use super::*;

            /// Has a value.
            #[derive(Skill, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            #[skill(name = "holder", actions(Fill, Clear))]
            pub struct Holder {
                pub value: $ty,
            }

            /// Store the value.
            #[action]
            pub fn fill(holder: &mut Holder) {
                holder.value = $value;
            }

            /// Store the default.
            #[action]
            pub fn clear(holder: &mut Holder) {
                *holder = Holder::default();
            }
        }
    };
}

states! {
    kept {
        boolean: bool = true;
        byte: u8 = u8::MAX;
        short: i16 = i16::MIN;
        long: i64 = i64::MIN;
        unsigned: u64 = u64::MAX;
        wide: i128 = i128::MIN;
        wide_unsigned: u128 = u128::MAX;
        single: f32 = 0.1;
        double: f64 = 0.1;
        nan: f64 = f64::NAN;
        infinite: Vec<f64> = vec![f64::INFINITY, f64::NEG_INFINITY, -0.0];
        character: char = 'ß';
        text: String = "a \u{0} \u{1f600} \"b\"".to_owned();
        unit: () = ();
        unit_struct: Unit = Unit;
        newtype: Newtype = Newtype(7);
        pair: Pair = Pair(7, "x".to_owned());
        tuple: (u8, String, f64) = (1, "x".to_owned(), f64::NAN);
        array: [u16; 4] = [1, 2, 3, 4];
        optional: Option<u32> = Some(1);
        optional_unit: Option<Vec<u8>> = Some(Vec::new());
        non_zero: Option<NonZeroU8> = NonZeroU8::new(9);
        boxed: Box<Nested> = Box::new(Nested { newtype: Newtype(1), list: vec![Pair(2, String::new())] });
        list: Vec<Option<String>> = vec![None, Some(String::new())];
        deque: VecDeque<i8> = VecDeque::from([-1, 1]);
        linked: LinkedList<u8> = LinkedList::from([1, 2]);
        heap: BinaryHeap<u8> = BinaryHeap::from([3, 1, 2]);
        map: BTreeMap<String, Vec<u8>> = BTreeMap::from([("b".to_owned(), vec![1]), (String::new(), vec![])]);
        numbered: BTreeMap<i32, bool> = BTreeMap::from([(-1, true), (1, false)]);
        flags: BTreeMap<bool, u8> = BTreeMap::from([(true, 1)]);
        tupled: BTreeMap<(u8, u8), u8> = BTreeMap::from([((1, 2), 3)]);
        characters: BTreeMap<char, u8> = BTreeMap::from([('x', 1)]);
        variants: BTreeMap<Letter, u8> = BTreeMap::from([(Letter::B, 1)]);
        hashed: HashMap<String, u8> = HashMap::from([("a".to_owned(), 1)]);
        hashed_set: HashSet<u64> = HashSet::from([u64::MAX]);
        ordered_set: BTreeSet<Option<u8>> = BTreeSet::from([None, Some(1)]);
        nested: BTreeMap<String, BTreeMap<u8, Nested>> = BTreeMap::from([("a".to_owned(), BTreeMap::from([(1, Nested::default())]))]);
        defaulted: Defaulted = Defaulted { a: 1, b: Vec::new() };
        renamed: Renamed = Renamed { long_name: 1, kind: "x".to_owned() };
        flat: Flat = Flat { a: 1, rest: BTreeMap::from([("b".to_owned(), 2)]) };
        plain: Plain = Plain::Off;
        plain_on: Plain = Plain::On(1);
        plain_pair: Plain = Plain::Pair(1, 2);
        plain_fields: Plain = Plain::Fields { level: -1 };
        tagged: Tagged = Tagged::Fields { level: i64::MIN, items: vec![1] };
        tagged_off: Vec<Tagged> = vec![Tagged::Off];
        adjacent: Adjacent = Adjacent::On(1);
        adjacent_fields: Adjacent = Adjacent::Fields { level: 1 };
        untagged: Untagged = Untagged::Fields { level: 1 };
        untagged_number: Untagged = Untagged::Number(1.5);
        untagged_text: Untagged = Untagged::Text("1.5".to_owned());
        outcome: Option<Outcome<u8>> = Some(Ok(1));
        address: Option<IpAddr> = Some(IpAddr::from([127, 0, 0, 1]));
        path: PathBuf = PathBuf::from("/a b");
        duration: Duration = Duration::from_nanos(1_500_000_001);
        json: Value = json!({ "a": [1, 2.5, null, { "b": [] }], "": true });
        wide_in_a_list: Vec<u128> = vec![0, u128::MAX];
        deep: Deep = Deep { inner: Some(Box::new(Deep { inner: None })) };
    }
    refused {
        skipping: Option<Skipping> = Some(Skipping { list: Vec::new(), a: 1 });
        one_way: Option<OneWay> = Some(OneWay { name: "x".to_owned() });
        one_way_default: Option<OneWayDefault> = Some(OneWayDefault { name: "x".to_owned() });
        tagged_wide: TaggedWide = TaggedWide::Fields { level: 1 };
        ambiguous: Ambiguous = Ambiguous::Narrow(1);
        half_skipped: HalfSkipped = HalfSkipped { count: 1, a: 1 };
        lopsided: Option<Lopsided> = Some(Lopsided(1));
        rounded: Vec<Rounded> = vec![Rounded(1.0), Rounded(1.5)];
    }
}

fn server_on(store: Memory) -> AgentServerBuilder<Holders> {
    AgentServer::builder(Holders::with_id("holders-1")).store(store)
}

#[timed_test::test]
async fn a_state_is_read_back_equal_or_refused_before_it_is_acknowledged() {
    assert!(KEPT.len() + REFUSED.len() >= 60);
    let store = Memory::default();
    let server = start(server_on(store.clone())).await;
    let default = values(server.agent().await.unwrap().state());
    for name in KEPT {
        let filled = server.call_json(format!("{name}_fill"), "{}").await;
        filled.unwrap_or_else(|error| panic!("{name}: {}", chain(&error)));
    }
    for name in REFUSED {
        let error = server.call_json(format!("{name}_fill"), "{}").await;
        let error = error.expect_err(name);
        assert_eq!(error.applied(), Applied::No);
        let text = chain(&error);
        assert!(matches!(error, ServeError::Store { .. }), "{name}: {text}");
        let reason = format!("the state of `{name}` would not survive a restart");
        assert!(text.contains(&reason), "{name}: {text}");
    }
    let stored = values(server.agent().await.unwrap().state());
    for name in REFUSED {
        assert_eq!(stored[name], default[name], "{name} is unchanged");
    }
    println!("{} types kept, {} refused", KEPT.len(), REFUSED.len());
    kill(server).await;
    // Once by way of the records, and once by way of a snapshot.
    for stops in [true, false] {
        let server = start(server_on(store.clone())).await;
        assert_eq!(values(server.agent().await.unwrap().state()), stored);
        if stops {
            server.stop().await.unwrap();
        } else {
            kill(server).await;
        }
    }
}

#[timed_test::test]
async fn the_error_names_the_path_and_shows_values_only_with_payloads() {
    for (payloads, shown) in [
        (false, "read with another value"),
        (true, "stored as 1.5 and read as 2"),
    ] {
        let server = server_on(Memory::default()).trace_payloads(payloads);
        let server = start(server).await;
        let error = server.call_json("rounded_fill", "{}").await.unwrap_err();
        assert_eq!(
            chain(&error),
            format!(
                "the command could not be stored; nothing was applied: the change cannot be recorded in the log of `holders-1`: the \
                 state of `rounded` would not survive a restart, because its `Serialize` and `Deserialize` differ: `value.1` is {shown}"
            )
        );
        let error = server
            .call_json("half_skipped_fill", "{}")
            .await
            .unwrap_err();
        let text = chain(&error);
        assert!(
            text.ends_with("`value.count` is read with another value") || payloads,
            "{text}"
        );
    }
}

#[timed_test::test]
async fn a_fresh_state_that_cannot_be_read_back_stops_the_start() {
    let mut agent = Holders::with_id("holders-1");
    agent.rounded().cmd(rounded::Fill {}).unwrap();
    let error = AgentServer::builder(agent)
        .store(Memory::default())
        .start()
        .await;
    let text = chain(&error.unwrap_err());
    assert!(
        text.contains("the state of `rounded` would not survive a restart"),
        "{text}"
    );
}

#[timed_test::test]
async fn sampled_records_are_verified_until_a_state_is_read_back_and_then_now_and_again() {
    let store = Memory::default();
    let server = server_on(store.clone()).verify_records(VerifyRecords::Sampled);
    let server = start(server).await;
    for _ in 0..70 {
        let refused = server.call_json("rounded_fill", "{}").await;
        assert!(
            matches!(refused, Err(ServeError::Store { .. })),
            "no state was read back"
        );
    }
    server.call_json("ambiguous_clear", "{}").await.unwrap();
    let mut kept = 0;
    while server.call_json("ambiguous_fill", "{}").await.is_ok() {
        kept += 1;
    }
    // Record 64 would be the next one.
    assert_eq!(kept, 62);
    let refused = server.call_json("ambiguous_fill", "{}").await;
    assert!(
        refused.is_err(),
        "the record after a refused one is verified too"
    );
    let always = start(server_on(Memory::default())).await;
    for _ in 0..70 {
        let refused = always.call_json("rounded_fill", "{}").await;
        assert!(matches!(refused, Err(ServeError::Store { .. })));
    }
}
