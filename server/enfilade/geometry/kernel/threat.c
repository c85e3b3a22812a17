/* Threat: the cells that enemies can attack after a move. The reference is python_fields.py. */
#include "fields.h"

#include <stdlib.h>
#include <string.h>

/* Indexes marked with the number of the last enemy (or attack) there, so no table needs to be cleared. */
typedef struct {
    int32_t stride, cells, is_single, offsets[LANES];
    const int32_t *footprint;
    const uint8_t *lanes;
    int32_t *attacked;  /* per index, the last enemy that attacks it */
    int32_t *attack;    /* per index, the last attack that reached it */
    int32_t *edge;    /* the indexes an attack has reached, nearest first */
    int32_t enemy, number;
} attack_search;

static void hit(attack_search *s, int32_t index, uint16_t *counts)
{
    if (s->attacked[index] != s->enemy) {
        s->attacked[index] = s->enemy;
        counts[index]++;
    }
}

/* The fast path for one cell and a reach of one step, the most common attacker. */
static inline void attack_adjacent(attack_search *s, int32_t at, uint16_t *counts)
{
    for (uint32_t bits = s->lanes[at]; bits; bits &= bits - 1)
        hit(s, at + s->offsets[lowest_bit(bits)], counts);
}

/* One attack from one position, `reach` steps far. */
static void attack_from(attack_search *s, int32_t at, int32_t reach, uint16_t *counts)
{
    const int32_t *filled = s->footprint + s->cells * parity_of(at, s->stride);
    int32_t first = 0, last = 0;
    s->number++;
    for (int32_t i = 0; i < s->cells; i++) {
        int32_t index = at + filled[i];
        s->attack[index] = s->number;
        s->edge[last++] = index;
        if (reach == 0)
            hit(s, index, counts);
    }
    for (int32_t step = 0; step < reach; step++)
        for (int32_t until = last; first < until; first++)
            for (int lane = 0; lane < LANES; lane++) {
                int32_t there = s->edge[first] + s->offsets[lane];
                if (!(s->lanes[s->edge[first]] >> lane & 1) || s->attack[there] == s->number)
                    continue;
                s->attack[there] = s->number;
                s->edge[last++] = there;
                hit(s, there, counts);
            }
}

static void attack_all(attack_search *s, buckets *b, const uint8_t *flags, int32_t start, int32_t reach,
                       uint16_t *totals, uint16_t *counts)
{
    for (int32_t i = 0; i < b->count; i++) {
        int32_t index = b->entries[i].node;
        if (totals[index] == NO_STEP)
            continue; /* seen already */
        totals[index] = NO_STEP;
        if (index != start && flags[index] & NO_END)
            continue;
        if (s->is_single && reach == 1)
            attack_adjacent(s, index, counts);
        else
            attack_from(s, index, reach, counts);
    }
}

EXPORT int32_t enfilade_threat(int32_t stride, int32_t size, const uint16_t *costs, int32_t max_step,
                               const uint8_t *flags, int32_t cells, const int32_t *footprint,
                               const uint8_t *lanes, int32_t enemies, const int32_t *moves, uint16_t *counts)
{
    buckets b;
    attack_search s = {stride, cells, cells == 1, {0}, footprint, lanes, NULL, NULL, NULL, 0, 0};
    uint16_t *totals = malloc(sizeof(uint16_t) * (size_t)size);
    s.attacked = calloc((size_t)size * 3, sizeof(int32_t));
    if (!totals || !s.attacked || buckets_open(&b, LANES * size + 1, max_step) != DONE) {
        free(totals);
        free(s.attacked);
        return OUT_OF_MEMORY;
    }
    s.attack = s.attacked + size;
    s.edge = s.attack + size;
    lane_offsets(stride, s.offsets);
    memset(totals, 0xFF, sizeof(uint16_t) * (size_t)size);
    memset(counts, 0, sizeof(uint16_t) * (size_t)size);
    for (const int32_t *m = moves; m < moves + 3 * (int64_t)enemies; m += 3) {
        s.enemy++;
        b.count = 0; /* every bucket is empty again */
        search_from(&b, stride, costs, flags, m[0], m[1], totals);
        attack_all(&s, &b, flags, m[0], m[2], totals, counts);
    }
    buckets_close(&b);
    free(totals);
    free(s.attacked);
    return DONE;
}
