/* Shared by fields.c and threat.c: tables with a border on all sides, and Dial's buckets. */
#ifndef ENFILADE_FIELDS_H
#define ENFILADE_FIELDS_H

#include "kernel.h"

#define LANES 8
#define NO_STEP 0xFFFF
#define MAX_COST 0xFFFE
#define NO_DIRECTION 255
#define STOP 1
#define NO_END 2
#define MAX_STATES 16

/* Return 2 * (row is odd) + (column is odd), counted on the board without the border. */
static inline int32_t parity_of(int32_t index, int32_t stride)
{
    int32_t row = index / stride - 1, column = index % stride - 1;
    return 2 * (row & 1) + (column & 1);
}

/* Set the offsets from an index to the next along each lane. */
static inline void lane_offsets(int32_t stride, int32_t offsets[LANES])
{
    const int32_t around[LANES] = {-stride - 1, -stride, -stride + 1, -1, stride - 1, stride, stride + 1, 1};
    for (int lane = 0; lane < LANES; lane++)
        offsets[lane] = around[lane];
}

static inline int lowest_bit(uint32_t bits)
{
#ifdef __GNUC__
    return __builtin_ctz(bits);
#else
    int bit = 0;
    while (!(bits >> bit & 1))
        bit++;
    return bit;
#endif
}

/* Dial's buckets: nodes waiting to be settled, in one list for each cost modulo a power of two that is greater
 * than the costliest step. A node enters once for each time it becomes cheaper; stale entries are recognized
 * by their cost. */
typedef struct {
    int32_t node, older; /* the entry below it in its bucket, or -1 */
} waiting_node;

typedef struct {
    int32_t *heads; /* per bucket the newest entry, or -1 */
    waiting_node *entries;
    int32_t count, waiting, mask;
} buckets;

int buckets_open(buckets *b, int32_t max_entries, int32_t max_step);
void buckets_close(buckets *b);

static inline void buckets_add(buckets *b, int32_t cost, int32_t node)
{
    int32_t *head = &b->heads[cost & b->mask];
    b->entries[b->count] = (waiting_node){node, *head};
    *head = b->count++;
    b->waiting++;
}

/* Return the next node at a cost, or -1 if its bucket is empty. */
static inline int32_t buckets_take(buckets *b, int32_t cost)
{
    int32_t *head = &b->heads[cost & b->mask], entry = *head;
    if (entry < 0)
        return -1;
    *head = b->entries[entry].older;
    b->waiting--;
    return b->entries[entry].node;
}

/* Empty the bucket of a cost and return its newest entry, or -1. */
static inline int32_t buckets_take_all(buckets *b, int32_t cost)
{
    int32_t *head = &b->heads[cost & b->mask], entry = *head;
    *head = -1;
    return entry;
}

/* Fill in `totals` (NO_STEP everywhere on entry). b->entries[0 .. b->count) then holds every index reached, some
 * more than once. */
void search_from(buckets *b, int32_t stride, const uint16_t *costs, const uint8_t *flags, int32_t start,
                int32_t limit, uint16_t *totals);

#endif
