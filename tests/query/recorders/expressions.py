"""Expressions that are made by chance from the leaves of a tree: see generated.py."""
import json
import re

import ROOT

NUMBERS = {
    "Bool_t", "Char_t", "UChar_t", "Short_t", "UShort_t", "Int_t", "UInt_t", "Long_t", "ULong_t", "Long64_t", "ULong64_t", "Float_t", "Float16_t",
    "Double_t", "Double32_t", "bool", "char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long",
    "long long", "unsigned long long", "float", "double", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t",
}
STRINGS = {"string", "TString", "char*", "Char_t*", "std::string"}
UNSIGNED = {"ULong64_t", "unsigned long long", "unsigned long", "uint64_t", "ULong_t"}
LONG = {*UNSIGNED, "Long64_t", "long long", "long", "int64_t", "Long_t"}
LIST = re.compile(r"^(?:std::)?(?:vector|list|deque|set|multiset|unordered_set|unordered_multiset|ROOT::VecOps::RVec|array)<(.*?)(?:,\d+)?>$")
COLLECTIONS = {"TClonesArray", "TObjArray", "TList", "THashList", "TSortedList", "TOrdCollection", "TMap", "TRefArray", "TExMap"}
METHODS = {
    "TLorentzVector": ["Pt()", "Eta()", "M()", "E()", "Phi()", "Px()", "P()", "Theta()", "Mt()", "Beta()"],
    "TVector3": ["Mag()", "Perp()", "X()", "Z()", "Theta()", "Phi()"],
    "TVector2": ["Mod()", "X()", "Phi()"],
    "LorentzVector": ["Pt()", "Eta()", "M()", "E()", "Px()", "pt()", "mass()"],
    "DisplacementVector3D": ["X()", "R()", "Theta()"],
    "PositionVector3D": ["X()", "Z()", "Phi()"],
}
# Forms of expressions that ROOT is known to be wrong about, or to leave undefined: see docs/conformance.md.
FORMS = {"alt": r"Alt\$", "inner": r"\[[^\[\]]*\]\[[^\[\]]+\]", "condition": r"\?"}
FUNCTIONS = [
    "sqrt(abs({a}))", "log(abs({a})+1)", "log10({a})", "exp(-abs({a})/10)", "sin({a})", "cos({a})", "atan2({a},{b})", "abs({a})", "int({a})", "min({a},{b})",
    "max({a},{n})", "pow({a},2)", "{a}^2", "TMath::Abs({a})", "TMath::Max({a},{b})", "TMath::Sqrt(TMath::Abs({a}))", "TMath::Nint({a})", "TMath::Hypot({a},{b})",
    "TMath::Gaus({a},1,2)", "TMath::Erf({a})", "TMath::Floor({a})", "sign({a})", "fmod({a},{n})", "tanh({a})", "TMath::Even(int({a}))",
]
SUMS = [
    "{a}+{b}", "{a}-{b}", "{a}*{b}", "{a}/{b}", "{a}%{k}", "-{a}", "{a}*2+1", "({a}-{n})*{b}", "{a}>{b}", "{a}>{n}&&{b}<{n}", "!({a}>{n})", "{a}&{k}", "int({a})<<1",
    "{a}==({b})", "{a}>{n}?{a}:{b}", "({a}>{n})*{b}", "{a}+{b}+{c}", "{a}+0.1*{b}", "{a}!={n}", "{a}>{n}||{b}>{n}", "Entry$", "Entry$+{a}", "{a}*Iteration$", "{a}|{k}",
]
AGGREGATES = [
    "Length$({a})", "Sum$({a})", "Min$({a})", "Max$({a})", "Sum$({a}>{n})", "Alt$({a}[1],-1)", "Alt$({a},0)", "{a}-Sum$({a})/Length$({a})", "MaxIf$({a},{b}>{n})",
    "Length$({a})+{s}", "Sum$({a}*{b})", "Alt$({a}[{k}],{n})", "{b}-Alt$({a}[0],0)", "Iteration$", "{a}[0]+Length$({a})", "Sum$({a})>{n}",
]
INDICES = [
    "{a}[0]", "{a}[1]", "{a}[{k}]", "{a}[{s}]", "{a}[{s}%2]", "{a}[{s}>{n}]", "{a}[{b}>{n}]", "{a}[Iteration$]", "{a}[]", "{a}[Entry$%3]", "{a}[0]+{a}[1]",
    "{a}[0]-{b}", "{a}[Length$({a})-1]", "{a}[{b}%2]", "{a}[{k}]+{s}", "Sum$({a}[0])",
]
GRIDS = [
    "{a}[0]", "{a}[][0]", "{a}[0][1]", "{a}[][]", "{a}[1][]", "{a}[{s}%2]", "{a}[][{s}%2]", "{a}[0]+{b}", "{a}+{s}", "{a}[][1]-{a}[][0]", "{a}*{b}", "Sum$({a}[0])",
    "Length$({a}[0])", "{a}[{b}%2]", "{a}[][{b}%2]", "{a}[{b}>{n}]", "Max$({a})", "Sum$({a})",
]
TEXTS = [
    "{t}", "{t}=={q}", "{t}!={q}", "strstr({t},{q})", "Length$({t})", "{t}.size()", "{t}.Length()", "{t}.length()",
]


