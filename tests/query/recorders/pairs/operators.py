"""Every pair of operators, and each with signs, negations, powers and conditions: how TTreeFormula groups them."""
FILE = "query/arrays.root"
OPERATORS = ["||", "&&", "|", "&", "<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/", "%", "<<", ">>", "^", "**"]
COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}

CHAINED = "Comparisons in a row: ROOT groups them from the right, xylem refuses them"
SHIFT_FIRST = "ROOT takes the comparison behind a shift by the same sign first, as n<<(m<3); C++ and xylem shift first"

def never_zero(text):
    """ROOT dies of a remainder by 0: m is, c is not."""
    return text.replace("%m%3", "%c%100").replace("%m", "%c").replace("%(m>2?1:0)", "%(m>2?7:4)").replace("%!m", "%!x").replace("%0.5", "%2.5")


def scans(expressions):
    """Each value of the first entries, by TTree::Scan: a text with >> in it would be a histogram for Draw."""
    return [dict(scan=never_zero(text), limit=10) for text in expressions if "%!" not in text]


def pair(first, second):
    text = never_zero(f"n{first}m{second}3")
    if text in ("n<<m<3", "n<<m<=3", "n>>m>3", "n>>m>=3"):
        return dict(scan=text, limit=10, deviation=SHIFT_FIRST)
    return dict(scan=text, limit=10, **({"deviation": CHAINED} if {first, second} <= COMPARISONS else {}))


PAIRS_OF_TWO = [pair(first, second) for first in OPERATORS for second in OPERATORS]
SIGNS = [form.format(op=op) for op in OPERATORS for form in (
    "-n{op}m", "n{op}-m", "!n{op}m", "n{op}!m", "-n{op}-3", "(-n){op}m", "-(n{op}m)", "!(n{op}m)", "+n{op}m", "x{op}0.5", "0.5{op}x")]
SIGNED_PAIRS = [form.format(op=op) for op in OPERATORS for form in (
    "-2+n{op}m", "2*-n{op}m", "-n*m{op}2", "-n^2{op}m", "m-n{op}2", "m--n{op}2", "-n-m{op}2", "!n+m{op}2", "n{op}m+1", "n+1{op}m")]
CONDITIONS = [form.format(op=op) for op in OPERATORS for form in (
    "n{op}m?1:2", "n>2?n{op}m:3", "n>2?3:n{op}m", "(n>2?3:4){op}m", "n{op}(m>2?1:0)")]
GROUPS = [
    "n-m-3", "n-(m-3)", "n/m/2", "n/(m/2)", "n*m/3", "n/m*3", "n%3%2", "n%(3%2)", "2^n^2", "2^(n^2)", "2**n**2", "-2^n", "(-2)^n",
    "2^-n", "-2^-n", "!n^2", "-n^-2", "--n", "- -n", "-(-n)", "!!n", "!-n", "-!n", "-x*-x", "n+-m", "n-+m", "n*-m*-3", "n&m&3", "n|m|3",
    "n<<1<<1", "n<<(1<<1)", "8>>1>>1", "8>>(1>>1)", "n&m|3", "n|m&3", "n&&m||k", "n||m&&k", "!n&&m", "!(n&&m)", "n>1&&m>1||k", "n>1&&(m>1||k)",
    "(n>1)==k", "n+m>3", "n+(m>3)", "n&1==1", "(n&1)==1", "n%2==1", "n<<1>m", "n<m<<1", "x>0&&i>0||k", "x>0?i>0?1:2:3",
    "x>0?1:i>0?2:3", "(x>0)*(i>0)", "x>0*i", "x*x-i*i", "x/i/2", "abs(x)-abs(i)", "-abs(x)", "-x%3", "-(x%3)", "-7%3", "7%-3", "-7/2", "n*1e3-1",
    "n-1e-3", "n-.5", "n+.5e1", "2-n", "2 - n", "2- n", "2 -n", "n -2", "n- 2", "(n)-2", "-(n)", "n*(m+(3-(2-1)))", "((n))", "n&m==3",
    "n|m==3", "n==3|m", "n!=3&m", "k+k", "k-k", "k*5", "-k", "!k", "k&&n", "l-1099511627776", "l%7", "l/2", "l&255", "u%10", "u-4e9", "u/2", "c-97",
]
AXES = {}

PAIRS = [
    (FILE, "t", PAIRS_OF_TWO, {"section": "pairs of operators"}),
    (FILE, "t", scans(SIGNS), {"section": "operators with signs"}),
    (FILE, "t", scans(SIGNED_PAIRS), {"section": "two operators and a sign"}),
    (FILE, "t", scans(CONDITIONS), {"section": "conditions"}),
    (FILE, "t", scans(GROUPS), {"section": "groups"}),
]
