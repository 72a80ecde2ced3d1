//! An entry in a TOML document: a separate table at the end.

use super::text_style::{LINE_BREAKS, appended, without_addition};
use super::{Kept, NAME};
use serde_json::Value;

fn parsed(text: &str) -> Result<toml::Table, String> {
    text.parse::<toml::Table>().map_err(|cause| format!("it is not valid TOML: {}", cause.message()))
}

/// Returns the entry of a document, if it has one.
fn known(text: &str, servers: &str) -> Result<Option<Value>, String> {
    let parsed = parsed(text)?;
    let entry = parsed.get(servers).and_then(|servers| servers.get(NAME));
    entry.map(|entry| serde_json::to_value(entry).map_err(|cause| cause.to_string())).transpose()
}

/// Returns the lines of the entry.
fn table(servers: &str, entry: &Value) -> Result<String, String> {
    let lines = toml::to_string(entry).map_err(|cause| cause.to_string())?;
    Ok(format!("[{servers}.{NAME}]\n{lines}"))
}

/// Appends the entry to a TOML document as a separate table.
pub(super) fn with_toml(former: Option<&str>, servers: &str, entry: &Value) -> Result<String, String> {
    let text = former.unwrap_or_default();
    if let Some(known) = known(text, servers)? {
        return match known == *entry {
            true => Ok(text.to_owned()),
            false => Err(format!("it already contains a different [{servers}.{NAME}]")),
        };
    }
    let new = appended(former, &table(servers, entry)?);
    parsed(&new).map(|_| new)
}

/// Removes the entry with the line break before it, if `wrote` recognizes it.
pub(super) fn without_toml(text: &str, servers: &str, wrote: impl Fn(&Value) -> bool) -> Result<Kept, String> {
    let Some(known) = known(text, servers)? else { return Ok(Kept::Absent) };
    let lines = table(servers, &known)?;
    let forms = LINE_BREAKS.map(|line_break| lines.replace('\n', line_break));
    let around = forms.iter().find_map(|form| text.split_once(form).map(|(before, after)| (before, form, after)));
    // A table in another form was written by someone else.
    let Some((before, addition, after)) = around.filter(|_| wrote(&known)) else { return Ok(Kept::Foreign) };
    let kept = without_addition(before, addition, after);
    if let Kept::Text(rest) = &kept {
        parsed(rest)?;
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry() -> Value {
        json!({"command": "whichfn", "args": ["mcp"]})
    }

    fn with(former: &str) -> Result<String, String> {
        with_toml(Some(former), "mcp_servers", &entry())
    }

    #[test]
    fn adds_a_toml_table_at_the_end() {
        let new = with("model = \"x\"\n[mcp_servers.b]\ncommand = \"y\" # mine").expect("TOML");
        assert!(
            new.starts_with("model = \"x\"\n[mcp_servers.b]\ncommand = \"y\" # mine\n[mcp_servers.whichfn]\n"),
            "{new}"
        );
        assert_eq!(with(&new).expect("TOML"), new, "a second time changes nothing");
        assert!(with("[mcp_servers.whichfn]\ncommand = \"old\"").is_err(), "another entry");
        assert!(with("mcp_servers = {}\n").is_err(), "a table that cannot be added to");
    }

    #[test]
    fn removal_restores_the_bytes_before_the_addition() {
        let without = |text: &str| without_toml(text, "mcp_servers", |value| *value == entry()).expect("TOML");
        for former in [
            "",
            "model = \"x\"",
            "model = \"x\"\r\n",
            "model = \"x\"\n",
            "model = \"x\"\n\n",
            "# mine\n[mcp_servers.b]\ncommand = \"y\"\n",
        ] {
            assert_eq!(without(&with(former).expect("TOML")), Kept::Text(former.to_owned()));
        }
        let new = with_toml(None, "mcp_servers", &entry()).expect("TOML");
        assert_eq!(without(&new), Kept::Nothing, "a file that the addition created");
        assert_eq!(without("[mcp_servers.whichfn]\ncommand = \"old\""), Kept::Foreign);
        assert_eq!(without("model = \"x\"\n"), Kept::Absent);
        let later = format!("{}\n[other]\na = 1\n", with("b = 2\n").expect("TOML"));
        assert_eq!(without(&later), Kept::Text("b = 2\n\n[other]\na = 1\n".to_owned()));
        let later = format!("{}[other]\n", with("b = 2").expect("TOML"));
        assert_eq!(without(&later), Kept::Text("b = 2\n[other]\n".to_owned()), "lines are not joined");
    }
}
