"""Options of Draw: profiles with errors of each kind, contents divided by their sum."""
PAIRS_OF = [("d:n", ""), ("d:n", "v>0"), ("d:n", "w"), ("d:n", "d"), ("n:n2", ""), ("n:n2", "d"), ("n:n", ""), ("v:m", "d*(v>0)"), ("v:m", "n-2"), ("d:n:n2", ""), ("d:n:n2", "d"), ("b:n2", "")]
PAIRS = [
    ("query/kinds.root", "t", [(expr, cut, option) for expr, cut in PAIRS_OF], {"section": option})
    for option in ("prof", "profs", "profi", "profg")
]
