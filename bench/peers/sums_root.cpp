// Sums of branches by TTreeReader on one thread: sums_root FILE TREE LIST [sums=OUT] [cache=MB]
// LIST is a file with a branch a line; OUT gets {"branch": [values, sum]}. Prints a line of seconds and MB as JSON.
#include <TBranch.h>
#include <TError.h>
#include <TFile.h>
#include <TLeaf.h>
#include <TTree.h>
#include <TTreeReader.h>
#include <TTreeReaderArray.h>
#include <TTreeReaderValue.h>
#include <TWebFile.h>

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Column {
    std::string name;
    long long count = 0;
    double sum = 0;
    virtual ~Column() = default;
    virtual void read() = 0;
};

template <class T> struct Number : Column {
    TTreeReaderValue<T> value;
    Number(TTreeReader &reader, const std::string &of) : value(reader, of.c_str()) {}
    void read() override {
        sum += (double)*value;
        count++;
    }
};

template <class T> struct List : Column {
    TTreeReaderArray<T> values;
    List(TTreeReader &reader, const std::string &of) : values(reader, of.c_str()) {}
    void read() override {
        std::size_t size = values.GetSize();
        double all = 0;
        for (std::size_t i = 0; i < size; i++)
            all += (double)values[i];
        sum += all;
        count += (long long)size;
    }
};

template <class T>
std::unique_ptr<Column> columnOf(TTreeReader &reader, const std::string &name, bool isList) {
    if (isList) return std::make_unique<List<T>>(reader, name);
    return std::make_unique<Number<T>>(reader, name);
}

static std::unique_ptr<Column> columnOf(TTreeReader &reader, TTree &tree, const std::string &name) {
    TBranch *branch = tree.GetBranch(name.c_str());
    if (branch == nullptr) throw std::runtime_error("no branch " + name);
    auto leaf = (TLeaf *)branch->GetListOfLeaves()->At(0);
    std::string type = leaf->GetTypeName();
    bool isList = leaf->GetLeafCount() != nullptr || leaf->GetLenStatic() > 1;
    if (type.rfind("vector<", 0) == 0) {
        if (isList) throw std::runtime_error(name + " has lists in lists");
        isList = true;
        type = type.substr(7, type.size() - 8);
    }
    if (type == "Float_t" || type == "float") return columnOf<float>(reader, name, isList);
    if (type == "Double_t" || type == "double") return columnOf<double>(reader, name, isList);
    if (type == "Int_t" || type == "int") return columnOf<int>(reader, name, isList);
    if (type == "UInt_t" || type == "unsigned int") return columnOf<unsigned>(reader, name, isList);
    if (type == "Long64_t") return columnOf<Long64_t>(reader, name, isList);
    if (type == "ULong64_t") return columnOf<ULong64_t>(reader, name, isList);
    if (type == "Bool_t" || type == "bool") return columnOf<bool>(reader, name, isList);
    if (type == "UChar_t" || type == "unsigned char") return columnOf<unsigned char>(reader, name, isList);
    if (type == "Short_t" || type == "short") return columnOf<short>(reader, name, isList);
    throw std::runtime_error(name + " is of type " + type);
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    std::string path = argv[1], out;
    double cache = 30;
    for (int i = 4; i < argc; i++) {
        std::string word = argv[i];
        if (word.rfind("sums=", 0) == 0) out = word.substr(5);
        if (word.rfind("cache=", 0) == 0) cache = std::stod(word.substr(6));
    }
    std::vector<std::string> names;
    std::ifstream list(argv[3]);
    for (std::string line; std::getline(list, line);)
        if (!line.empty()) names.push_back(line);
    gErrorIgnoreLevel = kError;
    auto wall = std::chrono::steady_clock::now();
    std::clock_t cpu = std::clock();
    // The package of pip does not find the class for http by itself.
    std::unique_ptr<TFile> file(path.rfind("http", 0) == 0
                                    ? new ROOT::Deprecated::TWebFile(path.c_str())
                                    : TFile::Open(path.c_str()));
    if (!file || file->IsZombie()) return 3;
    auto tree = file->Get<TTree>(argv[2]);
    if (tree == nullptr) return 3;
    tree->SetCacheSize((Long64_t)(cache * 1e6));
    TTreeReader reader(tree);
    std::vector<std::unique_ptr<Column>> columns;
    for (auto &name : names) {
        columns.push_back(columnOf(reader, *tree, name));
        columns.back()->name = name;
    }
    while (reader.Next())
        for (auto &column : columns)
            column->read();
    if (reader.GetEntryStatus() != TTreeReader::kEntryBeyondEnd) return 4;
    double cpu_s = double(std::clock() - cpu) / CLOCKS_PER_SEC;
    double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    if (!out.empty()) {
        std::ofstream sums(out);
        sums.precision(17);
        for (auto &column : columns)
            sums << (column == columns.front() ? "{" : ",") << "\"" << column->name << "\":["
                 << column->count << "," << column->sum << "]";
        sums << "}";
    }
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    std::printf("{\"wall_s\": %.4f, \"cpu_s\": %.4f, \"rss_mb\": %.1f}\n", wall_s, cpu_s,
                double(used.ru_maxrss) / 1024);
    return 0;
}
