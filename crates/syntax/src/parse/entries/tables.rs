//! Names of tables in an SQL statement.

/// Words that an SQL statement starts with.
const VERBS: [&str; 10] =
    ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE", "MERGE", "CREATE", "ALTER", "TRUNCATE"];
/// Words before the name of a table.
const BEFORE: [&str; 5] = ["FROM", "JOIN", "INTO", "UPDATE", "TABLE"];
/// Words that may be between one of these and the name.
const BETWEEN: [&str; 6] = ["IF", "NOT", "EXISTS", "ONLY", "LATERAL", "IGNORE"];
/// Maximum number of tables in a statement.
const MAX_TABLES: usize = 16;
/// Maximum number of bytes of a statement that are read.
const MAX_STATEMENT: usize = 1 << 14;

/// Returns the tables that a statement names, in order and in lower case, without their schema; none
/// if the text is no statement.
pub(super) fn tables(sql: &str) -> Vec<String> {
    let sql = whichfn_text::prefix(sql, MAX_STATEMENT);
    // A word with a placeholder (`{table}`, `%s`, `:name`) is no name.
    let is_part = |c: char| c.is_alphanumeric() || "_.\"`[]${}%:?@".contains(c);
    let mut words = sql.split(|c: char| !is_part(c) && c != '(').flat_map(|word| word.split_inclusive('('));
    let first = words.clone().find(|word| !word.is_empty()).unwrap_or_default().to_uppercase();
    let mut found: Vec<String> = Vec::new();
    if !VERBS.contains(&first.as_str()) {
        return found;
    }
    while found.len() < MAX_TABLES
        && let Some(word) = words.next()
    {
        if !BEFORE.contains(&word.to_uppercase().as_str()) {
            continue;
        }
        let is_name = |word: &&str| !word.is_empty() && !BETWEEN.contains(&word.to_uppercase().as_str());
        let Some(word) = words.clone().find(is_name) else { break };
        // A function or a query in brackets.
        let name = word.rsplit('.').next().unwrap_or(word).trim_matches(['"', '`', '[', ']']);
        let is_table = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_word = VERBS.contains(&name.to_uppercase().as_str()) || BEFORE.contains(&name.to_uppercase().as_str());
        let name = name.to_lowercase();
        if is_table && !is_word && name.contains(char::is_alphabetic) && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::tables;

    #[test]
    fn a_statement_names_its_tables() {
        for (sql, names) in [
            ("SELECT * FROM users u JOIN shop.orders o ON o.user = u.id", &["users", "orders"][..]),
            ("insert into \"Items\" (a, b) values (1, 2)", &["items"]),
            ("UPDATE items SET a = 1", &["items"]),
            ("DELETE FROM items WHERE id IN (SELECT id FROM old_items)", &["items", "old_items"]),
            ("CREATE TABLE IF NOT EXISTS users (id int)", &["users"]),
            ("SELECT 1", &[]),
            ("DELETE FROM {table} WHERE id = ?", &[]),
            ("INSERT INTO %s VALUES (1)", &[]),
            ("INSERT INTO :table SET a = 1", &[]),
            ("SELECT * FROM generate_series(1, 2)", &[]),
            ("SELECT EXTRACT(year FROM created) FROM events", &["created", "events"]),
            ("SELECT * FROM (SELECT 1) x", &[]),
            ("the rows come from users", &[]),
            ("", &[]),
        ] {
            assert_eq!(tables(sql), names, "{sql}");
        }
    }
}
