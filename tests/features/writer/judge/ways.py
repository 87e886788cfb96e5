"""The ways in which files are written anew, and what of a product is the same as of its source."""
import random
from dataclasses import dataclass


@dataclass
class Way:
    words: list  # of the command line; IN and OUT are files
    times: int = 1  # how often the source is in the product
    all_entries: bool = True
    all_branches: bool = True
    keeps_objects: bool = True  # other objects are the same
    moves_entries: bool = False  # to other baskets: pointers in them change
    true_clusters: bool = False  # clusters begin where baskets of all branches begin, if there are such places
    one_tree: bool = False  # TREE and what else is chosen by chance
    of: str = "all"  # "all": these files, "trees": those with a tree of some entries


WAYS = {
    "skim": Way(["skim", "IN", "OUT"]),
    "clusters": Way(["heal", "IN", "OUT", "--level", "clusters"], true_clusters=True),
    "order": Way(["heal", "IN", "OUT", "--level", "order"], true_clusters=True),
    "rebasket": Way(["heal", "IN", "OUT", "--level", "rebasket"], true_clusters=True, moves_entries=True),
    "small": Way(
        ["heal", "IN", "OUT", "--level", "rebasket", "--cluster-bytes", "20kB"], true_clusters=True, moves_entries=True
    ),
    "zstd": Way(["skim", "IN", "OUT", "--codec", "zstd:5"]),
    "lz4": Way(["heal", "IN", "OUT", "--codec", "lz4:4"], true_clusters=True),
    "lzma": Way(["skim", "IN", "OUT", "--codec", "lzma:3"]),
    "none": Way(["heal", "IN", "OUT", "--level", "rebasket", "--codec", "none"], true_clusters=True, moves_entries=True),
    "branches": Way(
        ["skim", "IN", "OUT", "--tree", "TREE", "--no-objects", "--branches", "BRANCHES"],
        all_branches=False, keeps_objects=False, one_tree=True,
    ),
    "entries": Way(
        ["skim", "IN", "OUT", "--tree", "TREE", "--no-objects", "--entries", "RANGE"],
        all_entries=False, keeps_objects=False, moves_entries=True, one_tree=True,
    ),
    "cut": Way(
        ["skim", "IN", "OUT", "--tree", "TREE", "--no-objects", "--cut", "CUT"],
        all_entries=False, keeps_objects=False, moves_entries=True, one_tree=True,
    ),
    "salvage": Way(["salvage", "IN", "OUT"]),
    "merge": Way(["merge", "OUT", "IN", "IN"], times=2, keeps_objects=False, true_clusters=True, all_entries=False),
    "filter": Way(
        ["merge", "OUT", "IN", "IN", "--schema", "filter", "--verify"], times=2, keeps_objects=False, true_clusters=True,
        all_entries=False,
    ),
    "rntuple": Way(["skim", "IN", "OUT", "--to", "rntuple"]),
}


def chosen(way, name, trees):
    """
    A tree, a range or a cut of its entries and a third of its branches, by chance that is the same each time. `trees` are
    paths, entries and names of branches. Gives the words, and the choice as root_server.py takes it; None without a tree.
    """
    trees = [tree for tree in trees if tree[1] > 0 and tree[2] and tree[0].isascii()]
    if not trees:
        return None
    dice = random.Random(name)
    path, entries, branches = dice.choice(trees)
    first = dice.randrange(entries)
    last = dice.randrange(first, entries) + 1
    third = dice.sample(branches, max(1, len(branches) // 3))
    words = {
        "TREE": path,
        "RANGE": f"{first}:{last}",
        "CUT": "Entry$%3==1",
        "BRANCHES": ",".join(third),
    }
    choice = {"RANGE": [first, last, 1, 0, -1], "CUT": [0, -1, 3, 1, -1]}
    for word in way.words:
        if word in choice:
            return words, path, choice[word]
    return words, path, None
