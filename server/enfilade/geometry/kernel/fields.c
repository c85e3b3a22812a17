/* Movement fields. The reference is python_fields.py. */
#include "fields.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

int32_t enfilade_kernel_version(void) { return KERNEL_VERSION; }

int buckets_open(buckets *b, int32_t max_entries, int32_t max_step)
{
    int32_t size = 1;
    while (size <= max_step)
        size *= 2;
    b->mask = size - 1;
    b->heads = malloc(sizeof(int32_t) * (size_t)size + sizeof(waiting_node) * (size_t)max_entries);
    if (!b->heads)
        return OUT_OF_MEMORY;
    memset(b->heads, 0xFF, sizeof(int32_t) * (size_t)size);
    b->entries = (waiting_node *)(b->heads + size);
    b->count = b->waiting = 0;
    return DONE;
}

void buckets_close(buckets *b) { free(b->heads); }

/* ---- walls ---------------------------------------------------------------------------------------- */

static int64_t floor_div(int64_t a, int64_t b) /* b > 0 */
{
    int64_t q = a / b;
    return q - (a % b < 0);
}

/* Whether a wall that lies from `low` to `high` along an axis is off a step from `at` by `step`. */
static inline int is_off(int64_t low, int64_t high, int64_t at, int64_t step)
{
    return step < 0 ? at < low || at + step > high : at + step < low || at > high;
}

/* Return whether the closed step from (x, y) by (dx, dy) touches the closed wall from a side it stops. The step and the
 * wall have boxes that meet. */
static int bars(const int32_t *wall, int64_t x, int64_t y, int64_t dx, int64_t dy)
{
    int64_t x1 = wall[0], y1 = wall[1], x2 = wall[2], y2 = wall[3], wx = x2 - x1, wy = y2 - y1;
    int64_t across = wx * dy - wy * dx;
    if ((wall[4] == 1 && across <= 0) || (wall[4] == 2 && across >= 0))
        return 0;
    int64_t s1 = dx * (y1 - y) - dy * (x1 - x), s2 = dx * (y2 - y) - dy * (x2 - x);
    int64_t s3 = wx * (y - y1) - wy * (x - x1), s4 = wx * (y + dy - y1) - wy * (x + dx - x1);
    return !((s1 > 0 && s2 > 0) || (s1 < 0 && s2 < 0) || (s3 > 0 && s4 > 0) || (s3 < 0 && s4 < 0));
}

