/* Threat: where enemies can strike once they have moved. The reference is python_fields.py. */
#include "fields.h"

#include <stdlib.h>
#include <string.h>

/* Cells marked with the number of the enemy (or of the blow) last seen there, so nothing is cleared. */
typedef struct {
    int32_t stride, cells, is_single, offsets[LANES];
    const int32_t *footprint;
    const uint8_t *blows;
    int32_t *struck;  /* per place, the last enemy that strikes it */
    int32_t *blow;    /* per place, the last blow that came by */
    int32_t *edge;    /* the places a blow has come to, nearest first */
    int32_t enemy, number;
} striker;

static void hit(striker *s, int32_t place, uint16_t *counts)
{
    if (s->struck[place] != s->enemy) {
        s->struck[place] = s->enemy;
        counts[place]++;
    }
}

/* The same for one cell and one step, which is what nearly everybody strikes. */
static inline void blow_beside(striker *s, int32_t at, uint16_t *counts)
{
    for (uint32_t lanes = s->blows[at]; lanes; lanes &= lanes - 1)
        hit(s, at + s->offsets[lowest_bit(lanes)], counts);
}

/* One blow from one standing place, `reach` steps far. */
static void blow_from(striker *s, int32_t at, int32_t reach, uint16_t *counts)
{
    const int32_t *filled = s->footprint + s->cells * parity_of(at, s->stride);
    int32_t first = 0, last = 0;
    s->number++;
    for (int32_t i = 0; i < s->cells; i++) {
        int32_t place = at + filled[i];
        s->blow[place] = s->number;
        s->edge[last++] = place;
        if (reach == 0)
            hit(s, place, counts);
    }
    for (int32_t step = 0; step < reach; step++)
        for (int32_t until = last; first < until; first++)
            for (int lane = 0; lane < LANES; lane++) {
                int32_t there = s->edge[first] + s->offsets[lane];
                if (!(s->blows[s->edge[first]] >> lane & 1) || s->blow[there] == s->number)
                    continue;
                s->blow[there] = s->number;
                s->edge[last++] = there;
                hit(s, there, counts);
            }
}

static void strike_all(striker *s, buckets *b, const uint8_t *flags, int32_t start, int32_t reach,
                       uint16_t *spent, uint16_t *counts)
{
    for (int32_t i = 0; i < b->count; i++) {
        int32_t place = b->entries[i].node;
        if (spent[place] == NO_STEP)
            continue; /* seen already */
        spent[place] = NO_STEP;
        if (place != start && flags[place] & NO_END)
            continue;
        if (s->is_single && reach == 1)
            blow_beside(s, place, counts);
        else
            blow_from(s, place, reach, counts);
    }
}

EXPORT int32_t enfilade_threat(int32_t stride, int32_t size, const uint16_t *costs, int32_t dearest,
                               const uint8_t *flags, int32_t cells, const int32_t *footprint,
                               const uint8_t *blows, int32_t enemies, const int32_t *moves, uint16_t *counts)
{
    buckets b;
    striker s = {stride, cells, cells == 1, {0}, footprint, blows, NULL, NULL, NULL, 0, 0};
    uint16_t *spent = malloc(sizeof(uint16_t) * (size_t)size);
    s.struck = calloc((size_t)size * 3, sizeof(int32_t));
    if (!spent || !s.struck || buckets_open(&b, LANES * size + 1, dearest) != DONE) {
        free(spent);
        free(s.struck);
        return OUT_OF_MEMORY;
    }
    s.blow = s.struck + size;
    s.edge = s.blow + size;
    lane_offsets(stride, s.offsets);
    memset(spent, 0xFF, sizeof(uint16_t) * (size_t)size);
    memset(counts, 0, sizeof(uint16_t) * (size_t)size);
    for (const int32_t *m = moves; m < moves + 3 * (int64_t)enemies; m += 3) {
        s.enemy++;
        b.count = 0; /* every bucket is empty again */
        flood_from(&b, stride, costs, flags, m[0], m[1], spent);
        strike_all(&s, &b, flags, m[0], m[2], spent, counts);
    }
    buckets_close(&b);
    free(spent);
    free(s.struck);
    return DONE;
}
