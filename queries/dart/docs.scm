(documentation_comment) @doc
