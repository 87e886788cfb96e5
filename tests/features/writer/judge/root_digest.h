/**
 * What ROOT reads of files, as lines of words between tabs: compiled by ROOT's interpreter for root_server.py.
 *
 * Several files are read one after another, as one: digests of a tree go on from file to file. There are four ways to
 * read, because ROOT crashes with some files in some of them:
 *
 *   get      what GetEntry returns for each entry
 *   values   also the values of leaves
 *   objects  also the objects of the branches of a tree itself, written anew, and all other objects of the file
 *   places   baskets and clusters, and the bytes of the entries in the baskets
 *   all      all of these
 *
 * Lines:
 *
 *   recovered  0 or 1, whether ROOT had to recover a file
 *   read       path and cycle of a tree, class, entries, sum and checksum of what GetEntry returns, number of entries where
 *              it is below zero
 *   values     path and cycle, branch, number of values and their checksum
 *   object     path and cycle, branch or empty, class, number of objects and their checksum
 *   clusters   path and cycle, number, those that do not begin where baskets of all branches begin, number of such places
 *   bytes      path and cycle, branch, whether its entries may hold pointers, entries, bytes of entries, and their checksum
 *   basket     place, bytes
 *   fault      what no sound file has
 *   unread     path and cycle of an object that ROOT cannot read
 */
#include <TBasket.h>
#include <TBranchElement.h>
#include <TBranchObject.h>
#include <TBranchRef.h>
#include <TBufferFile.h>
#include <TClass.h>
#include <TDirectory.h>
#include <TError.h>
#include <TFile.h>
#include <TKey.h>
#include <TLeaf.h>
#include <TLeafObject.h>
#include <TTree.h>
#include <ROOT/RNTupleReader.hxx>
#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace judge {

using Hash = unsigned long long;

struct Sum {
  Hash hash = 1469598103934665603ull;
  Long64_t count = 0;

  void add(Hash value) { hash = (hash ^ value) * 1099511628211ull; }
  void add(const void *bytes, size_t size)
  {
    for (size_t i = 0; i < size; i++) add(((const unsigned char *)bytes)[i]);
  }
};

/** Entries from `from` to `to`, and of these the ones whose number has the rest `rest` when divided by `step`. */
struct Choice {
  Long64_t from = 0, to = -1, step = 1, rest = 0;
  Long64_t most = -1; // entries that are read at most, -1: all
};

struct TreeSums {
  std::string className;
  Long64_t entries = 0, failed = 0, total = 0;
  Sum read;
  std::vector<std::string> names;
  std::map<std::string, Sum> values;
  std::map<std::string, std::pair<std::string, Sum>> objects;
};

/** All branches in the order of the tree; the branch of references is none of them. */
void branchesOf(TObjArray *list, std::vector<TBranch *> &all)
{
  for (auto *object : *list) {
    auto *branch = (TBranch *)object;
    all.push_back(branch);
    branchesOf(branch->GetListOfBranches(), all);
  }
}

/** Adds the values of the leaves of a branch for the entry that was read; those of other types are left out. */
void addValues(TBranch *branch, Sum &sum)
{
  const bool isElement = branch->InheritsFrom(TBranchElement::Class());
  if (isElement) {
    auto *element = (TBranchElement *)branch;
    const int type = element->GetStreamerType();
    if (type < 1 || type > 19 || (element->GetType() != 0 && element->GetType() != 31 && element->GetType() != 41)) return;
  } else if (branch->IsA() != TBranch::Class()) {
    return;
  }
  for (auto *object : *branch->GetListOfLeaves()) {
    auto *leaf = (TLeaf *)object;
    const int count = leaf->GetLen();
    if (strcmp(leaf->ClassName(), "TLeafC") == 0) {
      const char *text = (const char *)leaf->GetValuePointer();
      if (text) sum.add(text, strlen(text));
      sum.count++;
      continue;
    }
    for (int i = 0; i < count; i++) {
      const double value = leaf->GetValue(i);
      sum.add(&value, sizeof value);
    }
    sum.count += count;
  }
}

/** Adds an object as its class writes it; pointers are offsets in what is written, and not places in memory. */
void addObject(void *object, TClass *type, Sum &sum)
{
  if (!object || !type) return;
  TBufferFile buffer(TBuffer::kWrite, 32000);
  buffer.StreamObject(object, type);
  sum.add(buffer.Buffer(), buffer.Length());
  sum.count++;
}

/** The object of a branch of the tree itself, and its class; null where it has none. */
std::pair<void *, TClass *> objectOf(TBranch *branch)
{
  if (branch->InheritsFrom(TBranchElement::Class())) {
    auto *element = (TBranchElement *)branch;
    if (element->GetID() >= 0) return {nullptr, nullptr};
    return {element->GetObject(), TClass::GetClass(element->GetClassName())};
  }
  if (branch->InheritsFrom(TBranchObject::Class())) {
    auto *leaf = (TLeafObject *)branch->GetListOfLeaves()->At(0);
    return {leaf ? leaf->GetObject() : nullptr, TClass::GetClass(((TBranchObject *)branch)->GetClassName())};
  }
  return {nullptr, nullptr};
}

