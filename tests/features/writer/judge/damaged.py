#!/usr/bin/env python3
"""Damages files and kills programs that write them, salvages what is left, and has ROOT read it.

    python3 tests/features/writer/judge/damaged.py OUT [--count 90] [--seed 1] [--kills 9] [--only TEXT]

Files of each codec, written by ROOT, are cut off, zeroed in blocks, or get flipped bits, an overwritten list of keys, a
zeroed header or damaged streamer infos, at places by chance; writers are killed by signal 9 with and without AutoSave. ROOT
reads the products in a process of its own: each entry that is there must have the values that were filled, and all that
is missing must be named in a line. Needs a Python with ROOT, and dist/ (npm run build).

Prints each fault, and a table by damage: rescued, refused, and WRONG. Exit status 1 where a product is wrong.
"""
import argparse
import collections
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import warnings

warnings.simplefilter("ignore")

HERE = os.path.dirname(os.path.abspath(__file__))
XYLEM = ["node", os.environ.get("XYLEM_CLI") or os.path.normpath(os.path.join(HERE, "../../../dist/cli/xylem.js"))]
CODECS = [0, 101, 207, 404, 505]
ENTRIES = 10_000

CODE = r"""
#include <TFile.h>
#include <TH1.h>
#include <TTree.h>
#include <unistd.h>
#include <iostream>
#include <string>
#include <vector>
namespace damaged {
struct Row {
  int id = 0, n = 0;
  float x = 0;
  short v[8];
  std::string *text = new std::string;
  std::vector<float> *list = new std::vector<float>;
  void set(int i)
  {
    id = i;
    n = i % 7;
    x = i / 2.f;
    for (int k = 0; k < n; k++) v[k] = (short)(i + k);
    *text = "entry " + std::to_string(i);
    list->assign(i % 3, (float)i);
  }
};
/** Writes a tree; with `pause` it waits some microseconds between entries, so that it can be killed. */
void write(const char *path, int codec, int entries, int save, int pause)
{
  TFile file(path, "RECREATE", "", codec);
  TH1F hist("hist", "a histogram", 100, 0, 1);
  for (int i = 0; i < 1000; i++) hist.Fill(i % 100 / 100.);
  hist.Write();
  TTree tree("t", "a tree");
  Row row;
  tree.Branch("id", &row.id, "id/I", 4000);
  tree.Branch("n", &row.n, "n/I", 4000);
  tree.Branch("x", &row.x, "x/F", 4000);
  tree.Branch("v", row.v, "v[n]/S", 4000);
  tree.Branch("text", &row.text, 4000);
  tree.Branch("list", &row.list, 4000);
  tree.SetAutoFlush(1000);
  tree.SetAutoSave(save ? save : 1000000000);
  for (int i = 0; i < entries; i++) {
    row.set(i);
    tree.Fill();
    if (pause && i % 100 == 0) {
      std::cout << i << std::endl;
      usleep(pause);
    }
  }
  tree.Write();
  file.Close();
}
/** Prints entries, wrong ones, and the first of these; "none" without a tree. */
void check(const char *path)
{
  TFile *file = TFile::Open(path);
  if (!file || file->IsZombie()) {
    std::cout << "zombie" << std::endl;
    return;
  }
  std::cout << (file->TestBit(TFile::kRecovered) ? "recovered" : "sound") << std::endl;
  auto *hist = file->Get<TH1F>("hist");
  if (hist && (hist->GetEntries() != 1000 || hist->GetBinContent(5) != 10)) std::cout << "hist is wrong" << std::endl;
  auto *tree = file->Get<TTree>("t");
  if (!tree) {
    std::cout << "none" << std::endl;
    return;
  }
  Row row, wanted;
  auto has = [&](const char *name) { return tree->GetBranch(name) != nullptr; };
  if (has("id")) tree->SetBranchAddress("id", &row.id);
  if (has("n")) tree->SetBranchAddress("n", &row.n);
  if (has("x")) tree->SetBranchAddress("x", &row.x);
  if (has("v")) tree->SetBranchAddress("v", row.v);
  if (has("text")) tree->SetBranchAddress("text", &row.text);
  if (has("list")) tree->SetBranchAddress("list", &row.list);
  Long64_t wrong = 0, first = -1;
  for (Long64_t i = 0; i < tree->GetEntries(); i++) {
    if (tree->GetEntry(i) <= 0) {
      wrong++;
      continue;
    }
    const int id = has("id") ? row.id : has("x") ? (int)(2 * row.x) : has("text") ? atoi(row.text->c_str() + 6) : -1;
    if (id < 0) continue;
    wanted.set(id);
    bool same = (!has("n") || row.n == wanted.n) && (!has("x") || row.x == wanted.x) && (!has("text") || *row.text == *wanted.text)
      && (!has("list") || *row.list == *wanted.list);
    for (int k = 0; has("v") && same && k < wanted.n; k++) same = row.v[k] == wanted.v[k];
    if (same) continue;
    if (wrong++ == 0) first = i;
  }
  std::cout << tree->GetEntries() << " " << wrong << " " << first << std::endl;
}
} // namespace damaged
"""


