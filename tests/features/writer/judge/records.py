"""The records of a ROOT file, read without ROOT: what lies where, and what refers to it."""
import struct


class Record:
    def __init__(self, data, at):
        self.at = at
        self.nbytes, version, self.objlen, _, self.keylen, self.cycle = struct.unpack_from(">iHiIHh", data, at)
        self.seek, self.parent = struct.unpack_from(">qq" if version > 1000 else ">ii", data, at + 18)
        place = at + (34 if version > 1000 else 26)
        self.class_name, place = text(data, place)
        self.name, place = text(data, place)
        self.title, self.end = text(data, place)

    def kind(self):
        """The class. A directory has one of two names, which the list of keys and the record need not share."""
        return "TDirectory" if self.class_name == "TDirectoryFile" else self.class_name


def text(data, at):
    length = data[at]
    at += 1
    if length == 255:
        (length,) = struct.unpack_from(">i", data, at)
        at += 4
    return data[at : at + length].decode("latin-1"), at + length


def faults_of(path, baskets, knows_all):
    """
    What is wrong with the places of a file, as texts. `baskets` are the places of baskets with their bytes that ROOT read
    in the trees; `knows_all` says that these are all, so that another record is one that nothing refers to.
    """
    with open(path, "rb") as file:
        data = file.read()
    try:
        return list(faults(data, baskets, knows_all))
    except (struct.error, IndexError) as error:
        return [f"a record reaches beyond the file: {error}"]


def faults(data, baskets, knows_all):
    (version, begin) = struct.unpack_from(">ii", data, 4)
    wide = version >= 1000000
    end, free_seek, free_bytes, _, name_bytes, _, _, info_seek, info_bytes = struct.unpack_from(
        ">qqiiiBiqi" if wide else ">iiiiiBiii", data, 12
    )
    if end != len(data):
        yield f"fEND is {end}, the file has {len(data)} bytes"
    records, gaps = {}, {}
    at = begin
    while at < min(end, len(data)):
        (nbytes,) = struct.unpack_from(">i", data, at)
        if nbytes < 0:
            gaps[at] = -nbytes
            at -= nbytes
            continue
        if nbytes < 26 or at + nbytes > end:
            yield f"a record at {at} says that it has {nbytes} bytes"
            break
        record = records[at] = Record(data, at)
        if record.seek != at:
            yield f"a record at {at} says that it lies at {record.seek}"
        at += nbytes
    if at < end or not records:
        yield f"the last record ends at {at}, the file at {end}"
    used = {begin, free_seek, info_seek}
    for name, seek, nbytes in (("free list", free_seek, free_bytes), ("streamer infos", info_seek, info_bytes)):
        if seek == 0 and name == "streamer infos":
            continue
        if seek not in records or records[seek].nbytes != nbytes:
            yield f"there is no record of {nbytes} bytes at {seek}, where the {name} should be"
    free = free_list(data, records.get(free_seek))
    for at, length in gaps.items():
        if (at, at + length - 1) not in free:
            yield f"a gap of {length} bytes at {at} is not in the free list"
    for first, last in free:
        if first < end and first not in gaps:
            yield f"the free list names {first} to {last}, where no gap is"
    directories = [(begin + name_bytes, begin)]
    while directories:
        at, own = directories.pop()
        (kind,) = struct.unpack_from(">h", data, at)
        seeks = struct.unpack_from(">qqq" if kind > 1000 else ">iii", data, at + 18)
        (list_bytes,) = struct.unpack_from(">i", data, at + 10)
        if seeks[0] != own:
            yield f"the directory at {own} says that it lies at {seeks[0]}"
        listing = records.get(seeks[2])
        if listing is None or listing.nbytes != list_bytes:
            yield f"the directory at {own} has no list of keys of {list_bytes} bytes at {seeks[2]}"
            continue
        used.add(seeks[2])
        place = listing.at + listing.keylen
        (count,) = struct.unpack_from(">i", data, place)
        place += 4
        for _ in range(count):
            key = Record(data, place)
            place = key.end
            found = records.get(key.seek)
            if found is None or (found.nbytes, found.kind(), found.name) != (key.nbytes, key.kind(), key.name):
                yield f"key {key.name};{key.cycle} names {key.seek}, where it is not"
                continue
            used.add(key.seek)
            if key.kind() == "TDirectory":
                directories.append((key.seek + found.keylen, key.seek))
    for seek, nbytes in baskets.items():
        found = records.get(seek)
        if found is None or found.nbytes != nbytes:
            yield f"a tree has a basket of {nbytes} bytes at {seek}, where none is"
        used.add(seek)
    if knows_all:
        for at, record in records.items():
            if at not in used and record.class_name != "RBlob":
                yield f"nothing refers to the record of {record.name!r} ({record.class_name}) at {at}"


def free_list(data, record):
    """The free parts of a file: pairs of the first and the last byte."""
    if record is None:
        return []
    parts, at = [], record.at + record.keylen
    while at < record.at + record.nbytes:
        (version,) = struct.unpack_from(">h", data, at)
        # Where the list became shorter while its place was found, the rest of its record is zero.
        if version == 0:
            break
        wide = version > 1000
        parts.append(struct.unpack_from(">qq" if wide else ">ii", data, at + 2))
        at += 18 if wide else 10
    return parts
