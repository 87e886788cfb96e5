#include "block_plan.h"

#include <math.h>

#include "packed_units.h"

/* An entry where units end, and how many lists have one there. */
typedef struct {
    double end;
    uint32_t lists;
} vote;

/* Votes by their entry: a hash table with room for twice as many as there can be. */
typedef struct {
    vote *slots;
    uint64_t mask;
} votes;

/* First unit whose entries, counted to `plus`, reach `entry`. */
static uint32_t first_reaching(const xy_unit_list *s, const double *plus, double entry) {
    uint32_t low = 0, high = s->units;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->first[middle] + plus[middle] >= entry)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void add_vote(votes *all, double end) {
    uint64_t bits;
    memcpy(&bits, &end, sizeof bits);
    uint64_t at = (bits * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    while (all->slots[at & all->mask].lists && all->slots[at & all->mask].end != end)
        at++;
    vote *own = &all->slots[at & all->mask];
    own->end = end;
    own->lists++;
}

/* Ends of units of a list between two entries, both included. */
static uint32_t ends_between(const xy_unit_list *s, double least, double most, votes *all) {
    uint32_t count = 0;
    for (uint32_t i = first_reaching(s, s->to, least); i < s->units; i++, count++) {
        double end = s->first[i] + s->to[i];
        if (!(end <= most)) break;
        if (all) add_vote(all, end);
    }
    return count;
}

/*
 * Where all branches end a unit, else where most of them do in the second half of the block. The
 * only unit of a branch is read once, wherever blocks end, so it does not count.
 */
static bool find_end(const xy_unit_list *lists, int64_t n, const xy_block_limits *limits,
                     double *end) {
    double from = limits->from, most = from + limits->length;
    double least = from + ceil(limits->length / 2),
           furthest = from + limits->growth * limits->length;
    if (limits->to - from <= limits->length) {
        *end = limits->to;
        return true;
    }
    uint32_t several = 0;
    uint64_t ends = 0, room = 2;
    for (int64_t k = 0; k < n; k++) {
        if (lists[k].units < 2) continue;
        several++;
        ends += ends_between(&lists[k], least, furthest, NULL);
    }
    while (room < 2 * ends)
        room *= 2;
    votes all = {xy_new(room, sizeof(vote)), room - 1};
    if (!all.slots) return false;
    for (int64_t k = 0; k < n; k++)
        if (lists[k].units >= 2) ends_between(&lists[k], least, furthest, &all);
    uint32_t best = 0;
    double cluster = INFINITY;
    *end = most;
    for (uint64_t i = 0; i < room; i++) {
        const vote *own = &all.slots[i];
        if (!own->lists) continue;
        if (own->end > most) {
            if (own->lists == several) cluster = fmin(cluster, own->end);
        } else if (own->lists > best || (own->lists == best && own->end > *end)) {
            best = own->lists;
            *end = own->end;
        }
    }
    if (best < several && cluster < INFINITY) *end = cluster;
    free(all.slots);
    return true;
}

/* Chooses the units of each list that begin between what it needs and the end of the block. */
static void choose_units(const xy_unit_list *lists, int64_t n, const double *starts, double end,
                         xy_block_plan *out) {
    double before = 0;
    for (int64_t k = 0; k < n; k++) {
        const xy_unit_list *s = &lists[k];
        uint32_t at = first_reaching(s, s->from, starts[k]);
        uint32_t last = first_reaching(s, s->from, end);
        double own_end = at < last ? s->first[last - 1] + s->to[last - 1] : starts[k];
        xy_append(&out->ends, &own_end, sizeof own_end);
        for (; at < last; at++) {
            double number = before + at;
            xy_append(&out->chosen, &number, sizeof number);
        }
        out->cut |= last == s->units;
        before += s->units;
    }
}

void xy_block_plan_free(xy_block_plan *block) {
    xy_buffer_free(&block->chosen);
    xy_buffer_free(&block->ends);
}

xy_status xy_block_plan_make(xy_error *err, const double *packed, size_t packed_count,
                             const double *starts, size_t start_count,
                             const xy_block_limits *limits, xy_block_plan *out) {
    uint64_t units;
    int64_t n = xy_count_unit_lists(packed, packed_count, &units);
    if (n < 0 || (uint64_t)n != start_count)
        return xy_fail(err, XY_E_ARGUMENT, 0, "units that are not packed as they should be");
    xy_unit_list *lists = xy_new((uint64_t)n + 1, sizeof *lists);
    const double *at = packed;
    for (int64_t k = 0; lists && k < n; k++)
        xy_take_unit_list(&at, packed + packed_count, &lists[k]);
    double end;
    bool here = lists && find_end(lists, n, limits, &end);
    if (here) choose_units(lists, n, starts, end, out);
    free(lists);
    here = here && !out->chosen.failed && !out->ends.failed;
    return here ? XY_OK : xy_fail(err, XY_E_MEMORY, 0, "no memory for a plan of reading");
}