def in_copy(use, seconds=120):
    """What a copy of this process prints, and how it ended."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        os.dup2(into, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        use()
        os._exit(0)
    os.close(into)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(seconds)
    with os.fdopen(out) as pipe:
        text = pipe.read()
    _, code = os.waitpid(child, 0)
    signal.alarm(0)
    return text.split("\n")[:-1], f"signal {os.WTERMSIG(code)}" if os.WIFSIGNALED(code) else code


def load():
    import ROOT

    ROOT.gROOT.SetBatch(True)
    ROOT.gErrorIgnoreLevel = ROOT.kFatal
    for name in ("kSigSegmentationViolation", "kSigBus", "kSigIllegalInstruction", "kSigAbort", "kSigFloatingException"):
        ROOT.gSystem.ResetSignal(getattr(ROOT, name), True)
    ROOT.gInterpreter.Declare(CODE)
    in_copy(lambda: ROOT.damaged.check("/nowhere"))
    return ROOT


def places(path):
    """Where streamer infos, lists of keys and baskets lie, as xylem lists them."""
    done = subprocess.run([*XYLEM, "map", path, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout)


def header(data):
    """Places and lengths of the record of streamer infos, and of the list of keys."""
    number = lambda at: int.from_bytes(data[at : at + 4], "big")  # noqa: E731
    info, name_bytes = (number(37), number(41)), number(28)
    root = number(8) + name_bytes
    return info, (number(root + 26), number(root + 10))


def damage(kind, data, dice):
    """A damaged copy of a file, and a word on where."""
    data = bytearray(data)
    infos, keys = header(data)
    at = dice.randrange(300, len(data) - 300)
    if kind == "truncated":
        return data[:at], at
    if kind == "zeroed":
        length = dice.choice([16, 64, 512, 4096])
        data[at : at + length] = bytes(min(length, len(data) - at))
    elif kind == "flipped":
        for _ in range(dice.choice([1, 1, 8])):
            at = dice.randrange(300, len(data) - 300)
            data[at] ^= 1 << dice.randrange(8)
    elif kind == "keys":
        data[keys[0] : keys[0] + keys[1]] = dice.randbytes(keys[1])
        at = keys[0]
    elif kind == "header":
        data[:60] = bytes(60)
        at = 0
    elif kind == "infos":
        at = infos[0] + dice.choice([dice.randrange(80), dice.randrange(infos[1] - 64)])
        data[at : at + 64] = dice.randbytes(64) if dice.random() < 0.5 else bytes(64)
    return data, at


def salvage(path, product):
    if os.path.exists(product):
        os.remove(product)
    done = subprocess.run([*XYLEM, "salvage", path, product], capture_output=True, text=True, errors="replace")
    return done.returncode, done.stderr.splitlines()


def named(lines):
    """Entries and branches that lines say are lost, and whether a line says that values were not checked."""
    lost = sum(int(text.replace(",", "")) for text in re.findall(r"t;\d+: ([\d,]+) of [\d,]+ entries are left out", "\n".join(lines)))
    return lost, any("not checkable" in line or "cannot be checked" in line for line in lines)


def judged(ROOT, path, product, total, before=None):
    """What became of a damaged file: a word, and faults."""
    status, lines = salvage(path, product)
    if not os.path.exists(product):
        typed = status == 1 and any(re.search(r"\[[A-Z_]+\]$", line) for line in lines)
        return "refused", [] if typed else [f"status {status}: {lines[-1:]}"], lines
    printed, code = in_copy(lambda: ROOT.damaged.check(product))
    lost, unsure = named(lines)
    faults = []
    if code != 0:
        faults.append(f"ROOT ends with {code}")
    elif printed[0] != "sound":
        faults.append(f"ROOT: {printed[0]}")
    elif any("wrong" in line for line in printed):
        faults.append("hist has other contents")
    elif printed[-1] != "none":
        entries, wrong, first = (int(word) for word in printed[-1].split())
        if wrong:
            faults.append(f"{wrong} of {entries} entries are wrong, the first {first}" + (", as a line says" if unsure else ""))
        if total is not None and entries + lost != total and not any("not saved after" in line for line in lines):
            faults.append(f"{entries} entries are there and {lost} named as lost, of {total}")
    elif not any(line.startswith("lost: t") or "nothing" in line.lower() for line in lines):
        faults.append("the tree is missing without a line")
    return "rescued", faults, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--count", type=int, default=90)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=9)
    parser.add_argument("--only", default="", help="only damages whose name holds this text")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    ROOT = load()
    sources = {}
    for codec in CODECS:
        path = os.path.join(options.out, f"c{codec}.root")
        in_copy(lambda: ROOT.damaged.write(path, codec, ENTRIES, 0, 0))
        with open(path, "rb") as file:
            sources[codec] = file.read()
    kinds = ["truncated", "zeroed", "flipped", "keys", "header", "infos"]
    table = collections.defaultdict(collections.Counter)
    wrong = 0

    def note(kind, label, became, faults):
        nonlocal wrong
        # Records without compression and blocks of zstd have no checksum, which a line says.
        excused = [fault for fault in faults if fault.endswith("as a line says")]
        state = became if not faults else "not checkable, a line says so" if len(excused) == len(faults) else "WRONG"
        table[kind][state] += 1
        wrong += state == "WRONG"
        for fault in faults:
            print(f"{label}: {fault}", flush=True)

    for i in range(options.count):
        kind = kinds[i % len(kinds)]
        codec = CODECS[(i // len(kinds)) % len(CODECS)]
        dice = random.Random(f"{options.seed} {i}")
        label = f"{kind} {i} c{codec}"
        if options.only not in label:
            continue
        data, at = damage(kind, sources[codec], dice)
        path = os.path.join(options.out, f"{kind}_{i}_c{codec}.root")
        with open(path, "wb") as file:
            file.write(data)
        became, faults, _ = judged(ROOT, path, path + ".saved.root", ENTRIES)
        note(kind, f"{label} at {at} of {len(data)}", became, faults)
        if not faults:
            os.remove(path)
    for i in range(options.kills if options.only in "killed" else 0):
        dice = random.Random(f"{options.seed} kill {i}")
        path = os.path.join(options.out, f"killed_{i}.root")
        save = [0, 5000, 2000][i % 3]
        program = f"import sys; sys.path.insert(0, {HERE!r}); import damaged; damaged.load().damaged.write({path!r}, {CODECS[i % 5]}, 10**7, {save}, 1000)"
        writer = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        for line in writer.stdout:
            if line.strip().isdigit() and int(line) >= dice.randrange(3000, 40_000):
                break
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        known, _ = in_copy(lambda: ROOT.damaged.check(path))
        became, faults, _ = judged(ROOT, path, path + ".saved.root", None)
        note("killed" + (" with AutoSave" if save else ""), f"killed {i}", f"{became}; ROOT: {known[-1].split()[0] if known else '-'}"[:40], faults)
    print(f"{'damage':26} outcome")
    for kind, outcomes in table.items():
        print(f"{kind:26} " + ", ".join(f"{count} {state}" for state, count in sorted(outcomes.items())))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
