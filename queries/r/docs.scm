; Any comment directly above a definition, except roxygen's tags that describe nothing.
((comment) @doc (#not-match? @doc "^#' *@(aliases|export|exportS3Method|family|import|importFrom|keywords|name|noRd|rdname|usage)"))
