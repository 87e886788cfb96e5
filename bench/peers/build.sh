#!/bin/sh
# Builds the other readers in C++ and Go: sh bench/peers/build.sh [ROOT]
# ROOT is a folder with include/ and lib/ of ROOT; default: root-config, or the package "root" of ORACLE_PYTHON or python3.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/../../build/peers
mkdir -p "$out"
root=${1:-$(root-config --prefix 2>/dev/null || "${ORACLE_PYTHON:-python3}" -c \
    'import importlib.util as i; print(i.find_spec("ROOT").submodule_search_locations[0])')}
libs='-lCore -lRIO -lTree -lTreePlayer -lNet -lHist -lMathCore -lPhysics -lROOTDataFrame -lROOTNTuple -lImt -lROOTVecOps'
for name in sums_root draw_rdf selectors_rdf; do
    # shellcheck disable=SC2086
    g++ -O3 -march=native -std=c++17 -pthread -I"$root/include" "$here/$name.cpp" -o "$out/$name" \
        -L"$root/lib" $libs -Wl,-rpath,"$root/lib" -Wl,--unresolved-symbols=ignore-in-shared-libs
done
deflate=$here/../../wasm/vendor/libdeflate-sys/libdeflate
for name in deflate_decompress zlib_decompress adler32 utils arm/cpu_features x86/cpu_features; do
    gcc -O3 -march=native -I"$deflate" -c "$deflate/lib/$name.c" -o "$out/$(echo $name | tr / _).o"
done
g++ -O3 -march=native -std=c++17 -I"$deflate" "$here/inflate.cpp" "$out"/*.o -o "$out/inflate"
if command -v go >/dev/null; then
    cp -r "$here/groot" "$out/groot.src"
    (cd "$out/groot.src" && go mod tidy && go build -o "$out/groot" .)
else
    echo 'groot was left out: there is no go'
fi
