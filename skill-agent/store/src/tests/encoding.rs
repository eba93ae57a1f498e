//! Encoding and decoding of values.

use super::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::IpAddr;

fn round_trip<T: Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    decode(&encode(value).unwrap()).unwrap()
}

proptest! {
    #[test]
    fn floats_round_trip_bit_for_bit(bits in any::<u64>()) {
        prop_assert_eq!(round_trip(&f64::from_bits(bits)).to_bits(), bits);
    }

    #[test]
    fn bytes_are_encoded_as_bin_not_as_a_list(state in any::<Vec<u8>>()) {
        let changed = ChangedSkill { key: String::new(), state };
        let bytes = encode(&changed).unwrap();
        prop_assert!(bytes.len() <= changed.state.len() + 20);
        prop_assert_eq!(round_trip(&changed), changed);
    }
}

#[test]
fn nan_and_the_infinities_round_trip() {
    for value in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0] {
        assert_eq!(round_trip(&Some(value)).unwrap().to_bits(), value.to_bits());
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Host {
    Known {
        address: IpAddr,
        ports: BTreeMap<u16, char>,
    },
    Named(Name),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Name {
    name: Option<String>,
    weight: Weight,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Weight {
    Count(u64),
    Share(f64),
}

#[test]
fn types_with_a_human_readable_form_round_trip_inside_tagged_enums() {
    let address = "2001:db8::1".parse().unwrap();
    let ports = BTreeMap::from([(443, 'a'), (80, 'ß')]);
    let known = Host::Known { address, ports };
    assert_eq!(round_trip(&known), known);
    for weight in [Weight::Count(u64::MAX), Weight::Share(f64::INFINITY)] {
        let named = Host::Named(Name { name: None, weight });
        assert_eq!(round_trip(&named), named);
    }
    assert_eq!(round_trip(&u128::MAX), u128::MAX);
    assert_eq!(round_trip(&i128::MIN), i128::MIN);
}

#[test]
fn an_encoded_state_decodes_to_the_json_that_serde_would_write() {
    let name = Name {
        name: Some("a".to_owned()),
        weight: Weight::Count(3),
    };
    let json: serde_json::Value = decode(&encode(&name).unwrap()).unwrap();
    assert_eq!(json, serde_json::to_value(&name).unwrap());
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Chain {
    next: Option<Box<Chain>>,
}

fn chain(length: usize) -> Chain {
    (1..length).fold(Chain::default(), |chain, _| Chain {
        next: Some(Box::new(chain)),
    })
}

#[test]
fn a_value_too_deep_to_be_decoded_is_not_encoded() {
    let deepest = chain(512);
    assert_eq!(round_trip(&deepest), deepest);
    let error = encode(&chain(513)).unwrap_err();
    assert!(error.to_string().contains("depth limit"), "{error}");
}

#[test]
fn bytes_after_a_value_are_an_error() {
    let mut bytes = encode(&1).unwrap();
    bytes.push(2);
    let error = decode::<i32>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "trailing bytes after the value: 1");
}

#[test]
fn a_record_decodes_with_missing_and_unknown_fields() {
    let bytes = encode(&json!({ "seq": 1, "kind": "Mark", "at": 2, "id": "m", "later": [1] }));
    let record: Record = decode(&bytes.unwrap()).unwrap();
    assert_eq!(record, Record::new(1, RecordKind::Mark, 2, "m"));
}
