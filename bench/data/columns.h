// Random values for the benchmark files, and bench::flat, which writes a tree of columns: see
// columns.py.
#pragma once
#include <TBranch.h>
#include <TFile.h>
#include <TTree.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

// Random numbers of a sequence that a name begins (splitmix64), so that they are the same on each
// machine.
struct Random {
    uint64_t state = 1469598103934665603ull;

    explicit Random(const std::string &name) {
        for (unsigned char letter : name) {
            state ^= letter;
            state *= 1099511628211ull;
        }
        for (int i = 0; i < 4; ++i)
            next();
    }
    uint64_t next() {
        uint64_t z = (state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    double uniform() {
        return ((next() >> 11) + 0.5) * (1.0 / 9007199254740992.0);
    }
    double exponential(double mean) {
        return -mean * std::log(uniform());
    }
    // The sum of eight uniform numbers, scaled to a standard deviation of 1.
    double normal() {
        double sum = 0;
        for (int i = 0; i < 4; ++i) {
            uint64_t x = next();
            sum += (double)(x & 0xffffffff) + (double)(x >> 32);
        }
        return (sum / 4294967296.0 - 4.0) / 0.816496580927726;
    }
    int poisson(double mean) {
        if (mean < 30) {
            double least = std::exp(-mean), product = uniform();
            int count = 0;
            while (product > least) {
                ++count;
                product *= uniform();
            }
            return count;
        }
        double value = mean + std::sqrt(mean) * normal();
        return value < 0 ? 0 : (int)(value + .5);
    }
};

// A float with this number of bits in its mantissa, as NanoAOD rounds; 0: all bits.
inline float rounded(double value, int bits) {
    float result = (float)value;
    if (bits > 0 && bits < 23) {
        uint32_t word;
        std::memcpy(&word, &result, 4);
        word &= ~((1u << (23 - bits)) - 1u);
        std::memcpy(&result, &word, 4);
    }
    return result;
}

// The number of values of a branch, and their sum.
struct Sum {
    std::string name;
    long long count = 0;
    double sum = 0;
    void add(double value) {
        ++count;
        sum += value;
    }
};

// What a reader has to find: {"branch": [values, sum]}.
struct Sums {
    std::vector<Sum> list;

    explicit Sums(const char *names) {
        std::istringstream words(names);
        for (std::string name; words >> name;)
            list.push_back({name});
    }
    void write(const char *path) const {
        std::ofstream out(path);
        out.precision(17);
        out << "{";
        for (auto &one : list)
            out << (&one == &list[0] ? "\n" : ",\n") << " \"" << one.name << "\": [" << one.count
                << ", " << one.sum << "]";
        out << "\n}\n";
    }
};

// A list of aodlike.root.
template <class List> void fillList(List &list, int count, Random &random, Sum &sum, int k) {
    using Value = typename List::value_type;
    list.resize(count);
    for (auto &value : list) {
        double x;
        if constexpr (std::is_floating_point<Value>::value)
            x = rounded(k % 3 == 0   ? random.exponential(20)
                        : k % 3 == 1 ? 5 * random.uniform() - 2.5
                                     : random.normal(),
                        8 + k % 5);
        else
            x = std::floor(random.exponential(k % 2 ? 2 : 9));
        value = (Value)(x > 250 ? 250 : x);
        sum.add((double)value);
    }
}

// A branch of numbers, or of lists with the length that the column `counter` has.
struct Column {
    Sum sum;
    char type;
    int counter = -1; // -1: one value an entry
    int kind;
    double a, b, c;
    Random random;
    double last = 0; // of an increasing column
    std::vector<char> buffer = std::vector<char>(8 * 256);

    explicit Column(const std::string &name) : sum{name}, random(name) {}

    static int kindOf(const std::string &name) {
        static const char *names[] = {"bool", "exp",  "uni", "gaus", "int", "geom", "pois",
                                      "seq",  "lumi", "pm",  "disc", "pdg", "spt"};
        for (int i = 0; i < 13; ++i)
            if (name == names[i]) return i;
        throw std::runtime_error(name);
    }
    double value(long long entry) {
        switch (kind) {
        case 0: return random.uniform() < a ? 1 : 0;
        case 1: return rounded(random.exponential(a), (int)c);
        case 2: return rounded(a + (b - a) * random.uniform(), (int)c);
        case 3: return rounded(a + b * random.normal(), (int)c);
        case 4: return std::floor(a + (b - a) * random.uniform());
        case 5: return std::min(120., std::floor(std::log(random.uniform()) / std::log(1 - a)));
        case 6: return std::min(250, random.poisson(a));
        case 7: last += 1 + std::floor(a * random.uniform()); return b + last;
        case 8: return b + std::floor(entry / a);
        case 9: return random.next() & 1 ? 1 : -1;
        case 10: {
            // The output of a classifier: -1 for some, else near 0 or near 1.
            double x = random.uniform(), y = random.uniform();
            if (x < .15) return -1;
            return rounded(x < .75 ? y * y * y : 1 - y * y * y, (int)c);
        }
        case 11: {
            static const int codes[] = {11, -11, 13, -13, 22, 22,  22,  1,    2,   -1,  -2,  21,
                                        21, 21,  5,  -5,  15, -15, 211, -211, 111, 130, 310, 2212};
            return codes[random.next() % 24];
        }
        default: return rounded(random.exponential(a) + 5, (int)c);
        }
    }
    template <class T> void put(int i, double value) {
        ((T *)buffer.data())[i] = (T)value;
        sum.add((double)(T)value);
    }
    void fill(long long entry, int count) {
        if (buffer.size() < (size_t)(count + 1) * 8) throw std::runtime_error(sum.name);
        std::vector<double> values(count);
        for (auto &one : values)
            one = value(entry);
        if (kind == 12) std::sort(values.rbegin(), values.rend());
        for (int i = 0; i < count; ++i) {
            double v = values[i];
            switch (type) {
            case 'O':
            case 'b': put<uint8_t>(i, v); break;
            case 'S': put<int16_t>(i, v); break;
            case 'I': put<int32_t>(i, v); break;
            case 'i': put<uint32_t>(i, v); break;
            case 'L': put<int64_t>(i, v); break;
            case 'l': put<uint64_t>(i, v); break;
            case 'D': put<double>(i, v); break;
            case 'F': put<float>(i, v); break;
            default: throw std::runtime_error(sum.name);
            }
        }
    }
};

// Writes a tree. `text` has a line for each column, as columns.py lists them; `autoFlush` is that
// of TTree::SetAutoFlush, and `basket` the size of the buffer of each branch in bytes.
void flat(const char *text, const char *out, const char *sumFile, const char *name,
          const char *title, long long entries, int compression, long long autoFlush, int basket) {
    std::vector<std::unique_ptr<Column>> columns;
    std::map<std::string, int> places;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string column, type, counter, kind;
        double a, b, c;
        words >> column >> type >> counter >> kind >> a >> b >> c;
        auto one = std::make_unique<Column>(column);
        one->type = type[0];
        one->kind = Column::kindOf(kind);
        one->a = a;
        one->b = b;
        one->c = c;
        one->counter = counter == "-" ? -1 : places.at(counter);
        places[column] = columns.size();
        columns.push_back(std::move(one));
    }
    TFile file(out, "RECREATE", "", compression);
    auto tree = new TTree(name, title);
    tree->SetAutoFlush(autoFlush);
    tree->SetAutoSave(0);
    for (auto &one : columns) {
        std::string leaf = one->sum.name;
        if (one->counter >= 0) leaf += "[" + columns[one->counter]->sum.name + "]";
        leaf += std::string("/") + one->type;
        tree->Branch(one->sum.name.c_str(), one->buffer.data(), leaf.c_str(), basket);
    }
    for (long long entry = 0; entry < entries; ++entry) {
        for (auto &one : columns) {
            bool isList = one->counter >= 0;
            one->fill(entry, isList ? *(int32_t *)columns[one->counter]->buffer.data() : 1);
        }
        tree->Fill();
    }
    file.cd();
    tree->Write("", TObject::kOverwrite);
    file.Close();
    Sums sums("");
    for (auto &one : columns)
        sums.list.push_back(one->sum);
    sums.write(sumFile);
}

// Numbers of a tree that was written.
struct Described {
    long long branches = 0, baskets = 0, bytes = 0, clusters = 0;
};
inline void describeBranches(TObjArray *list, Described &described) {
    for (auto one : *list) {
        auto branch = (TBranch *)one;
        auto below = branch->GetListOfBranches();
        if (below->GetEntriesFast())
            describeBranches(below, described);
        else
            described.branches++;
        described.baskets += branch->GetWriteBasket();
    }
}
inline Described describe(TTree *tree) {
    Described described;
    describeBranches(tree->GetListOfBranches(), described);
    described.bytes = tree->GetTotBytes();
    auto clusters = tree->GetClusterIterator(0);
    while (clusters() < tree->GetEntries())
        described.clusters++;
    return described;
}

} // namespace bench
