// An empty program: what Node itself takes.