void readEntries(TTree *tree, TreeSums &sums, const Choice &choice, bool values, bool objects)
{
  std::vector<TBranch *> branches;
  branchesOf(tree->GetListOfBranches(), branches);
  if (sums.names.empty())
    for (auto *branch : branches) sums.names.push_back(branch->GetFullName().Data());
  sums.className = tree->ClassName();
  const Long64_t end = choice.to < 0 ? tree->GetEntries() : std::min(choice.to, tree->GetEntries());
  for (Long64_t entry = choice.from; entry < end; entry++) {
    if (entry % choice.step != choice.rest) continue;
    if (choice.most >= 0 && sums.entries >= choice.most) break;
    const int bytes = tree->GetEntry(entry, 1);
    sums.entries++;
    sums.total += bytes;
    sums.read.add(bytes);
    if (bytes < 0) sums.failed++;
    if (values)
      for (auto *branch : branches) addValues(branch, sums.values[branch->GetFullName().Data()]);
    if (!objects) continue;
    for (auto *branch : branches) {
      const auto [object, type] = objectOf(branch);
      if (!type) continue;
      auto &own = sums.objects[branch->GetFullName().Data()];
      own.first = type->GetName();
      addObject(object, type, own.second);
    }
  }
}

/** Entries of an RNTuple as ROOT shows them, which are texts of all values. */
void readNtuple(TDirectory *directory, const char *name, TreeSums &sums, const Choice &choice)
{
  sums.className = "ROOT::RNTuple";
  auto ntuple = std::unique_ptr<ROOT::RNTuple>(directory->Get<ROOT::RNTuple>(name));
  if (!ntuple) return;
  auto reader = ROOT::RNTupleReader::Open(*ntuple);
  const Long64_t count = reader->GetNEntries(), end = choice.to < 0 ? count : std::min(choice.to, count);
  for (Long64_t entry = choice.from; entry < end; entry++) {
    if (entry % choice.step != choice.rest) continue;
    sums.entries++;
    std::ostringstream text;
    try {
      reader->Show(entry, text);
    } catch (const std::exception &) {
      sums.failed++;
    }
    sums.total += text.str().size();
    sums.read.add(text.str().data(), text.str().size());
  }
}

/** Prints the baskets of a branch, and where they do not ascend by entry, as empty ones do not. */
void checkBaskets(TBranch *branch)
{
  const Long64_t *first = branch->GetBasketEntry();
  for (int i = 0; i + 1 < branch->GetWriteBasket(); i++)
    if (first[i + 1] <= first[i])
      std::cout << "fault\tbasket " << i + 1 << " of " << branch->GetFullName() << " begins at entry " << first[i + 1]
                << ", the one before at " << first[i] << "\n";
  if (strlen(branch->GetFileName()) > 0) return;
  for (int i = 0; i < branch->GetWriteBasket(); i++)
    if (branch->GetBasketSeek(i) > 0)
      std::cout << "basket\t" << branch->GetBasketSeek(i) << "\t" << branch->GetBasketBytes()[i] << "\n";
}

/** Says of how many clusters some branch has no basket that begins there. */
void checkClusters(TTree *tree, const std::string &name, const std::vector<TBranch *> &branches)
{
  std::vector<Long64_t> starts;
  // ROOT makes up clusters of a tree that claims none.
  if (tree->GetAutoFlush() <= 0) return;
  auto cluster = tree->GetClusterIterator(0);
  while (true) {
    const Long64_t start = cluster();
    if (start >= tree->GetEntries()) break;
    starts.push_back(start);
  }
  std::set<Long64_t> wrong;
  std::set<Long64_t> common;
  bool isFirst = true;
  for (auto *branch : branches) {
    if (branch->GetWriteBasket() == 0 || branch->GetEntries() < tree->GetEntries()) continue;
    const Long64_t *first = branch->GetBasketEntry();
    std::set<Long64_t> own(first, first + branch->GetWriteBasket() + 1);
    for (Long64_t start : starts)
      if (!own.count(start)) wrong.insert(start);
    if (isFirst) common = own;
    else
      for (auto it = common.begin(); it != common.end();) it = own.count(*it) ? std::next(it) : common.erase(it);
    isFirst = false;
  }
  common.erase(tree->GetEntries());
  std::cout << "clusters\t" << name << "\t" << starts.size() << "\t" << wrong.size() << "\t" << common.size() << "\n";
}

/** Whether entries of a branch may hold pointers, which are offsets in a basket, and others where entries moved. */
bool mayPoint(TBranch *branch)
{
  if (branch->IsA() == TBranch::Class()) return false;
  if (!branch->InheritsFrom(TBranchElement::Class())) return true;
  auto *element = (TBranchElement *)branch;
  const int stored = element->GetStreamerType();
  return element->GetType() != 3 && element->GetType() != 4 && (stored < 1 || stored > 59);
}

