#!/usr/bin/env python3
"""Records what ROOT says of the fields of files: by the getters of TFile, TDirectoryFile, TKey, TBasket, TFree and ROOT::RNTuple.

    python root_fields.py FILE…             prints JSON: {FILE: {"header": …, "records": [{"at", "key", …}, …]}}
    python root_fields.py --large OUT.json  makes a file above 2 GB of which most is a gap, and writes its pieces and its fields

Records are walked as TFile::Map does it, by fNbytes; of a long file the first, the last and some between.
"""
import base64, json, os, struct, sys, tempfile

import ROOT

ROOT.gErrorIgnoreLevel = ROOT.kFatal
ROOT.gInterpreter.Declare("""
#include <TBasket.h>
#include <TBufferFile.h>
#include <TDirectoryFile.h>
#include <TFile.h>
#include <TFree.h>
#include <TKey.h>
struct Peek : TFile {
  static int units(TFile &f) { return static_cast<Peek &>(f).fUnits; }
  static int nbytesName(TFile &f) { return static_cast<Peek &>(f).fNbytesName; }
  static int nbytesFree(TFile &f) { return static_cast<Peek &>(f).fNbytesFree; }
  static Long64_t begin(TFile &f) { return static_cast<Peek &>(f).fBEGIN; }
  static Long64_t end(TFile &f) { return static_cast<Peek &>(f).fEND; }
  static Long64_t seekFree(TFile &f) { return static_cast<Peek &>(f).fSeekFree; }
  static int compress(TFile &f) { return static_cast<Peek &>(f).fCompress; }
  static int version(TFile &f) { return static_cast<Peek &>(f).fVersion; }
  static TList *free(TFile &f) { return static_cast<Peek &>(f).fFree; }
  // What TFile::Init does for the largest files, without writing 2 GB.
  static void grow(TFile &f, Long64_t to) {
    Peek &p = static_cast<Peek &>(f);
    p.fEND = to;
    static_cast<TFree *>(p.fFree->Last())->SetFirst(to);
    static_cast<TFree *>(p.fFree->Last())->SetLast(to + 1000000000);
  }
};
struct PeekKey : TKey {
  static void read(TKey &k, const std::string &bytes) { char *p = const_cast<char *>(bytes.data()); k.ReadKeyBuffer(p); }
  static int version(TKey &k) { return static_cast<PeekKey &>(k).fVersion; }
};
struct PeekBasket : TBasket {
  static void read(TBasket &b, const std::string &bytes) {
    TBufferFile buffer(TBuffer::kRead, bytes.size(), const_cast<char *>(bytes.data()), kFALSE);
    b.Streamer(buffer);
  }
  static int last(TBasket &b) { return static_cast<PeekBasket &>(b).fLast; }
  static int bufferSize(TBasket &b) { return static_cast<PeekBasket &>(b).fBufferSize; }
};
struct PeekDirectory : TDirectoryFile {
  static int nbytesName(TDirectoryFile &d) { return static_cast<PeekDirectory &>(d).fNbytesName; }
  static int nbytesKeys(TDirectoryFile &d) { return static_cast<PeekDirectory &>(d).fNbytesKeys; }
};
""")
Peek, PeekKey, PeekBasket = ROOT.Peek, ROOT.PeekKey, ROOT.PeekBasket
MOST = 120


def text(value):
    return value if isinstance(value, str) else str(value)


def key_of(data):
    """The fields of a key, as TKey::ReadKeyBuffer reads them."""
    key = ROOT.TKey()
    PeekKey.read(key, data)
    return {
        "fNbytes": key.GetNbytes(), "fVersion": PeekKey.version(key), "fObjlen": key.GetObjlen(),
        "fDatime": key.GetDatime().Get(), "fKeylen": key.GetKeylen(), "fCycle": key.GetCycle(),
        "fSeekKey": key.GetSeekKey(), "fSeekPdir": key.GetSeekPdir(), "fClassName": text(key.GetClassName()),
        "fName": text(key.GetName()), "fTitle": text(key.GetTitle()),
    }


def basket_of(data):
    basket = ROOT.TBasket()
    PeekBasket.read(basket, data)
    return {"fBufferSize": PeekBasket.bufferSize(basket), "fNevBufSize": basket.GetNevBufSize(),
            "fNevBuf": basket.GetNevBuf(), "fLast": PeekBasket.last(basket)}


def anchor_of(file, name):
    anchor = file.Get(name)
    if not anchor:
        return None
    return {"fVersionEpoch": anchor.GetVersionEpoch(), "fVersionMajor": anchor.GetVersionMajor(),
            "fVersionMinor": anchor.GetVersionMinor(), "fVersionPatch": anchor.GetVersionPatch(),
            "fSeekHeader": anchor.GetSeekHeader(), "fNBytesHeader": anchor.GetNBytesHeader(),
            "fLenHeader": anchor.GetLenHeader(), "fSeekFooter": anchor.GetSeekFooter(),
            "fNBytesFooter": anchor.GetNBytesFooter(), "fLenFooter": anchor.GetLenFooter(),
            "fMaxKeySize": anchor.GetMaxKeySize()}


