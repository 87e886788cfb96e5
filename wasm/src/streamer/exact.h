/* Exact tapes: tapes with the additional data that are needed to write an object again.
 *
 * If xy_run.exact is set, an object that cannot be decoded completely is a failure. The tape has
 * these additional members; their names begin with "$", unlike the names of members:
 *
 *   $version, $version:BASE    version in the header of the object, or of its base class, if it is
 *                              not the newest layout in the file: 16 bits, and flags
 *   $checksum, $checksum:BASE  checksum of the layout, if the header has one
 *   $head:MEMBER               header of a collection, if it is not the usual one: four doubles:
 *                              XY_HEAD_* flags, version, and version and checksum of the elements.
 *                              In a member-wise collection it is in the first element.
 *   $pid, $pid:MEMBER          number of the process id of an object that TRefs refer to
 *   $value                     value of an object that is not an OBJECT on the tape: a TArrayD
 *   $class, $rest              of a TClonesArray: its class and version, and if it is empty the
 *                              bytes after its head
 *   $basket                    the whole bytes of a TBasket
 *
 * ROOT's collections have fUniqueID, fBits and fLowerBound, a TRefArray fPID. */
#ifndef XY_EXACT_H
#define XY_EXACT_H

#include "run.h"

/* Flags of $version: without byte count; marked as member-wise. */
enum { XY_NO_COUNT = 0x10000, XY_MEMBERWISE = 0x20000 };
enum { XY_HEAD_NO_COUNT = 1, XY_HEAD_MEMBERWISE = 2 };

/* Version of TStreamerInfo in the headers of collections. */
enum { XY_COLLECTION_VERSION = 9 };

/* Returns the layout of an OBJECT that is written unless a mark gives another one; -1 if there is
 * none. */
int32_t xy_newest_layout(const xy_program *program, const xy_node *object);
/* Writes "$KIND" or "$KIND:NAME" to `text` and returns its length. Names are cut at the buffer's
 * end. */
size_t xy_mark_name(char *text, size_t size, const char *kind, const char *name);

/* Writes the header of an object, or of its base class, to the tape if it differs from `usual`. */
void xy_put_version(xy_run *run, const xy_head *head, int32_t usual, const char *base);
/* Writes the mark of the member that was just read to the tape, and clears it. */
void xy_put_mark(xy_run *run, const char *member);
/* Writes fUniqueID, fBits and $pid to the tape. */
void xy_put_tobject(xy_run *run, uint32_t id, uint32_t bits, uint16_t pid);
/* Whether the objects of a node are on the tape as an OBJECT of this class with their id. */
bool xy_names_itself(const xy_program *program, int32_t node, xy_str name);

#endif