/* Return the number of scanlines, which are sorted by y, that are above a height. */
static int32_t lines_above(int32_t line_count, const int32_t *lines, int64_t y)
{
    int32_t first = 0, last = line_count;
    while (first < last) {
        int32_t middle = first + (last - first) / 2;
        if (lines[7 * (int64_t)middle + 5] < y)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

#define MAX_STEP 64 /* no step is longer than this in x or in y */

/* Find the x-range of a wall within a step above and below a height. Returns 0 if there is none. */
static int span_near(const int32_t *wall, int64_t y, int64_t *low, int64_t *high)
{
    int up = wall[1] <= wall[3];
    int64_t x1 = wall[up ? 0 : 2], y1 = wall[up ? 1 : 3], x2 = wall[up ? 2 : 0], y2 = wall[up ? 3 : 1];
    int64_t top = y1 > y - MAX_STEP ? y1 : y - MAX_STEP, bottom = y2 < y + MAX_STEP ? y2 : y + MAX_STEP;
    if (top > bottom)
        return 0;
    int64_t a = x1, b = x2;
    if (y1 != y2) {
        a = floor_div((x2 - x1) * (top - y1), y2 - y1) + x1;
        b = floor_div((x2 - x1) * (bottom - y1), y2 - y1) + x1;
    }
    *low = a < b ? a : b;
    *high = (a < b ? b : a) + (y1 != y2);
    return 1;
}

EXPORT void enfilade_barred_lanes(int32_t line_count, const int32_t *lines, int32_t wall_count,
                              const int32_t *walls, const int32_t *deltas, int32_t stride, uint8_t *table)
{
    for (const int32_t *wall = walls; wall < walls + 5 * (int64_t)wall_count; wall += 5) {
        int64_t top = wall[1] < wall[3] ? wall[1] : wall[3], bottom = wall[1] < wall[3] ? wall[3] : wall[1];
        int64_t left = wall[0] < wall[2] ? wall[0] : wall[2], right = wall[0] < wall[2] ? wall[2] : wall[0];
        const int32_t *line = lines + 7 * (int64_t)lines_above(line_count, lines, top - MAX_STEP);
        for (; line < lines + 7 * (int64_t)line_count && line[5] <= bottom + MAX_STEP; line += 7) {
            int32_t row = line[0], x0 = line[4], y = line[5], pitch = line[6];
            int64_t low, high;
            if (!span_near(wall, y, &low, &high))
                continue;
            int64_t k = -floor_div(x0 - (low - MAX_STEP), pitch), last = floor_div(high + MAX_STEP - x0, pitch);
            if (last > line[3] - 1)
                last = line[3] - 1;
            for (k = k < 0 ? 0 : k; k <= last; k++) {
                int32_t column = line[1] + line[2] * (int32_t)k;
                const int32_t *delta = deltas + 16 * (2 * (row & 1) + (column & 1));
                uint8_t *bits = table + (row + 1) * stride + column + 1;
                int64_t x = x0 + pitch * k;
                for (int lane = 0; lane < LANES; lane++) {
                    int64_t dx = delta[2 * lane], dy = delta[2 * lane + 1];
                    if (is_off(top, bottom, y, dy) || is_off(left, right, x, dx))
                        continue; /* most steps near a wall */
                    if ((dx || dy) && !(*bits >> lane & 1) && bars(wall, x, y, dx, dy))
                        *bits |= 1 << lane;
                }
            }
        }
    }
}

/* ---- the cost of each step ------------------------------------------------------------------------- */

typedef struct {
    int32_t stride, open_corners, offsets[LANES];
    const uint8_t *directions, *barred;
    const uint16_t *points, *enter, *leave;
} weight_input;

static void weigh(const weight_input *s, int32_t index, uint16_t costs[LANES])
{
    static const int is_diagonal[LANES] = {1, 0, 1, 0, 1, 0, 1, 0};
    static const int across[LANES] = {-1, 0, 1, -1, -1, 0, 1, 1}, down[LANES] = {-1, -1, -1, 0, 1, 1, 1, 0};
    const uint8_t *directions = s->directions + LANES * parity_of(index, s->stride);
    for (int lane = 0; lane < LANES; lane++) {
        uint8_t direction = directions[lane];
        costs[lane] = NO_STEP;
        if (direction == NO_DIRECTION || s->barred[index] >> lane & 1 || s->points[direction] == NO_STEP)
            continue;
        if (s->open_corners && is_diagonal[lane]) {
            int open = s->enter[index + across[lane]] > 0;
            open += s->enter[index + down[lane] * s->stride] > 0;
            if (open < s->open_corners)
                continue;
        }
        uint64_t cost = (uint64_t)s->points[direction] * s->leave[index] * s->enter[index + s->offsets[lane]];
        if (0 < cost && cost <= MAX_COST)
            costs[lane] = (uint16_t)cost;
    }
}

/* Weigh the steps from every index or, if `changed` is not NULL, from those indexes alone. */
EXPORT void enfilade_weights(int32_t columns, int32_t rows, const uint8_t *directions, const uint16_t *points,
                             const uint16_t *enter, const uint16_t *leave, const uint8_t *barred,
                             int32_t open_corners, int32_t change_count, const int32_t *changed,
                             uint16_t *table)
{
    weight_input s = {columns + 2, open_corners, {0}, directions, barred, points, enter, leave};
    lane_offsets(s.stride, s.offsets);
    for (int32_t i = 0; i < change_count; i++)
        weigh(&s, changed[i], table + LANES * (int64_t)changed[i]);
    for (int32_t row = 1; !changed && row <= rows; row++)
        for (int32_t index = row * s.stride + 1; index <= row * s.stride + columns; index++)
            weigh(&s, index, table + LANES * (int64_t)index);
}

/* Return the greatest entry of a table of steps; 0 if no step is allowed. */
EXPORT int32_t enfilade_max_step(int32_t count, const uint16_t *table)
{
    uint16_t max_step = 0;
    for (int32_t i = 0; i < count; i++) {
        uint16_t cost = (uint16_t)(table[i] + 1); /* NO_STEP becomes 0 */
        max_step = cost > max_step ? cost : max_step;
    }
    return max_step ? max_step - 1 : 0;
}

/* Set the bits of the cells with an entry from `least` to `most`, each row padded to whole words. */
EXPORT void enfilade_range_bits(int32_t columns, int32_t rows, const uint16_t *table, int32_t least, int32_t most,
                          uint64_t *bits)
{
    for (int32_t row = 0; row < rows; row++) {
        const uint16_t *entries = table + (int64_t)(row + 1) * (columns + 2) + 1;
        for (int32_t first = 0; first < columns; first += 64, bits++) {
            int32_t count = columns - first < 64 ? columns - first : 64;
            for (int32_t i = 0; i < count; i++) {
                int32_t entry = entries[first + i];
                *bits |= (uint64_t)(least <= entry && entry <= most) << i;
            }
        }
    }
}

/* Write column, row and entry of the cells with an entry from `least` to `most`. Returns their number. */
EXPORT int32_t enfilade_range_entries(int32_t columns, int32_t rows, const uint16_t *table, int32_t least,
                                      int32_t most, int32_t *found)
{
    int32_t count = 0;
    for (int32_t row = 0; row < rows; row++) {
        const uint16_t *entries = table + (int64_t)(row + 1) * (columns + 2) + 1;
        for (int32_t column = 0; column < columns; column++)
            if (entries[column] >= least && entries[column] <= most) {
                int32_t *entry = found + 3 * (int64_t)count++;
                entry[0] = column, entry[1] = row, entry[2] = entries[column];
            }
    }
    return count;
}

/* Write the runs of cells with an entry from `least` to `most`: row, first and last column. Returns their number. */
EXPORT int32_t enfilade_range_runs(int32_t columns, int32_t rows, const uint16_t *table, int32_t least, int32_t most,
                                   int32_t *runs)
{
    int32_t count = 0;
    for (int32_t row = 0; row < rows; row++) {
        const uint16_t *entries = table + (int64_t)(row + 1) * (columns + 2) + 1;
        for (int32_t column = 0; column < columns; column++) {
            if (entries[column] < least || entries[column] > most)
                continue;
            int32_t first = column;
            while (column + 1 < columns && entries[column + 1] >= least && entries[column + 1] <= most)
                column++;
            runs[3 * count] = row;
            runs[3 * count + 1] = first;
            runs[3 * count++ + 2] = column;
        }
    }
    return count;
}

/* Write the runs of set bits of rows of one word each: row, first and last column. Returns their number. */
EXPORT int32_t enfilade_word_runs(int32_t rows, const uint64_t *words, int32_t *runs)
{
    int32_t count = 0;
    for (int32_t row = 0; row < rows; row++) {
        int32_t column = 0;
        for (uint64_t bits = words[row]; bits; count++) {
            for (; !(bits & 0xFF); bits >>= 8)
                column += 8;
            for (; !(bits & 1); bits >>= 1)
                column++;
            runs[3 * count] = row;
            runs[3 * count + 1] = column;
            for (; bits & 1; bits >>= 1)
                column++;
            runs[3 * count + 2] = column - 1;
        }
    }
    return count;
}

/* ---- one state ------------------------------------------------------------------------------------ */

/* Return the lanes along which the next index becomes cheaper within the limit, as bits. */
static inline uint32_t cheaper(const uint16_t *totals, int32_t index, int32_t stride, const uint16_t *costs,
                               int32_t cost, int32_t limit)
{
#ifdef __SSE2__
    __m128i above = _mm_loadl_epi64((const __m128i *)(totals + index - stride - 1));
    __m128i below = _mm_loadl_epi64((const __m128i *)(totals + index + stride - 1));
    __m128i around = _mm_unpacklo_epi64(above, below);
    around = _mm_insert_epi16(_mm_insert_epi16(around, totals[index - 1], 3), totals[index + 1], 7);
    __m128i past = _mm_set1_epi16((short)(limit + 1));
    around = _mm_sub_epi16(around, _mm_subs_epu16(around, past)); /* the lesser of both */
    __m128i total = _mm_adds_epu16(_mm_loadu_si128((const __m128i *)costs), _mm_set1_epi16((short)cost));
    __m128i is_not = _mm_cmpeq_epi16(_mm_subs_epu16(around, total), _mm_setzero_si128());
    return ~(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(is_not, is_not)) & 0xFF;
#else
    const int32_t above = index - stride, below = index + stride;
    const int32_t around[LANES] = {above - 1, above, above + 1, index - 1, below - 1, below, below + 1, index + 1};
    uint32_t bits = 0;
    for (int lane = 0; lane < LANES; lane++) {
        int32_t total = cost + costs[lane];
        bits |= (uint32_t)(total < totals[around[lane]] && total <= limit) << lane;
    }
    return bits;
#endif
}

void search_from(buckets *b, int32_t stride, const uint16_t *costs, const uint8_t *flags, int32_t start,
                int32_t limit, uint16_t *totals)
{
    int32_t offsets[LANES];
    lane_offsets(stride, offsets);
    totals[start] = 0;
    buckets_add(b, 0, start);
    for (int32_t cost = 0; b->waiting > 0; cost++) /* no step is free, so no bucket grows while it is read */
        for (int32_t entry = buckets_take_all(b, cost); entry >= 0; entry = b->entries[entry].older) {
            int32_t index = b->entries[entry].node;
            b->waiting--;
            if (totals[index] != cost || (flags[index] & STOP && index != start))
                continue;
            const uint16_t *from = costs + LANES * (int64_t)index;
            uint32_t lanes = cheaper(totals, index, stride, from, cost, limit);
            for (; lanes; lanes &= lanes - 1) {
                int lane = lowest_bit(lanes);
                totals[index + offsets[lane]] = (uint16_t)(cost + from[lane]);
                buckets_add(b, cost + from[lane], index + offsets[lane]);
            }
        }
}

EXPORT int32_t enfilade_dijkstra(int32_t stride, int32_t size, const uint16_t *costs, int32_t max_step,
                              const uint8_t *flags, int32_t start, int32_t limit, uint16_t *totals)
{
    buckets b;
    if (buckets_open(&b, LANES * size + 1, max_step) != DONE)
        return OUT_OF_MEMORY;
    memset(totals, 0xFF, sizeof(uint16_t) * (size_t)size);
    search_from(&b, stride, costs, flags, start, limit, totals);
    buckets_close(&b);
    return DONE;
}

/* ---- several states (facings, or the parity of diagonals) ---------------------------------------- */

typedef struct {
    int32_t states, stride, limit, offsets[LANES];
    const uint16_t *costs, *extras; /* per index and lane; extras may be NULL */
    const uint8_t *directions;      /* per parity and lane */
    const uint16_t *points;         /* per state and direction */
    const uint8_t *next;            /* per state and direction */
    const uint16_t *turns;          /* per state and state */
    int32_t jump_count;
    const int32_t *jumps;           /* (node, next node, cost), by node */
    uint8_t *lanes;                 /* per parity and state, the lanes that are steps, as bits */
    uint16_t *totals;                /* per index and state */
} state_search;

static void find_lanes(const state_search *s)
{
    for (int32_t kind = 0; kind < 4; kind++)
        for (int32_t state = 0; state < s->states; state++) {
            uint8_t bits = 0;
            for (int lane = 0; lane < LANES; lane++) {
                uint8_t direction = s->directions[LANES * kind + lane];
                if (direction != NO_DIRECTION && s->points[LANES * state + direction] != NO_STEP)
                    bits |= (uint8_t)(1 << lane);
            }
            s->lanes[kind * s->states + state] = bits;
        }
}

static inline void improve(const state_search *s, buckets *b, int64_t node, int64_t total)
{
    if (total < s->totals[node] && total <= s->limit) {
        s->totals[node] = (uint16_t)total;
        buckets_add(b, (int32_t)total, (int32_t)node);
    }
}

static void walk(const state_search *s, buckets *b, int32_t index, int32_t state, int32_t cost)
{
    int32_t kind = parity_of(index, s->stride);
    for (uint32_t lanes = s->lanes[kind * s->states + state]; lanes; lanes &= lanes - 1) {
        int lane = lowest_bit(lanes);
        int64_t entry = LANES * (int64_t)index + lane;
        if (s->costs[entry] == NO_STEP)
            continue;
        int32_t move = LANES * state + s->directions[LANES * kind + lane];
        int64_t step = (int64_t)s->points[move] * s->costs[entry] + (s->extras ? s->extras[entry] : 0);
        improve(s, b, (int64_t)(index + s->offsets[lane]) * s->states + s->next[move], cost + step);
    }
}

static void jump(const state_search *s, buckets *b, int32_t node, int32_t cost)
{
    int32_t first = 0, last = s->jump_count;
    while (first < last) {
        int32_t middle = first + (last - first) / 2;
        if (s->jumps[3 * (int64_t)middle] < node)
            first = middle + 1;
        else
            last = middle;
    }
    for (; first < s->jump_count && s->jumps[3 * (int64_t)first] == node; first++)
        improve(s, b, s->jumps[3 * (int64_t)first + 1], (int64_t)cost + s->jumps[3 * (int64_t)first + 2]);
}

static void turn(const state_search *s, buckets *b, int64_t leave, int32_t index, int32_t state, int32_t cost)
{
    for (int32_t other = 0; other < s->states; other++) {
        uint16_t points = s->turns[state * s->states + other];
        if (points != NO_STEP && other != state)
            improve(s, b, (int64_t)index * s->states + other, cost + points * leave);
    }
}

EXPORT int32_t enfilade_dijkstra_states(int32_t stride, int32_t size, const uint16_t *costs,
                                     const uint16_t *extras, const uint16_t *leave, int32_t states,
                                     const uint8_t *directions, const uint16_t *points, const uint8_t *next,
                                     const uint16_t *turns, int32_t jump_count, const int32_t *jumps,
                                     int32_t max_step, const uint8_t *flags, int32_t start, int32_t limit,
                                     uint16_t *totals)
{
    uint8_t lanes[4 * MAX_STATES];
    state_search s = {states, stride, limit, {0}, costs, extras, directions, points, next, turns, jump_count,
                      jumps, lanes, totals};
    buckets b;
    if (buckets_open(&b, size * states * (LANES + states) + jump_count + 1, max_step < limit ? max_step : limit) != DONE)
        return OUT_OF_MEMORY;
    lane_offsets(stride, s.offsets);
    find_lanes(&s);
    memset(totals, 0xFF, sizeof(uint16_t) * (size_t)size * (size_t)states);
    totals[start] = 0;
    buckets_add(&b, 0, start);
    for (int32_t cost = 0; b.waiting > 0; cost++)
        for (int32_t node; (node = buckets_take(&b, cost)) >= 0;) {
            int32_t index = node / states, state = node - index * states;
            if (totals[node] != cost)
                continue;
            if (!(flags[index] & STOP) || index == start / states) {
                walk(&s, &b, index, state, cost);
                if (jump_count)
                    jump(&s, &b, node, cost);
            }
            turn(&s, &b, leave[index], index, state, cost);
        }
    buckets_close(&b);
    return DONE;
}
