import { cppText } from '../../../base/literal';

/** A TTree that is rewritten. */
export interface TreePlan {
  path: string;
  /** Entries of a cluster. */
  entries: number;
}

export interface ScriptPlan {
  from: string;
  to: string;
  /** Compression setting of the new file, in ROOT's numbers; undefined for that of the old file. */
  settings: number | undefined;
  /** TTrees to rewrite. Others are copied basket by basket. */
  trees: readonly TreePlan[];
  /** Whether the file has RNTuples. They are all rewritten, because ROOT has no other way to copy one. */
  ntuples: boolean;
}

/**
 * Returns a ROOT macro that copies a file and rewrites some of its trees. It copies directories, all cycles of
 * objects (unchanged, without needing their classes), and the newest cycle of each tree with its aliases and friends.
 * It fails, and leaves no file with the new name, if anything cannot be copied or the new file exists.
 */
export function repairScript({ from, to, settings, trees, ntuples }: ScriptPlan): string[] {
  return [
    ...(ntuples ? ['#include <ROOT/RNTupleReader.hxx>', '#include <ROOT/RNTupleWriter.hxx>'] : []),
    ...INCLUDES,
    '',
    `const char *const oldName = ${cppText(from)};`,
    `const char *const newName = ${cppText(to)};`,
    '// Trees that are written anew, and the entries of a cluster of each.',
    'const std::map<std::string, Long64_t> clusterEntries = {',
    ...trees.map(({ path, entries }) => `  {${cppText(path)}, ${entries}},`),
    '};',
    ...FAILURES,
    '',
    ...TREE,
    ...(ntuples ? ['', ...NTUPLE] : []),
    '',
    ...FOLDER.flatMap((line) => (line === NTUPLE_HERE ? (ntuples ? NTUPLE_CALL : []) : [line])),
    '',
    ...mainLines(settings),
  ];
}

const INCLUDES = [
  'TClass',
  'TError',
  'TFile',
  'TKey',
  'TStreamerInfo',
  'TSystem',
  'TTree',
  'TVirtualCollectionProxy',
].map((name) => `#include <${name}.h>`);
INCLUDES.splice(5, 0, '#include <TROOT.h>');
INCLUDES.push(
  '#include <iostream>',
  '#include <map>',
  '#include <memory>',
  '#include <set>',
  '#include <string>',
);

const FAILURES = `int failures = 0;

void fail(const std::string &what)
{
  std::cerr << what << std::endl;
  failures++;
}

// Counts the errors that ROOT prints while it reads and writes.
void countErrors(int level, Bool_t abort, const char *place, const char *text)
{
  if (level >= kError) failures++;
  DefaultErrorHandler(level, abort, place, text);
}`.split('\n');

const TREE = `// Objects of a class without a dictionary may lose values when they are read and written.
void findUnknown(TObjArray &branches, std::set<std::string> &unknown)
{
  for (auto *object : branches) {
    auto &branch = static_cast<TBranch &>(*object);
    const std::string name = branch.GetClassName();
    TClass *type = name.empty() ? nullptr : TClass::GetClass(name.c_str());
    if (type && type->GetCollectionProxy()) type = type->GetCollectionProxy()->GetValueClass();
    if (type && !type->HasDictionary() && !type->GetCollectionProxy()) unknown.insert(type->GetName());
    findUnknown(*branch.GetListOfBranches(), unknown);
  }
}

// Writes a tree anew, entry by entry: one basket of each branch in each cluster.
void mendTree(TTree &old, TDirectory &to, const char *name, Long64_t entries)
{
  std::set<std::string> unknown;
  findUnknown(*old.GetListOfBranches(), unknown);
  for (const auto &type : unknown) fail("Class " + type + " has no dictionary. Load its library first.");
  if (!unknown.empty()) return;
  to.cd();
  std::unique_ptr<TTree> tree(old.CloneTree(0));
  tree->SetAutoSave(0);
  tree->SetAutoFlush(entries);
  tree->SetBit(TTree::kOnlyFlushAtCluster);
  tree->CopyEntries(&old);
  if (tree->GetEntries() != old.GetEntries()) fail(std::string(name) + ": not all entries were copied.");
  tree->Write(name);
}

// Copies a tree basket by basket.
void copyTree(TTree &old, TDirectory &to, const char *name)
{
  to.cd();
  std::unique_ptr<TTree> tree(old.CloneTree(-1, "fast"));
  if (!tree || tree->GetEntries() != old.GetEntries()) return fail(std::string(name) + ": not copied.");
  tree->Write(name);
}`.split('\n');