void readPlaces(TTree *tree, const std::string &name)
{
  std::vector<TBranch *> branches;
  branchesOf(tree->GetListOfBranches(), branches);
  for (auto *branch : branches) checkBaskets(branch);
  if (tree->GetBranchRef()) checkBaskets(tree->GetBranchRef());
  checkClusters(tree, name, branches);
  for (auto *branch : branches) {
    Sum sum;
    for (int i = 0; i <= branch->GetWriteBasket(); i++) {
      TBasket *basket = branch->GetBasket(i);
      if (!basket || !basket->GetBufferRef()) continue;
      const int length = basket->GetLast() - basket->GetKeylen();
      if (length > 0) sum.add(basket->GetBufferRef()->Buffer() + basket->GetKeylen(), length);
      sum.count += std::max(0, length);
    }
    branch->DropBaskets("all");
    std::cout << "bytes\t" << name << "\t" << branch->GetFullName() << "\t" << mayPoint(branch) << "\t"
              << branch->GetEntries() << "\t" << sum.count << "\t" << sum.hash << "\n";
  }
}

struct Reading {
  std::string way;
  Choice choice;
  std::string only; // path of the one tree that is read; empty: all
  std::vector<std::string> names;
  std::map<std::string, TreeSums> trees;

  bool reads(const char *one) const { return way == one || way == "all"; }
};

void readDirectory(TDirectory *directory, const std::string &prefix, Reading &reading)
{
  for (auto *object : *directory->GetListOfKeys()) {
    auto *key = (TKey *)object;
    TClass *type = TClass::GetClass(key->GetClassName());
    const std::string path = prefix + key->GetName();
    const std::string name = path + "\t" + std::to_string(key->GetCycle());
    const bool isTree = type && type->InheritsFrom(TTree::Class()) && !type->InheritsFrom("TChain");
    if (type && type->InheritsFrom(TDirectory::Class())) {
      auto *inner = (TDirectory *)key->ReadObj();
      if (inner) readDirectory(inner, path + "/", reading);
    } else if (isTree) {
      if (!reading.only.empty() && path != reading.only) continue;
      auto *tree = (TTree *)key->ReadObj();
      if (!tree) {
        std::cout << "unread\t" << name << "\n";
        continue;
      }
      // A product of one tree has no friends, which GetEntry would read.
      if (!reading.only.empty() && tree->GetListOfFriends()) tree->GetListOfFriends()->Clear();
      if (reading.way != "places") {
        if (!reading.trees.count(name)) reading.names.push_back(name);
        readEntries(tree, reading.trees[name], reading.choice, reading.reads("values"), reading.reads("objects"));
      }
      if (reading.reads("places")) readPlaces(tree, name);
      delete tree;
    } else if (strcmp(key->GetClassName(), "ROOT::RNTuple") == 0) {
      if (reading.way == "places" || !reading.only.empty()) continue;
      if (!reading.trees.count(name)) reading.names.push_back(name);
      readNtuple(directory, TString::Format("%s;%d", key->GetName(), key->GetCycle()), reading.trees[name], reading.choice);
    } else if (reading.reads("objects") && type && type->IsLoaded() && reading.only.empty()) {
      void *whole = key->ReadObjectAny(nullptr);
      if (!whole) {
        std::cout << "unread\t" << name << "\n";
        continue;
      }
      Sum sum;
      addObject(whole, type, sum);
      std::cout << "object\t" << name << "\t\t" << type->GetName() << "\t" << sum.count << "\t" << sum.hash << "\n";
    }
  }
}

/** Reads files in one way, and prints the lines. */
void readFiles(const std::vector<std::string> &paths, const char *way, const Choice &choice, const char *only)
{
  Reading reading;
  reading.way = way;
  reading.choice = choice;
  reading.only = only;
  for (const auto &path : paths) {
    TFile *file = TFile::Open(path.c_str());
    if (!file || file->IsZombie()) {
      std::cout << "fault\tROOT cannot open the file\n";
      continue;
    }
    std::cout << "recovered\t" << file->TestBit(TFile::kRecovered) << "\n";
    readDirectory(file, "", reading);
    delete file;
  }
  for (const auto &name : reading.names) {
    auto &tree = reading.trees[name];
    std::cout << "read\t" << name << "\t" << tree.className << "\t" << tree.entries << "\t" << tree.total << "\t"
              << tree.read.hash << "\t" << tree.failed << "\n";
    for (const auto &branch : tree.names) {
      const auto value = tree.values.find(branch);
      if (value != tree.values.end() && value->second.count > 0)
        std::cout << "values\t" << name << "\t" << branch << "\t" << value->second.count << "\t" << value->second.hash << "\n";
      const auto object = tree.objects.find(branch);
      if (object != tree.objects.end())
        std::cout << "object\t" << name << "\t" << branch << "\t" << object->second.first << "\t"
                  << object->second.second.count << "\t" << object->second.second.hash << "\n";
    }
  }
  std::cout << std::flush;
}

} // namespace judge
