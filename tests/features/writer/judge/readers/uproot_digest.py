"""Reads a file with uproot: uproot_digest.py FILE; prints a JSON object, from "TREE BRANCH" to a digest of all values."""
import hashlib
import json
import sys

import awkward
import uproot


def main():
    digests = {}
    with uproot.open(sys.argv[1]) as file:
        for path, name in file.classnames(cycle=False).items():
            if name not in ("TTree", "TNtuple") and "RNTuple" not in name:
                continue
            tree = file[path]
            for branch in tree.keys(recursive="RNTuple" not in name):
                try:
                    values = tree[branch].array(library="ak")
                    form, length, parts = awkward.to_buffers(awkward.to_packed(values))
                except Exception:
                    continue
                digest = hashlib.sha1(form.to_json().encode())
                for part in sorted(parts):
                    digest.update(parts[part].tobytes())
                digests[f"{path} {branch}"] = f"{length} {digest.hexdigest()}"
    print(json.dumps(digests))


if __name__ == "__main__":
    main()
