/* Exact tapes: what writing an object again needs besides the values that a viewer shows.
 *
 * Where xy_run.exact is set, an object that cannot be decoded to its end is a failure, and the tape
 * has these members more, whose names begin with "$" as no member's name does:
 *
 *   $version, $version:BASE    version of the object's header, or of that of its base class, where
 * it is not the newest layout that the file describes: 16 bits, and flags $checksum, $checksum:BASE
 * of the layout, where the header has one $head:MEMBER               header of a collection where
 * it is not the usual one: four doubles, XY_HEAD_* flags, version, and of the elements version and
 * checksum. In a member-wise collection it stands in the first element. $pid, $pid:MEMBER number of
 * the process id of an object that TRefs refer to $value                     value of an object
 * that is no OBJECT on the tape: a TArrayD $class, $rest, $basket     of a TClonesArray its class
 * and version, and of an empty one the bytes after its head; the whole of a TBasket
 *
 * ROOT's collections have fUniqueID, fBits and fLowerBound, a TRefArray fPID. */
#ifndef XY_EXACT_H
#define XY_EXACT_H

#include "run.h"

/* Flags of $version: no byte count; marked as member-wise. */
enum { XY_NO_COUNT = 0x10000, XY_MEMBERWISE = 0x20000 };
enum { XY_HEAD_NO_COUNT = 1, XY_HEAD_MEMBERWISE = 2 };

/* The version of TStreamerInfo, which headers of collections have. */
enum { XY_COLLECTION_VERSION = 9 };

/* The layout of an OBJECT that is written unless a mark says otherwise; -1 when there is none. */
int32_t xy_newest_layout(const xy_program *program, const xy_node *object);
/* "$KIND" or "$KIND:NAME" in `text`; returns its length. Names are cut at the buffer's end. */
size_t xy_mark_name(char *text, size_t size, const char *kind, const char *name);

/* Puts the header of an object, or of its base class, on the tape where it is not `usual`. */
void xy_put_version(xy_run *run, const xy_head *head, int32_t usual, const char *base);
/* Puts the mark of the member that was just read on the tape, and forgets it. */
void xy_put_mark(xy_run *run, const char *member);
/* fUniqueID, fBits and $pid. */
void xy_put_tobject(xy_run *run, uint32_t id, uint32_t bits, uint16_t pid);
/* Whether objects of a node stand on the tape as an OBJECT of this class with their id. */
bool xy_names_itself(const xy_program *program, int32_t node, xy_str name);

#endif
