"""Arrays of characters: of fixed size, in two dimensions, of variable size; with indices, compared, as weights."""
import ROOT


def write(folder):
    """chars.root: 40 entries with texts of no, some and all characters of their arrays."""
    ROOT.gInterpreter.Declare(r"""
void write_chars(const char *path) {
    std::unique_ptr<TFile> f(TFile::Open(TString(path) + "?reproducible=chars.root", "recreate"));
    TTree t("t", "arrays of characters");
    Char_t name[6], one[1], grid[2][4], few[6]; UChar_t bytes[4]; Int_t n; Double_t d;
    t.Branch("name", name, "name[6]/B"); t.Branch("one", one, "one[1]/B"); t.Branch("grid", grid, "grid[2][4]/B");
    t.Branch("n", &n, "n/I"); t.Branch("few", few, "few[n]/B"); t.Branch("bytes", bytes, "bytes[4]/b"); t.Branch("d", &d, "d/D");
    const char *texts[] = {"mu", "e", "", "gamma", "tau", "mu"};
    TRandom3 r(31);
    for (int e = 0; e < 40; e++) {
        memset(name, 0, 6); memset(grid, 0, 8); memset(few, 0, 6);
        strncpy(name, texts[e % 6], 5); strncpy(grid[0], texts[e % 6], 3); strncpy(grid[1], texts[e % 5], 3);
        one[0] = 65 + e % 3; n = 2 + e % 4; d = r.Exp(3);
        for (int k = 0; k < 6; k++) few[k] = 97 + (e + k) % 20;
        for (int k = 0; k < 4; k++) bytes[k] = e + k;
        t.Fill();
    }
    t.Write();
}
""")
    ROOT.write_chars(str(folder / "chars.root"))


INDEXED = "ROOT takes an element of an array of characters for the whole text; xylem takes its number"
BEYOND = "ROOT takes an array of characters of variable size for a text that goes on behind its end; xylem takes numbers"
ROWS = "ROOT takes rows of characters for one text, and for every row the first; xylem takes numbers"
COUNTED = "ROOT takes the first character alone of an array of characters in Sum$, Max$ and Length$, and as the mean of a profile; xylem takes all"
REPEATED = "ROOT repeats the text of an array of characters in each row of an entry; other texts it prints once"
COMPARED = "ROOT compares nothing here: it gives the code of the first character"
ALONE = ["name", ("name", "d>2"), ("name", "d"), ("name", "-1*(n>3)"), ("name", 'name=="mu"'), ("name", "Entry$<7")]
BESIDE = ["name:n", "n:name", "d:name", ("name:n", "d"), ("n:name", "d>1"), ("d:name", "", "prof")]
NUMBERS = ["name+0", "name*2", "name[1]+0", "bytes", "bytes[1]", "one", "one+0", ("d", "one==66"), "grid+0", "few+0", "few[1]+0",
           ("d", "name[0]+0==109")]
COMPARISONS = [("d", 'name=="mu"'), ("d", '"mu"==name'), ("d", 'name!="mu"'), ("d", 'name=="gamma"'), ("d", 'name==""'), ("n", 'name=="mu"||name=="e"&&n>2'), ("d", 'strstr(name,"m")'),
               'name=="mu"', ("d", 'strstr(name,"au")*d'),
               {"expr": 'name<"h"', "deviation": COMPARED, "truth": "np.array([bytes(int(c) for c in x if c) < b'h' for x in a.name])"}]
UNDEFINED = [{"expr": "name[0]", "deviation": INDEXED, "truth": "a.name[:, 0]"}, {"expr": "few", "deviation": BEYOND, "truth": "a.few"},
             {"expr": "grid", "deviation": ROWS, "truth": "a.grid"}, {"expr": "grid[1]", "deviation": ROWS, "truth": "a.grid[:, 1]"},
             {"expr": "Sum$(name)", "deviation": COUNTED, "truth": "np.sum(np.array(a.name), axis=1)"}, {"expr": "Max$(few)", "deviation": COUNTED, "truth": "ak.max(a.few, axis=1)"},
             {"expr": "name:n", "option": "prof", "deviation": COUNTED}, {"expr": "Length$(name)", "deviation": COUNTED, "truth": "np.full(40, 6)"}]
SCANS = [{"scan": "name:n"}, {"scan": "n:name+0"}, {"scan": "name:d", "cut": 'name=="mu"'}, {"scan": "name:bytes", "deviation": REPEATED}]
PAIRS = [
    ("query/chars.root", "t", ALONE, {"section": "Alone and weighted"}),
    ("query/chars.root", "t", BESIDE, {"section": "Beside numbers, with labels"}),
    ("query/chars.root", "t", NUMBERS, {"section": "As numbers"}),
    ("query/chars.root", "t", COMPARISONS, {"section": "Comparisons"}),
    ("query/chars.root", "t", UNDEFINED, {"section": "Indices, rows and variable sizes"}),
    ("query/chars.root", "t", SCANS, {"section": "Scans"}),
]
