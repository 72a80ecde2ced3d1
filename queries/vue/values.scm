; All values are those of queries/typescript.
