"""Jobs of bench/fleet.mjs in ROOT and uproot: python fleet_job.py root|uproot

Each line on stdin is a job as JSON: {"url", "tree", "branches", "kind"}. Its answer is {"cpu"}: processor time in s. The process
stays, so that neither its start nor the compiling of its code counts.
"""
import json, sys, time, warnings

warnings.simplefilter("ignore")

ROOT_JOB = """
#include <ROOT/RNTuple.hxx>
#include <ROOT/RNTupleReader.hxx>
#include <TFile.h>
#include <TTree.h>
#include <memory>
double fleetJobOfNtuple(const char* url, const char* name, const std::vector<std::string>& fields) {
  auto reader = ROOT::RNTupleReader::Open(name, url);
  std::vector<ROOT::RNTupleView<void>> views;
  for (auto& field : fields) views.emplace_back(reader->GetView<void>(field));
  double entries = 0;
  for (auto i : reader->GetEntryRange()) {
    for (auto& view : views) view(i);
    entries++;
  }
  return entries;
}
double fleetJob(const char* url, const char* name, const std::vector<std::string>& branches) {
  std::unique_ptr<TFile> file(TFile::Open(url));
  if (!file || file->IsZombie()) return -1;
  auto tree = file->Get<TTree>(name);
  tree->SetCacheSize(30000000);
  tree->SetBranchStatus("*", 0);
  for (auto& branch : branches) tree->SetBranchStatus(branch.c_str(), 1);
  double bytes = 0;
  for (Long64_t i = 0; i < tree->GetEntries(); i++) bytes += tree->GetEntry(i);
  return bytes;
}
"""


def root_reader():
    import ROOT
    ROOT.gErrorIgnoreLevel = ROOT.kError
    ROOT.gInterpreter.Declare(ROOT_JOB)

    def read(url, tree, branches, kind):
        job = ROOT.fleetJobOfNtuple if kind == "RNTuple" else ROOT.fleetJob
        if job(url, tree, branches) <= 0:
            raise OSError(f"nothing was read of {url}")
    return read


def uproot_reader():
    import uproot

    def read(url, tree, branches, kind):
        with uproot.open(url) as file:
            file[tree].arrays(branches, library="np")
    return read


read = {"root": root_reader, "uproot": uproot_reader}[sys.argv[1]]()
print("ready", flush=True)
for line in sys.stdin:
    job = json.loads(line)
    before = time.process_time()
    read(job["url"], job["tree"], job["branches"], job["kind"])
    print(json.dumps({"cpu": time.process_time() - before}), flush=True)
