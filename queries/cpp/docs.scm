; Comments come from queries/c.