def directory_of(directory):
    return {"fDatimeC": directory.GetCreationDate().Get(), "fDatimeM": directory.GetModificationDate().Get(),
            "fNbytesKeys": ROOT.PeekDirectory.nbytesKeys(directory),
            "fNbytesName": ROOT.PeekDirectory.nbytesName(directory), "fSeekDir": directory.GetSeekDir(),
            "fSeekParent": directory.GetSeekParent(), "fSeekKeys": directory.GetSeekKeys(),
            "UUID": text(directory.GetUUID().AsString())}


def fields_of(path):
    file = ROOT.TFile.Open(path)
    if not file or file.IsZombie() or file.TestBit(ROOT.TFile.kRecovered):
        return None
    begin, end = Peek.begin(file), Peek.end(file)
    header = {
        "fVersion": Peek.version(file), "fBEGIN": begin, "fEND": end, "fSeekFree": Peek.seekFree(file),
        "fNbytesFree": Peek.nbytesFree(file), "fNbytesName": Peek.nbytesName(file), "fUnits": Peek.units(file),
        "fCompress": Peek.compress(file), "fSeekInfo": file.GetSeekInfo(), "fNbytesInfo": file.GetNbytesInfo(),
        "UUID": text(file.GetUUID().AsString()),
    }
    records, lists = [], {begin: directory_of(file)}
    below = [file]
    keys = {}
    while below:
        directory = below.pop()
        keys[directory.GetSeekKeys()] = [key_fields(k) for k in directory.GetListOfKeys()]
        for k in directory.GetListOfKeys():
            if k.GetClassName() in ("TDirectory", "TDirectoryFile"):
                inner = directory.GetDirectory(k.GetName())
                if inner and inner.GetSeekDir() == k.GetSeekKey():
                    lists[k.GetSeekKey()] = directory_of(inner)
                    below.append(inner)
    with open(path, "rb") as raw:
        at, places = begin, []
        while at < end:
            raw.seek(at)
            nbytes, = struct.unpack(">i", raw.read(4))
            if nbytes == 0:
                break
            places.append((at, nbytes))
            at += abs(nbytes)
        step = max(1, len(places) // MOST)
        chosen = [p for i, p in enumerate(places) if i < 20 or i % step == 0 or i > len(places) - 10 or p[0] in keys]
        for at, nbytes in chosen:
            if nbytes < 0:
                records.append({"at": at, "gap": -nbytes})
                continue
            raw.seek(at)
            data = raw.read(1 << 16)
            one = {"at": at, "key": key_of(data)}
            name = one["key"]["fClassName"]
            if name == "TBasket":
                one["basket"] = basket_of(data)
            elif name == "ROOT::RNTuple" and one["key"]["fSeekPdir"] == begin:
                one["anchor"] = anchor_of(file, one["key"]["fName"])
            if at in lists:
                one["directory"] = lists[at]
            if at in keys:
                one["keys"] = keys[at]
            if at == header["fSeekFree"]:
                one["free"] = [[f.GetFirst(), f.GetLast()] for f in Peek.free(file)]
            records.append(one)
    file.Close()
    return {"header": header, "records": records}


def key_fields(key):
    return {"fNbytes": key.GetNbytes(), "fObjlen": key.GetObjlen(), "fKeylen": key.GetKeylen(),
            "fCycle": key.GetCycle(), "fSeekKey": key.GetSeekKey(), "fSeekPdir": key.GetSeekPdir(),
            "fName": text(key.GetName())}


def large(out):
    """A tree before and one behind two gaps of 1.5 GB; what lies between is not in the pieces."""
    folder = tempfile.mkdtemp()
    out = os.path.abspath(out)
    os.chdir(folder)
    path = "large.root"
    file = ROOT.TFile(path, "RECREATE", "above 2 GB", 505)
    tree = ROOT.TTree("before", "before the gap")
    value = ROOT.std.vector("float")(3)
    tree.Branch("v", value)
    tree.Fill()
    tree.Write()
    near = Peek.end(file)
    GAP = 1_500_000_000
    Peek.grow(file, near + 2 * GAP)
    inner = file.mkdir("far")
    inner.cd()
    tree = ROOT.TTree("behind", "behind the gap")
    tree.Branch("v", value)
    for _ in range(4):
        tree.Fill()
    tree.Write()
    file.Close()
    with open(path, "r+b") as raw:
        for i in range(2):
            raw.seek(near + i * GAP)
            raw.write(struct.pack(">i", -GAP))
        raw.seek(0)
        head = raw.read(near + 4)
        raw.seek(near + 2 * GAP)
        tail = raw.read()
    pieces = [[0, base64.b64encode(head).decode()],
              [near + GAP, base64.b64encode(struct.pack(">i", -GAP)).decode()],
              [near + 2 * GAP, base64.b64encode(tail).decode()]]
    with open(out, "w") as file:
        json.dump({"pieces": pieces, "fields": fields_of(path)}, file, separators=(",", ":"))
    os.remove(path)
    os.chdir("/")
    os.rmdir(folder)


if sys.argv[1] == "--large":
    large(sys.argv[2])
else:
    print("{" + ",\n".join(f"{json.dumps(p)}: {json.dumps(fields_of(p), separators=(',', ':'))}" for p in sys.argv[1:]) + "}")
