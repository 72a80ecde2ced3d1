; Nothing of its own: see typescript.
