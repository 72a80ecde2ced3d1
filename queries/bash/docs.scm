; Any comment directly above a definition, except the interpreter and directives.
((comment) @doc (#not-match? @doc "^#(!| *shellcheck )"))
