"""Strings: alone with weights and instances, beside numbers, their methods, comparisons, in scans."""

NOT_COMPARED = "ROOT compares nothing here: it gives the code of the first character"
ALONE = [
    "cs", "st", "vs", ("cs", "d"), ("st", "v>0"), ("cs", "v"), ("vs", "d"), ("vs", "v>0"), ("st", "n"), ("cs", "b"), ("st", "d*(v>0)"), ("vs", "vf>0"), ("vs", "vf"),
    ("cs", "-1*(n>2)"), ("st", "cs==\"beta\""), ("cs", "Sum$(v)"), ("vs", "Iteration$==0"), ("vs", "vs==\"alpha\""), ("st", "Entry$<20"), ("cs", "w"), ("st", "w"), ("vs", "Length$(vlv)>1"),
]
BESIDE = [
    "cs:n", "n:cs", "st:n", "n:st", "st:cs", "cs:st", "v:st", "n:vs", "vs:n", "st:n:m", "n:m:st", "n:st:cs", ("cs:n", "v>0"), ("cs:n", "d"), ("n:cs", "w"), ("vs:st", "vs!=\"alpha\""),
    ("n:m:st", "d>3"), ("Entry$:st", "Entry$<50"), ("cs:sqrt(n)", "-1*(n>3)"), ("vs[0]:n", "@vs.size()>1"), ("cs:n", "0"), ("st:twice", "sel"), "vlv.Pt():st", "d:vs",
    ("n:cs", "", "prof"), ("d:st", "w", "prof"), ("d:vs", "", "profs"), ("d:n:cs", "", "prof"), ("d:cs", "", "profi"), ("cs:n", "", "prof"), ("st:d>5", ""),
]
METHODS = [
    "vs.size()", "Sum$(vs.size())", "@vs.size()", "vs.length()", "vs@.size()", "st.size()", "st.length()", "vs[0].size()", "st.find(\"a\")", "vs.find(\"a\")", "st.empty()", "st.compare(\"alpha\")",
    ("d", "st.size()>4"), ("vs", "vs.size()>4"), ("d", "strstr(cs,\"am\")"), ("d", "strstr(st,\"ph\")"), ("d", "st.find(\"b\")>=0"), "st.size():n", "Max$(vs.size())",
]
COMPARED = [
    ("d", "cs==\"beta\""), ("d", "cs!=\"beta\""), ("d", "st==\"alpha\""), ("d", "\"alpha\"==st"), ("d", "st==cs"), ("d", "st!=cs"), ("d", "vs==\"alpha\""), ("vs", "vs!=\"alpha\""), ("v", "st==\"alpha\""),
    ("d", "cs==\"beta\"||st==\"alpha\"&&n>2"), ("d", "cs"), "cs+1", "cs==\"beta\"", "st==cs", "vs==\"alpha\"", "Sum$(vs==\"alpha\")",
    {"expr": "cs>\"b\"", "deviation": NOT_COMPARED, "truth": "np.array(a.cs.tolist()) > 'b'"}, {"expr": "cs<\"b\"", "deviation": NOT_COMPARED, "truth": "np.array(a.cs.tolist()) < 'b'"},
    {"expr": "st<cs", "deviation": NOT_COMPARED, "truth": "np.array(a.st.tolist()) < np.array(a.cs.tolist())"},
    {"expr": "d", "cut": "cs<=\"beta\"", "deviation": NOT_COMPARED, "truth": "a.d[np.array(a.cs.tolist()) <= 'beta']"},
]
SCANS = [{"scan": "cs:n"}, {"scan": "st:vs:n"}, {"scan": "vs"}, {"scan": "cs:m", "cut": "m>0"}, {"scan": "st:st.size()"}, {"scan": "cs", "cut": "st==\"alpha\""}]
PAIRS = [
    ("query/kinds.root", "t", ALONE, {"section": "Alone, weighted, by instance"}),
    ("query/kinds.root", "t", BESIDE, {"section": "Beside numbers, with labels"}),
    ("query/kinds.root", "t", METHODS, {"section": "Methods"}),
    ("query/kinds.root", "t", COMPARED, {"section": "Comparisons"}),
    ("query/kinds.root", "t", SCANS, {"section": "Scans"}),
]