def shape_of(type_name):
    """The type of the elements of nested lists, and their depth."""
    depth = 0
    name = type_name.replace("std::", "").strip()
    while match := LIST.match(name):
        name = match.group(1).strip()
        depth += 1
    return name, depth


def without_dimensions(name):
    return re.sub(r"\[.*", "", name)


class Names:
    """The leaves of a tree, sorted by what can be done with them."""

    def __init__(self, choice, tree):
        self.choice = choice
        self.tree = tree
        # Of a name: why ROOT is known to be wrong about it. Of the pair that is being made: its names.
        self.marks, self.used, self.fixed_names = {}, set(), set()
        self.scalars, self.lists, self.grids, self.texts, self.sizes, self.methods = [], [], [], [], [], []
        for leaf in tree.GetListOfLeaves():
            self.add(leaf)
        self.grid_names = {name for names in self.grids for name in names}
        self.numbers = self.scalars + self.lists + self.grids
        self.count = len(self.numbers) + len(self.texts) + len(self.sizes) + len(self.methods)

    def add(self, leaf):
        branch = leaf.GetBranch()
        name = without_dimensions(str(branch.GetFullName()))
        if branch.GetNleaves() > 1:
            name = f"{name.rstrip('.')}.{leaf.GetName()}"
        if not self.is_sound(name):
            return
        other = [name]
        for one in (leaf.GetName(), branch.GetName(), str(leaf.GetFullName())):
            one = without_dimensions(str(one)).rstrip(".")
            if self.is_sound(one) and (one != branch.GetName() or branch.GetNleaves() == 1):
                other.append(one)
        if branch.GetListOfBranches().GetEntries() > 0:
            if isinstance(branch, ROOT.TBranchElement) and branch.GetType() in (3, 4):
                self.sizes.append(name.rstrip("."))
            return
        kind, depth = shape_of(str(leaf.GetTypeName()))
        title = str(leaf.GetTitle())
        depth += title.count("[")
        self.mark(other, kind, depth, title)
        if "[" in title and not leaf.GetLeafCount():
            self.fixed_names.update(other)
        if isinstance(leaf, ROOT.TLeafElement) and leaf.GetLeafCount() and "[" not in title:
            depth += 1
        if isinstance(leaf, ROOT.TLeafC) or kind in STRINGS:
            self.texts.append(other)
        elif kind in NUMBERS:
            [self.scalars, self.lists, self.grids][min(depth, 2)].append(other)
        elif isinstance(branch, ROOT.TBranchElement):
            self.add_members(name.rstrip("."), kind, depth)

    def mark(self, names, kind, depth, title):
        """Remembers what ROOT is known to be wrong about."""
        if kind in ("Char_t", "char", "int8_t") and depth > 0:
            self.marks.update((name, "chars") for name in names)
        elif kind in ("Double32_t", "Float16_t") and depth > 0:
            self.marks.update((name, "ranged") for name in names)
        elif names[0].split(".")[-1] in ("fBits", "fUniqueID"):
            self.marks.update((name, "bits") for name in names)
        elif kind in STRINGS and depth > 0:
            self.marks.update((name, "texts") for name in names)
        elif kind in LONG and depth == 0:
            self.marks.update((name, "long") for name in names)
        elif kind in UNSIGNED and depth > 0:
            self.marks.update((name, "unsigned") for name in names)

    def is_sound(self, name):
        """Names of which ROOT would make an operation are in pairs that are written by hand."""
        return name != "" and not re.search(r"[-+*/%^&|?()\[\]\"'!,\s=;\\]", name) and name.isprintable()

    def add_members(self, name, kind, depth):
        """Members and methods of objects that are not split."""
        kind = re.sub(r"\*+$", "", kind).strip()
        for known, calls in METHODS.items():
            if re.match(rf"(ROOT::Math::)?{known}(<|$)", kind):
                self.methods.append((name, calls))
                self.marks.update([(name, "floats")] if "float" in kind else [])
        found = ROOT.TClass.GetClass(kind, True, True)
        if kind in COLLECTIONS:
            found = None
        info = found.GetStreamerInfo() if found and not found.GetCollectionProxy() and found.GetClassVersion() >= 0 else None
        if depth > 0:
            self.sizes.append(name)
            self.marks[name] = "counted"
        for element in list(info.GetElements())[:12] if info else []:
            member, below = shape_of(str(element.GetTypeName()))
            below += depth + element.GetArrayDim()
            if element.IsBase() or element.GetName() in ("fUniqueID", "fBits"):
                continue
            path = [f"{name}.{element.GetName()}"]
            self.mark(path, member, below, "")
            if member in UNSIGNED:
                self.marks[path[0]] = "unsigned"
            if member in STRINGS:
                self.texts.append(path)
            elif member in NUMBERS:
                [self.scalars, self.lists, self.grids][min(below, 2)].append(path)

    # ---- expressions

    def pick(self, leaves):
        names = self.choice.choice(leaves)
        name = names[0] if self.choice.random() < 0.8 else self.choice.choice(names)
        self.used.add((name, leaves is not self.scalars and names not in self.scalars))
        return name

    def fill(self, form, leaves=None):
        """Puts names and numbers into a form: a, b, c are leaves, s is a scalar, t a text, q a text in quotes."""
        near = self.near(leaves or self.numbers)
        given = {
            "a": lambda: self.pick(leaves or self.numbers), "b": lambda: self.pick(near), "c": lambda: self.pick(self.numbers),
            "s": lambda: self.pick(self.scalars) if self.scalars else "Entry$", "k": lambda: str(self.choice.randint(1, 4)),
            "n": lambda: self.choice.choice(["0", "1", "2", "10", "0.5", "-1", "100"]), "t": lambda: self.pick(self.texts),
            "q": lambda: self.choice.choice(['"a"', '"e"', '""', '"muon"', '"0"', '"evt-000"']),
        }
        chosen = {}
        return re.sub(r"\{(\w)\}", lambda match: chosen.setdefault(match[1], given[match[1]]()), form)

    def near(self, leaves):
        """The second leaf is often of the same kind, so that both have as many elements."""
        return self.choice.choice([leaves, self.numbers])

    def number(self):
        """An expression that is a number."""
        kinds = ["leaf", "sum", "function", "aggregate"] + ["index"] * bool(self.lists) + ["grid", "grid"] * bool(self.grids)
        kind = self.choice.choice(kinds)
        if kind == "leaf":
            return kind, self.pick(self.numbers)
        if kind == "index":
            return kind, self.fill(self.choice.choice(INDICES), self.lists)
        if kind == "grid":
            return kind, self.fill(self.choice.choice(GRIDS), self.grids)
        forms = {"sum": SUMS, "function": FUNCTIONS, "aggregate": AGGREGATES}[kind]
        return kind, self.fill(self.choice.choice(forms), self.lists if kind == "aggregate" and self.lists else None)

    def cut(self):
        forms = ["{a}>{n}", "{a}", "{a}<{n}", "{a}!=0", "{a}>{b}", "{a}%2==0", "Sum$({a})>{n}", "Length$({a})>1", "{a}[0]>{n}", "Entry$%3==0", "{s}", "{a}>{n}&&{b}<{n}"]
        return self.fill(self.choice.choice(forms), self.choice.choice([self.numbers, self.lists or self.numbers]))

    def pair(self):
        """One pair, as recorder.figures takes it, with its kind, the arrays in it, and marks."""
        self.used = set()
        pair = self.make()
        text = f"{pair.get('expr', '')} {pair.get('scan', '')} {pair.get('cut', '')}"
        marks = {self.marks[name] for name, _ in self.used if name in self.marks}
        arrays = sorted(name for name, is_array in self.used if is_array)
        marks.update(name for name, form in FORMS.items() if re.search(form, text))
        for name in arrays:
            computed = re.search(re.escape(name) + r"(\[\])*\[[^\]]*[A-Za-z]", text)
            in_cut = any(one in pair.get("cut", "") for one in arrays)
            if computed and (name in self.grid_names or name in self.fixed_names or in_cut):
                marks.add("computed")
            if name in self.grid_names and (len(arrays) > 1 or len(re.findall(re.escape(name) + r"(?!\w)", text)) > 1):
                marks.add("dimensions")
        return {**pair, "arrays": arrays, "marks": sorted(marks)}

    def make(self):
        kinds = []
        if self.numbers:
            kinds += ["number"] * 8 + ["cut"] * 5 + ["2d", "profile", "scan", "list"]
        if self.texts:
            kinds += ["text"] * 3
        if self.sizes:
            kinds += ["size"] * 2
        if self.methods:
            kinds += ["method"] * 4
        kind = self.choice.choice(kinds)
        cut = {"cut": self.cut()} if self.numbers and self.choice.random() < 0.2 else {}
        if kind == "number":
            what, expr = self.number()
            return {"kind": what, "expr": expr}
        if kind == "cut":
            what, expr = self.number()
            return {"kind": f"{what} with a cut", "expr": expr, "cut": self.cut()}
        if kind == "2d":
            return {"kind": kind, "expr": self.fill("{a}:{b}"), **cut}
        if kind == "profile":
            return {"kind": kind, "expr": self.fill("{a}:{b}"), "option": "prof", **cut}
        if kind == "scan":
            return {"kind": kind, "scan": self.fill(self.choice.choice(["{a}", "{a}:{b}", "{a}:{b}:{c}", "{a}*2"])), "limit": 15, **cut}
        if kind == "list":
            return {"kind": kind, "list": True, "cut": self.cut()}
        if kind == "text":
            form = self.choice.choice(TEXTS)
            if self.numbers and self.choice.random() < 0.4 and form != "{t}":
                return {"kind": "text in a cut", "expr": self.pick(self.numbers), "cut": self.fill(form)}
            return {"kind": kind, "expr": self.fill(form), **cut}
        if kind == "size":
            name = self.choice.choice(self.sizes)
            self.used.add((name, False))
            return {"kind": kind, "expr": self.choice.choice(["@{}.size()", "Length$({})", "Length$({})*2"]).format(name), **cut}
        name, calls = self.choice.choice(self.methods)
        self.used.add((name, False))
        return {"kind": kind, "expr": f"{name}.{self.choice.choice(calls)}", **cut}
