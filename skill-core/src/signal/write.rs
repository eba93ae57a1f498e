//! Writes signals as CloudEvents JSON.

use super::{Signal, time};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};

impl Serialize for Signal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("specversion", "1.0")?;
        let texts = [
            ("id", self.id()),
            ("source", self.source()),
            ("type", Some(self.ty())),
            ("datacontenttype", self.datacontenttype()),
            ("dataschema", self.dataschema()),
            ("subject", self.subject()),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                map.serialize_entry(name, text)?;
            }
        }
        if let Some(time) = self.time() {
            let text = time::write(time).ok_or_else(|| {
                S::Error::custom("the time of a signal is not within the years 0 to 9999")
            })?;
            map.serialize_entry("time", &text)?;
        }
        for (name, value) in self.extensions() {
            map.serialize_entry(name, value)?;
        }
        if let Some(data) = &self.data {
            map.serialize_entry("data", data)?;
        }
        if let Some(bytes) = self.binary_data() {
            map.serialize_entry("data_base64", &BASE64_STANDARD.encode(bytes))?;
        }
        map.end()
    }
}
