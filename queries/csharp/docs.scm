((comment) @doc (#match? @doc "^(///|/\\*\\*)"))
