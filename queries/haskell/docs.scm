((haddock) @doc (#not-match? @doc "^(--|\\{-) *\\^"))
