"""The classes of aodlike.root: 24 containers of 203 branches, which ROOT splits into 9,705 leaves."""

import random

BRANCHES, LEAVES = 203, 9705
KINDS = "Track Cluster Jet Muon Electron Photon Tau Vertex Truth CaloCell Trigger MissingEt".split()
NUMBERS = ["int", "float", "unsigned int", "double", "short"]
LISTS = ["float", "float", "float", "int", "unsigned int", "unsigned char"]
MEMBERS = "pt eta phi e id chi2 cov hits link flag".split()


def sizes_and_counts(numbers):
    """The number of leaves of each class, and of branches of each class."""
    sizes = [numbers.randint(24, 70) for _ in range(23)]
    counts = [numbers.randint(4, 12) for _ in range(23)]
    while sum(counts) > BRANCHES - 8:
        counts[counts.index(max(counts))] -= 1
    while sum(counts) < BRANCHES - 8:
        counts[counts.index(min(counts))] += 1
    # The last class takes the rest: 8 branches of one size.
    rest = LEAVES - sum(size * count for size, count in zip(sizes, counts))
    i = 0
    while rest % 8 or not 24 <= rest // 8 <= 80:
        more = 1 if rest // 8 > 60 else -1 if rest // 8 < 40 else (1 if rest % 8 else 0)
        if 20 <= sizes[i % 23] + more <= 90:
            sizes[i % 23] += more
            rest -= more * counts[i % 23]
        i += 1
    return sizes + [rest // 8], counts + [8]


def model():
    """The classes as (name, [(block, is a list, [(member, type)])]), and the branches as (name, class, mean length)."""
    numbers = random.Random(67184)
    sizes, counts = sizes_and_counts(numbers)
    classes = []
    for k, size in enumerate(sizes):
        blocks = [("m_hdr", False, min(6, size // 6)), ("m_prov", False, min(5, size // 8))]
        left = size - 2 - sum(count for _, _, count in blocks)
        while left > 0:
            count = min(left, numbers.randint(6, 16))
            blocks.append((f"m_blk{len(blocks) - 2}", True, count))
            left -= count
        members = []
        for block, is_list, count in blocks:
            names = [f"m_{MEMBERS[i % 10]}{i}" if is_list else f"{'flnz'[i % 4]}{i}" for i in range(count)]
            members.append((block, is_list, [(name, type_of(numbers, is_list)) for name in names]))
        classes.append((f"{KINDS[k % 12]}Container_p{k // 12 + 1}", members))
    branches = []
    for k, count in enumerate(counts):
        for j in range(count):
            name = classes[k][0].replace("_p", f"{chr(65 + j)}_p")
            branches.append((name, k, round(10 ** numbers.uniform(-0.5, 1.1), 3)))
    numbers.shuffle(branches)
    return classes, branches


def type_of(numbers, is_list):
    if not is_list:
        return NUMBERS[numbers.randint(0, 4)]
    i = numbers.randint(0, 6)
    return "float[3]" if i == 6 else f"std::vector<{LISTS[i]}>"


def leaf_names(classes, branches):
    names = []
    for branch, k, _ in branches:
        names += [f"{branch}.m_version", f"{branch}.m_n"]
        for block, _, members in classes[k][1]:
            names += [f"{branch}.{block}.{name}" + ("[3]" if type == "float[3]" else "") for name, type in members]
    return names


def declarations(classes):
    """The classes in C++."""
    lines = ["#include <vector>"]
    for name, blocks in classes:
        for block, _, members in blocks:
            lines.append(f"struct {name}_{block} {{")
            lines += [
                f"  float {member}[3];" if type == "float[3]" else f"  {type} {member};" for member, type in members
            ]
            lines.append("};")
        inner = " ".join(f"{name}_{block} {block};" for block, _, _ in blocks)
        lines.append(f"struct {name} {{ unsigned int m_version; int m_n; {inner} }};")
    return "\n".join(lines)


def filling(classes, branches):
    """The functions in C++ that fill an object of each class, and bench::aod, which writes the file."""
    lines = ["namespace bench {"]
    for name, blocks in classes:
        lines.append(f"void fill({name} &o, Random &random, double mean, Sum *sum) {{")
        lines.append("  o.m_version = 1; (sum++)->add(1);")
        lines.append("  int n = std::min(200, random.poisson(mean)); o.m_n = n; (sum++)->add(n);")
        k = 0
        for block, is_list, members in blocks:
            for member, type in members:
                k += 1
                to = f"o.{block}.{member}"
                if type == "float[3]":
                    lines.append(f"  for (float &v : {to}) {{ v = rounded(random.normal(), 9); sum->add(v); }} ++sum;")
                elif is_list:
                    lines.append(f"  fillList({to}, n, random, *sum++, {k});")
                elif type in ("float", "double"):
                    lines.append(f"  {to} = rounded(random.exponential(10), 10); (sum++)->add({to});")
                else:
                    lines.append(f"  {to} = ({type})std::floor(random.exponential(4)); (sum++)->add({to});")
        lines.append("}")
    lines.append(
        "void aod(const char *out, const char *sumFile, const char *names, long long entries, int compression,"
    )
    lines.append("         long long autoFlush, int basket) {")
    lines.append('  TFile file(out, "RECREATE", "", compression);')
    lines.append('  auto tree = new TTree("CollectionTree", "CollectionTree");')
    lines.append("  tree->SetAutoFlush(autoFlush); tree->SetAutoSave(0);")
    lines.append("  Sums sums(names);")
    at = 0
    calls = []
    for i, (branch, k, mean) in enumerate(branches):
        lines.append(f'  auto p{i} = new {classes[k][0]}(); Random r{i}("{branch}");')
        lines.append(f'  tree->Branch("{branch}.", p{i}, basket, 99);')
        calls.append(f"    fill(*p{i}, r{i}, {mean}, &sums.list[{at}]);")
        at += 2 + sum(len(members) for _, _, members in classes[k][1])
    lines.append("  for (long long entry = 0; entry < entries; ++entry) {")
    lines += calls
    lines.append("    tree->Fill();")
    lines.append("  }")
    lines.append('  file.cd(); tree->Write("", TObject::kOverwrite); file.Close(); sums.write(sumFile);')
    lines.append("}")
    lines.append("}")
    return "\n".join(lines)
