/**
 * What ROOT reads of a file, as lines of words between tabs: compiled by ROOT's interpreter for read_root.py.
 *
 *   recovered  0 or 1, whether ROOT had to recover the file
 *   tree       path, cycle; the following lines are about it
 *   read       class, entries, sum and checksum of what GetEntry returns, number of entries where it is below zero
 *   clusters   number, those that do not begin where baskets of all branches begin, and number of such common places
 *   branch     name, entries, bytes of its entries and their checksum, checksum of the values of its leaves
 *   basket     place, bytes
 *   fault      what no sound file has
 *   unread     path, cycle of a tree that ROOT cannot read
 */
#include <TBasket.h>
#include <TBranchElement.h>
#include <TBranchRef.h>
#include <TBufferFile.h>
#include <TClass.h>
#include <TDirectory.h>
#include <TFile.h>
#include <TKey.h>
#include <TLeaf.h>
#include <TTree.h>
#include <algorithm>
#include <cstring>
#include <iostream>
#include <set>
#include <string>
#include <vector>

namespace judge {

using Hash = unsigned long long;

const Hash kStart = 1469598103934665603ull;

void add(Hash &hash, Hash value) { hash = (hash ^ value) * 1099511628211ull; }

void add(Hash &hash, const char *bytes, size_t count)
{
  for (size_t i = 0; i < count; i++) add(hash, (unsigned char)bytes[i]);
}

/** All branches in the order of the tree; the branch of references is none of them. */
void branchesOf(TObjArray *list, std::vector<TBranch *> &all)
{
  for (auto *object : *list) {
    auto *branch = (TBranch *)object;
    all.push_back(branch);
    branchesOf(branch->GetListOfBranches(), all);
  }
}

/** The bytes of all entries in the baskets of a branch. They do not depend on how the entries are cut into baskets. */
Hash entryBytes(TBranch *branch, Long64_t &count)
{
  Hash hash = kStart;
  count = 0;
  for (int i = 0; i <= branch->GetWriteBasket(); i++) {
    TBasket *basket = branch->GetBasket(i);
    if (!basket || !basket->GetBufferRef()) continue;
    const char *bytes = basket->GetBufferRef()->Buffer();
    const int length = basket->GetLast() - basket->GetKeylen();
    if (length > 0) add(hash, bytes + basket->GetKeylen(), length);
    count += std::max(0, length);
  }
  branch->DropBaskets("all");
  return hash;
}

/** Adds the values of the leaves of a branch for the entry that was read; those of other types are left out. */
void addValues(TBranch *branch, Hash &hash)
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
      if (text) add(hash, text, strlen(text));
      continue;
    }
    for (int i = 0; i < count; i++) {
      const double value = leaf->GetValue(i);
      add(hash, (const char *)&value, sizeof value);
    }
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
  for (int i = 0; i < branch->GetWriteBasket(); i++)
    if (branch->GetBasketSeek(i) > 0)
      std::cout << "basket\t" << branch->GetBasketSeek(i) << "\t" << branch->GetBasketBytes()[i] << "\n";
}

/** Says of how many clusters some branch has no basket that begins there. */
void checkClusters(TTree *tree, const std::vector<TBranch *> &branches)
{
  std::vector<Long64_t> starts;
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
  std::cout << "clusters\t" << starts.size() << "\t" << wrong.size() << "\t" << common.size() << "\n";
}

/** How much is read of a tree: the baskets, the entries by GetEntry as well, and the values of leaves. */
enum Depth { kBaskets, kEntries, kValues };

void readTree(TTree *tree, int times, int depth)
{
  std::vector<TBranch *> branches;
  branchesOf(tree->GetListOfBranches(), branches);
  for (auto *branch : branches) checkBaskets(branch);
  if (tree->GetBranchRef()) checkBaskets(tree->GetBranchRef());
  checkClusters(tree, branches);
  const Long64_t entries = tree->GetEntries();
  Hash read = kStart;
  Long64_t total = 0, failed = 0;
  std::vector<Hash> values(branches.size(), kStart);
  for (int time = 0; time < times && depth >= kEntries; time++)
    for (Long64_t entry = 0; entry < entries; entry++) {
      const int bytes = tree->GetEntry(entry, 1);
      total += bytes;
      add(read, bytes);
      if (bytes < 0) failed++;
      if (depth < kValues) continue;
      for (size_t b = 0; b < branches.size(); b++) addValues(branches[b], values[b]);
    }
  std::cout << "read\t" << tree->ClassName() << "\t" << entries * times << "\t" << total << "\t" << read << "\t" << failed << "\n";
  for (size_t b = 0; b < branches.size(); b++) {
    Long64_t count = 0;
    const Hash bytes = times == 1 ? entryBytes(branches[b], count) : 0;
    std::cout << "branch\t" << branches[b]->GetFullName() << "\t" << branches[b]->GetEntries() * times << "\t" << count
              << "\t" << bytes << "\t" << values[b] << "\n";
  }
}

void readDirectory(TDirectory *directory, const std::string &prefix, int times, int depth)
{
  for (auto *object : *directory->GetListOfKeys()) {
    auto *key = (TKey *)object;
    TClass *type = TClass::GetClass(key->GetClassName());
    const std::string path = prefix + key->GetName();
    if (!type) continue;
    if (type->InheritsFrom(TDirectory::Class())) {
      auto *inner = (TDirectory *)key->ReadObj();
      if (inner) readDirectory(inner, path + "/", times, depth);
    } else if (type->InheritsFrom(TTree::Class())) {
      auto *tree = (TTree *)key->ReadObj();
      std::cout << (tree ? "tree\t" : "unread\t") << path << "\t" << key->GetCycle() << "\n";
      if (tree) readTree(tree, times, depth);
      delete tree;
    }
  }
}

void readFile(const char *path, int times, int depth)
{
  TFile *file = TFile::Open(path);
  if (!file || file->IsZombie()) {
    std::cout << "fault\tROOT cannot open the file\n";
    return;
  }
  std::cout << "recovered\t" << file->TestBit(TFile::kRecovered) << "\n";
  readDirectory(file, "", times, depth);
  delete file;
}

} // namespace judge
