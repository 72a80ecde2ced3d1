//! The row of a verb in the table of verbs: its description, and how each front end reads it.

use super::{Format, ListOptions, Verb};
use clap::{ArgMatches, Args, Command};
use rmcp::schemars::JsonSchema;
use rmcp::schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Description of a verb.
#[derive(Debug)]
pub struct About {
    /// Name of the command, of the endpoint, and of the relation for agents.
    pub name: &'static str,
    /// Other name of the command.
    pub alias: Option<&'static str>,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// What is listed, as in `-k 0 requests no uses`.
    pub listed: &'static str,
    /// Default number of entries: in text, in JSON, over HTTP, and for an agent.
    pub usual: [usize; 4],
    /// Maximum number of entries over HTTP.
    pub most: usize,
    /// Output formats of the command.
    pub formats: &'static [Format],
    /// True if the settings and variables of questions also apply: number of results and kind.
    pub follows_settings: bool,
    /// Name of the reply's schema in the description of the HTTP endpoints.
    pub reply: &'static str,
    /// Examples for the manual: a command line, and what it does.
    pub examples: &'static [(&'static str, &'static str)],
}

impl About {
    /// Description of a verb with the usual options.
    pub const LIST: Self = Self {
        name: "",
        alias: None,
        about: "",
        listed: "definitions",
        usual: [40, 40, 40, 60],
        most: 2_000,
        formats: &[Format::Text, Format::Json, Format::Vimgrep],
        follows_settings: false,
        reply: "Listing",
        examples: &[],
    };
}

/// A verb in the table.
#[derive(Debug)]
pub struct Registered {
    /// Its description.
    pub about: About,
    with_arguments: fn(Command) -> Command,
    parsed: fn(&ArgMatches) -> Result<Box<dyn Verb>, clap::Error>,
    read: fn(Value) -> serde_json::Result<Box<dyn Verb>>,
    schema: fn() -> Value,
}

impl Registered {
    /// Creates the row of a verb.
    pub const fn new<V: Verb + Args + DeserializeOwned + JsonSchema + 'static>(about: About) -> Self {
        Self {
            about,
            with_arguments: V::augment_args,
            parsed: |matches| Ok(Box::new(V::from_arg_matches(matches)?)),
            read: |fields| Ok(Box::new(serde_json::from_value::<V>(fields)?)),
            schema: schema_of::<V>,
        }
    }

    /// Returns the command with the arguments of the verb and further options.
    pub fn command(&self, with_options: impl FnOnce(Command) -> Command) -> Command {
        let About { name, alias, about, .. } = self.about;
        let command = with_options((self.with_arguments)(Command::new(name).aliases(alias)));
        let long = alias.map(|alias| format!("{about}.\n\n`whichfn {alias}` is a short form."));
        // The arguments have descriptions of their own, which would replace that of the command.
        command.about(about).long_about(long.unwrap_or_else(|| about.to_string()))
    }

    /// Reads the verb from the arguments of the command.
    pub fn parsed(&self, matches: &ArgMatches) -> Result<Box<dyn Verb>, clap::Error> {
        (self.parsed)(matches)
    }

    /// Reads the verb and its options from the fields of a request that fits the schema.
    pub fn read(&self, fields: &Map<String, Value>) -> serde_json::Result<(Box<dyn Verb>, ListOptions)> {
        let fields = Value::Object(fields.clone());
        Ok(((self.read)(fields.clone())?, serde_json::from_value(fields)?))
    }

    /// Returns the schema of the fields of a request: `properties` and `required`.
    pub fn schema(&self) -> Value {
        let (mut schema, mut options) = ((self.schema)(), schema_of::<ListOptions>());
        let k = &mut options["properties"]["k"];
        (k["minimum"], k["maximum"], k["default"]) = (1.into(), self.about.most.into(), self.about.usual[2].into());
        for (name, property) in options["properties"].as_object().into_iter().flatten() {
            schema["properties"][name] = property.clone();
        }
        schema
    }
}

/// Returns the schema of a type, without what only Rust knows (`uint`, alternatives with `null`).
fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    for (_, property) in schema["properties"].as_object_mut().into_iter().flatten() {
        let Some(fields) = property.as_object_mut() else { continue };
        fields.remove("format");
        fields.retain(|_, value| !value.is_null());
        if let Some(types) = fields.get_mut("type")
            && let Some(first) = types.as_array().and_then(|all| all.first()).cloned()
        {
            *types = first;
        }
        if let Some(text) = fields.get_mut("description") {
            *text = text.as_str().unwrap_or_default().replace('\n', " ").into();
        }
    }
    json!({"type": "object", "properties": schema["properties"], "required": schema["required"]})
}
