"""whichfn over many repositories: shards in a storage, tasks and workers of an engine. All work is that of the program `whichfn`."""
