/* The field of view of a cell past opaque cells, center to center, exactly. The twin of
 * python_sight.field_of_view, which casts shadows; this one is a recursive shadowcast without recursion.
 *
 * Each quarter of the board is swept away from the eye, one line of cells after the other. The light is a list of
 * closed intervals of slopes. A cell is seen if the slope of its center lies in one; an opaque cell removes the
 * open cone of its square from the lines behind it. Slopes are fractions of integers.
 */
#include "sight.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int32_t over, under; /* a slope as a fraction, under > 0 */
} slope_t;

typedef struct {
    slope_t low, high;
} beam_t;

typedef struct {
    int32_t x, y, ahead_x, ahead_y, side_x, side_y; /* the eye, the step outward, the step along a line */
    int32_t deepest, least, most;                   /* the extent of the board outward, and along a line */
} quarter_t;

typedef struct {
    int32_t columns, words;
    const uint8_t *opaque;
    uint64_t *seen;
    beam_t *beams, *next;
    int32_t count, next_count;
} field_t;

static int is_less(slope_t a, slope_t b) { return a.over * b.under < b.over * a.under; }

static void add_beam(field_t *f, slope_t low, slope_t high) {
    if (is_less(high, low)) return;
    beam_t beam = {low, high};
    f->next[f->next_count++] = beam;
}

static int32_t floor_div(int32_t value, int32_t by) {
    int32_t quotient = value / by;
    return quotient - (value % by != 0 && value < 0);
}

/* Return the cone of cell (depth, across), between the outermost corners of its square. */
static beam_t cone_of(int32_t depth, int32_t across) {
    beam_t cone = {{2 * across - 1, across > 0 ? 2 * depth + 1 : 2 * depth - 1},
                   {2 * across + 1, across < 0 ? 2 * depth + 1 : 2 * depth - 1}};
    return cone;
}

/* Mark the cells of a line between two indexes as seen: whole words if the line runs along a row. */
static void mark(field_t *f, const quarter_t *q, int32_t depth, int32_t first, int32_t last) {
    const int32_t base_x = q->x + q->ahead_x * depth, base_y = q->y + q->ahead_y * depth;
    if (!q->side_x) {
        const uint64_t bit = 1ull << (base_x & 63);
        for (int32_t y = base_y + first; y <= base_y + last; y++) f->seen[(size_t)y * f->words + (base_x >> 6)] |= bit;
        return;
    }
    uint64_t *row = f->seen + (size_t)base_y * f->words;
    for (int32_t x = base_x + first, end = base_x + last; x <= end; x = (x | 63) + 1) {
        const int32_t until = (x | 63) < end ? 63 : end & 63;
        row[x >> 6] |= (~0ull >> (63 - until)) & (~0ull << (x & 63));
    }
}

/* Return the next opaque cell of a line between two indexes, or one past the last. */
static int32_t next_opaque(const field_t *f, const quarter_t *q, int32_t depth, int32_t first, int32_t last) {
    const int32_t x = q->x + q->ahead_x * depth, y = q->y + q->ahead_y * depth;
    if (first > last) return last + 1;
    if (q->side_x) {
        const uint8_t *from = f->opaque + (size_t)y * f->columns + x + first;
        const uint8_t *found = memchr(from, 1, (size_t)(last - first + 1));
        return found ? first + (int32_t)(found - from) : last + 1;
    }
    const uint8_t *cell = f->opaque + (size_t)(y + first) * f->columns + x;
    while (first <= last && !*cell) first++, cell += f->columns;
    return first;
}

/* Light one line of cells with one beam; the rest of the beam goes on to the next line. Only cells whose center
 * lies in the beam are seen, and only they and one more at each end can block it: the cone of a cell ends before
 * the next cell's center. */
static void light(field_t *f, const quarter_t *q, int32_t depth, beam_t beam) {
    const int32_t least = q->least > -depth ? q->least : -depth, most = q->most < depth ? q->most : depth;
    int32_t first = -floor_div(-beam.low.over * depth, beam.low.under);
    int32_t last = floor_div(beam.high.over * depth, beam.high.under);
    mark(f, q, depth, first > least ? first : least, last < most ? last : most);
    first = first - 1 > least ? first - 1 : least;
    last = last + 1 < most ? last + 1 : most;
    while ((first = next_opaque(f, q, depth, first, last)) <= last) {
        beam_t cone = cone_of(depth, first++);
        if (!is_less(beam.low, cone.high) || !is_less(cone.low, beam.high)) continue;
        if (!is_less(cone.low, beam.low)) add_beam(f, beam.low, cone.low);
        beam.low = cone.high;
        if (is_less(beam.high, beam.low)) return;
    }
    add_beam(f, beam.low, beam.high);
}

static void sweep(field_t *f, const quarter_t *q) {
    const beam_t all = {{-1, 1}, {1, 1}};
    f->beams[0] = all;
    f->count = 1;
    for (int32_t depth = 1; depth <= q->deepest && f->count; depth++) {
        f->next_count = 0;
        for (int32_t i = 0; i < f->count; i++) light(f, q, depth, f->beams[i]);
        beam_t *lit = f->next;
        f->next = f->beams;
        f->beams = lit;
        f->count = f->next_count;
    }
}

int32_t enfilade_field_of_view(int32_t columns, int32_t rows, const uint8_t *opaque, int32_t x, int32_t y, uint64_t *seen) {
    const int32_t words = (columns + 63) / 64, most = 2 * (columns + rows) + 8;
    const quarter_t quarters[4] = {
        {x, y, 1, 0, 0, 1, columns - 1 - x, -y, rows - 1 - y},
        {x, y, -1, 0, 0, 1, x, -y, rows - 1 - y},
        {x, y, 0, 1, 1, 0, rows - 1 - y, -x, columns - 1 - x},
        {x, y, 0, -1, 1, 0, y, -x, columns - 1 - x},
    };
    beam_t *room = malloc(sizeof(beam_t) * 2 * (size_t)most);
    field_t field = {columns, words, opaque, seen, room, room + most, 0, 0};
    if (!room) return -1;
    memset(seen, 0, sizeof(uint64_t) * (size_t)words * (size_t)rows);
    seen[(size_t)y * words + (x >> 6)] |= 1ull << (x & 63);
    for (int32_t i = 0; i < 4; i++) sweep(&field, &quarters[i]);
    free(room);
    return 0;
}
