; Empty: see typescript.
