"""How what ROOT reads of a product (root_digest.h) differs from what it reads of the source."""

import re

# All at once; one by one where ROOT cannot read the source so.
READINGS = ("get", "values", "objects", "places")


class Reading:
    """The lines of one reading, by trees and objects."""

    def __init__(self, answer):
        self.status, self.messages = answer["status"], answer["messages"]
        self.faults, self.unread, self.clusters, self.baskets = [], [], {}, {}
        # By path, cycle and, for what belongs to a branch, its name.
        self.read, self.values, self.objects, self.bytes = {}, {}, {}, {}
        for kind, *words in answer["lines"]:
            if kind == "recovered" and words[0] != "0":
                self.faults.append("ROOT had to recover the file")
            elif kind == "fault":
                self.faults.append(words[0])
            elif kind == "unread":
                self.unread.append(words[0])
            elif kind == "basket":
                self.baskets[int(words[0])] = int(words[1])
            elif kind in ("read", "values", "object", "bytes", "clusters"):
                key, rest = (words[0], int(words[1])), words[2:]
                if kind == "read":
                    self.read[key] = rest
                elif kind == "clusters":
                    self.clusters[key] = [int(word) for word in rest]
                else:
                    table = {"values": self.values, "object": self.objects, "bytes": self.bytes}[kind]
                    table[(*key, rest[0])] = rest[1:]

    @property
    def ok(self):
        return self.status == "ok"


def stable(first, second):
    """
    A reading with None for the objects and values that are others in a second one: some classes without a dictionary show
    memory that was never written.
    """
    for table, other in ((first.objects, second.objects), (first.values, second.values)):
        for key, value in table.items():
            if other.get(key) != value:
                table[key] = None
    return first


def same_cycle(key, before, after):
    """The cycle of the source that a tree or object of the product is. A product may have the newest alone."""
    path, cycle, *rest = key
    own = {other[1] for other in after if other[0] == path}
    known = {other[1] for other in before if other[0] == path}
    if not known:
        return None
    return (path, cycle if len(own) > 1 and cycle in known else max(known), *rest)


def differences(reading, source, product, way):
    """
    Texts, of one way of reading; `way` is of ways.py. Where ROOT cannot read the source so, nothing is known.
    """
    if not source.ok:
        return
    if not product.ok:
        yield f"{reading}: ROOT ends with {product.status}, but not with the source"
        return
    for fault in product.faults:
        if fault not in source.faults:
            yield fault
    for path in product.unread:
        if path not in source.unread:
            yield f"{path} cannot be read"
    misread = any("CheckByteCount" in text or "wrong version" in text for text in source.messages)
    for text, count in product.messages.items():
        # What ROOT reads beside the bytes of an object depends on what was in memory before.
        if misread and "TBufferFile::" in text:
            continue
        if count > source.messages.get(text, 0):
            yield f"{reading}: {count} times (source {source.messages.get(text, 0)}): {text}"
    does = READINGS if reading == "all" else (reading,)
    if does != ("places",):
        yield from tree_differences(source, product, way)
    for one in ("values", "objects"):
        if one in does and not misread:
            yield from branch_differences(one, source, product, way)
    if "objects" in does and way.keeps_objects:
        yield from object_differences(source, product)
    if "places" in does:
        yield from place_differences(source, product, way)


def tree_differences(source, product, way):
    for path in {path for path, _ in source.read} - {path for path, _ in product.read}:
        yield f"{path} is missing"
    for key, (name, entries, total, sums, _) in product.read.items():
        before = source.read.get(same_cycle(key, source.read, product.read))
        if before is None:
            yield f"{key[0]};{key[1]} is not in the source"
            continue
        # ROOT cannot read all entries of the source.
        if int(before[4]) > 0:
            continue
        if way.all_branches and [name, entries, total, sums] != before[:4]:
            yield f"{key[0]};{key[1]}: GetEntry gives {[name, entries, total, sums]}, of the source {before[:4]}"
        elif entries != before[1]:
            yield f"{key[0]};{key[1]} has {entries} entries, the source {before[1]}"


def failed_trees(source):
    """Trees of which ROOT cannot read all entries."""
    return {path for (path, _), read in source.read.items() if int(read[4]) > 0}


def empty_baskets(source):
    """
    Branches with baskets without entries (uproot-issue-750.root): ROOT looks for an entry in the empty one of two that begin
    with it, and shows what it read before. A product does not have them.
    """
    return {found[1] for text in source.faults if (found := re.match(r"basket \d+ of (.*) begins at entry", text))}


def branch_differences(reading, source, product, way):
    before, after = (source.values, product.values) if reading == "values" else (source.objects, product.objects)
    failed = failed_trees(source)
    for key, found in after.items():
        if key[2] == "" or key[0] in failed or key[2] in empty_baskets(source):
            continue
        wanted = before.get(same_cycle(key, source.read, product.read))
        if None not in (wanted, found) and wanted != found:
            yield f"{key[0]};{key[1]}: branch {key[2]}: other {reading} ({found[:-1]}, in the source {wanted[:-1]})"
    if not way.all_branches:
        return
    newest = {same_cycle(key, source.read, product.read): key for key in product.read}
    for path, cycle, branch in before:
        own = newest.get((path, cycle))
        if branch and own and (*own, branch) not in after:
            yield f"{path};{cycle}: branch {branch} has no {reading}"


def object_differences(source, product):
    kept = {key: value for key, value in source.objects.items() if key[2] == ""}
    own = {key: value for key, value in product.objects.items() if key[2] == ""}
    for path in {key[0] for key in kept} - {key[0] for key in own}:
        yield f"{path} is missing"
    for key, found in own.items():
        wanted = kept.get(same_cycle(key, kept, own))
        if None not in (wanted, found) and wanted != found:
            yield f"{key[0]};{key[1]} is another object"


def place_differences(source, product, way):
    for key, (number, wrong, common) in product.clusters.items():
        before = source.clusters.get(same_cycle(key, source.clusters, product.clusters))
        if way.true_clusters and wrong and before and before[2] > 1:
            yield f"{key[0]};{key[1]}: {wrong} of {number} clusters begin inside baskets; {common} places do not"
    if not way.all_entries:
        return
    failed = failed_trees(source)
    for key, (points, entries, count, data) in product.bytes.items():
        before = source.bytes.get(same_cycle(key, source.bytes, product.bytes))
        if before is None or (way.moves_entries and points == "1"):
            continue
        if entries != before[1]:
            yield f"{key[0]};{key[1]}: branch {key[2]} has {entries} entries, in the source {before[1]}"
        # ROOT does not read the last basket of a branch that claims a length for it, though it is in the tree's record
        # (treeformula__stl__AthenaCrossSection.root); other readers do.
        elif key[0] in failed and int(count) > int(before[2]):
            continue
        elif before[2] != "0" and [count, data] != before[2:]:
            yield f"{key[0]};{key[1]}: branch {key[2]}: {count} bytes of entries, in the source {before[2]}" + (
                "" if count != before[2] else " others"
            )
