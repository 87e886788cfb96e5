"""What ROOT reads of a file (root_digest.h), and how a product differs from its source."""


class Tree:
    def __init__(self):
        self.read, self.clusters, self.branches = None, None, {}


class Digest:
    def __init__(self, reading):
        """`reading` has the lines of root_digest.h, or a text that says what failed, and the depth of reading."""
        lines, self.depth = reading
        self.failed = lines if isinstance(lines, str) else None
        # Trees by their paths and cycles.
        self.trees, self.baskets, self.faults, self.unread = {}, {}, [], []
        tree = None
        for line in lines if self.failed is None else []:
            kind, *words = line.split("\t")
            if kind == "recovered" and words[0] != "0":
                self.faults.append("ROOT had to recover the file")
            elif kind == "tree":
                tree = self.trees.setdefault(words[0], {})[int(words[1])] = Tree()
            elif kind == "read":
                tree.read = words
            elif kind == "clusters":
                tree.clusters = [int(word) for word in words]
            elif kind == "branch":
                tree.branches[words[0]] = words[1:]
            elif kind == "basket":
                self.baskets[int(words[0])] = int(words[1])
            elif kind == "fault":
                self.faults.append(words[0])
            elif kind == "unread":
                self.unread.append(words[0])


def differences(source, product, has_true_clusters):
    """Texts. Older cycles that the product has not are no difference."""
    if source.failed or product.failed:
        return [] if source.failed else [f"ROOT: {product.failed}, but not with the source"]
    found = [fault for fault in product.faults if fault not in source.faults]
    found += [f"{path} cannot be read" for path in product.unread if path not in source.unread]
    for path, cycles in source.trees.items():
        own = product.trees.get(path)
        if own is None:
            found.append(f"{path} is missing")
            continue
        for cycle, tree in own.items():
            before = cycles[cycle if len(own) > 1 else max(cycles)]
            # ROOT cannot read all entries of the source, such as those of a basket in the record of an emulated class.
            if int(before.read[-1]) > 0:
                continue
            # ROOT gives the value before at the number of an empty basket, which products have not.
            broken = any(fault.startswith("basket ") for fault in source.faults)
            found += [f"{path};{cycle}: {text}" for text in tree_differences(before, tree, not broken)]
            number, wrong, common = tree.clusters
            if has_true_clusters and wrong and before.clusters[2] > 1:
                found.append(f"{path};{cycle}: {wrong} of {number} clusters begin inside baskets; {common} places do not")
    return found


def tree_differences(before, after, has_values):
    if before.read != after.read:
        yield f"GetEntry gives {after.read}, of the source {before.read}"
    for name, (entries, count, data, values) in before.branches.items():
        own = after.branches.get(name)
        if own is None:
            yield f"branch {name} is missing"
        elif own[0] != entries:
            yield f"branch {name} has {own[0]} entries, in the source {entries}"
        elif data != "0" and own[1:3] != [count, data]:
            yield f"branch {name}: {own[1]} bytes of entries, in the source {count}" + (
                "" if own[1] != count else " others"
            )
        elif has_values and own[3] != values:
            yield f"branch {name}: values of leaves differ"