const NTUPLE =
  `// Writes an RNTuple anew, entry by entry, with the clusters, pages and encodings that are ROOT's defaults.
void mendNtuple(TDirectory &from, TDirectory &to, const char *name, int compression)
{
  auto reader = ROOT::RNTupleReader::Open(*from.Get<ROOT::RNTuple>(name));
  ROOT::RNTupleDescriptor::RCreateModelOptions modelOptions;
  modelOptions.SetReconstructProjections(true);
  auto model = reader->GetDescriptor().CreateModel(modelOptions);
  ROOT::RNTupleWriteOptions options;
  options.SetCompression(compression);
  auto writer = ROOT::RNTupleWriter::Append(std::move(model), name, to, options);
  auto entry = writer->CreateEntry();
  auto old = reader->CreateEntry();
  for (const auto &value : *entry) {
    const std::string field = value.GetField().GetFieldName();
    old->BindRawPtr(field, entry->GetPtr<void>(field).get());
  }
  for (auto i : *reader) {
    reader->LoadEntry(i, *old);
    writer->Fill(*entry);
  }
}`.split('\n');

const NTUPLE_HERE = '<ntuples>';

const FOLDER = `void copyKey(TKey &key, TDirectory &from, TDirectory &to, const std::string &path)
{
  const char *name = key.GetName();
  TClass *type = TClass::GetClass(key.GetClassName());
  const bool newest = from.GetKey(name)->GetCycle() == key.GetCycle();
  if (type && type->InheritsFrom(TTree::Class())) {
    if (!newest) return;  // it refers to the same baskets
    std::unique_ptr<TTree> tree(static_cast<TTree *>(key.ReadObj()));
    const auto found = clusterEntries.find(path + name);
    if (!tree) fail(path + name + ": not read.");
    else if (found == clusterEntries.end()) copyTree(*tree, to, name);
    else mendTree(*tree, to, name, found->second);
${NTUPLE_HERE}
  } else {
    // Its bytes as they are.
    (new TKey(&to, key, 0))->WriteFile(0);
  }
}

void copyFolder(TDirectory &from, TDirectory &to, const std::string &path)
{
  std::string last;
  for (auto *object : *from.GetListOfKeys()) {
    auto &key = static_cast<TKey &>(*object);
    const std::string name = key.GetName();
    if (name == last) continue;  // keys of one name lie together, the newest first
    last = name;
    TClass *type = TClass::GetClass(key.GetClassName());
    if (type && type->InheritsFrom(TDirectory::Class())) {
      copyFolder(*from.GetDirectory(name.c_str()), *to.mkdir(name.c_str(), key.GetTitle()), path + name + "/");
      continue;
    }
    for (Short_t cycle = 1; cycle <= key.GetCycle(); cycle++) {
      TKey *one = from.GetKey(name.c_str(), cycle);
      if (one && one->GetCycle() == cycle) copyKey(*one, from, to, path);
    }
  }
}`.split('\n');

const NTUPLE_CALL = `  } else if (std::string(key.GetClassName()) == "ROOT::RNTuple") {
    if (newest) mendNtuple(from, to, name, to.GetFile()->GetCompressionSettings());`.split('\n');

function mainLines(settings: number | undefined): string[] {
  return `void repair()
{
  SetErrorHandler(countErrors);
  const std::string part = std::string(newName) + ".part";
  std::unique_ptr<TFile> in(TFile::Open(oldName));
  if (!in || in->IsZombie() || !gSystem->AccessPathName(newName)) {
    std::cerr << "The old file cannot be opened, or the new one exists." << std::endl;
    gSystem->Exit(1);
  }
  std::unique_ptr<TFile> out(TFile::Open(part.c_str(), "RECREATE", in->GetTitle(), ${settings ?? 'in->GetCompressionSettings()'}));
  if (!out || out->IsZombie()) gSystem->Exit(1);
  // The classes of the objects that are copied as they are.
  for (auto *object : *in->GetStreamerInfoList()) {
    if (object->IsA() != TStreamerInfo::Class()) continue;
    auto &info = static_cast<TStreamerInfo &>(*object);
    TClass *type = TClass::GetClass(info.GetName());
    if (!type) continue;
    if (auto *known = type->GetStreamerInfo(info.GetClassVersion())) known->ForceWriteInfo(out.get(), true);
  }
  try {
    copyFolder(*in, *out, "");
  } catch (const std::exception &error) {
    fail(error.what());
  }
  out->Close();
  if (failures == 0 && gSystem->Rename(part.c_str(), newName) != 0) fail("The new file cannot be renamed.");
  if (failures > 0) std::cerr << "Not everything was copied: see above. " << part << " is not complete." << std::endl;
  gSystem->Exit(failures > 0);
}`.split('\n');
}
