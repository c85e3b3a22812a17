/* Shadows on a board. The twin of casting.py and raster.py in ../sight, with two additions for speed: hidden
 * blockers are left out before their planes are computed, and from row to row a plane's border moves by an
 * addition instead of a division.
 *
 * Coordinates span less than 2^15, heights likewise: the largest product, a turn squared, is below 2^62.
 */
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

enum { HORIZON = 512, QUARTER = HORIZON / 4 };

/* The data of a blocker for the test whether others hide it. `number` counts walls, and then parts. */
typedef struct {
    int64_t nearest, farthest;
    int32_t first, last, number, body;
} span_t;

typedef struct {
    const lattice_t *lattice;
    view_t view;
    uint64_t *dark, *once;
    int32_t words;
} drawing_t;

static int64_t floor_div(int64_t value, int64_t by) {
    int64_t quotient = value / by;
    return quotient - (value % by != 0 && value < 0);
}

/* ---- blockers hidden by others -------------------------------------------------------------- */

static int64_t nearest(vector_t right, vector_t left) {
    vector_t way = {left.x - right.x, left.y - right.y};
    int64_t along = -(right.x * way.x + right.y * way.y), length = square(way), turn = cross(right, left);
    if (along <= 0) return square(right);
    return along >= length ? square(left) : turn * turn / length;
}

static int32_t sector(vector_t v) {
    if (v.y >= 0) return (int32_t)(QUARTER + floor_div(-v.x * QUARTER, llabs(v.x) + v.y));
    return (int32_t)(3 * QUARTER + floor_div(v.x * QUARTER, llabs(v.x) - v.y));
}

static span_t span_between(vector_t right, vector_t left, int32_t number, int32_t body) {
    span_t span = {0, 0, 0, 0, number, body};
    if (cross(right, left) == 0) return span;
    span.nearest = nearest(right, left);
    span.first = sector(right);
    span.last = sector(left);
    if (span.last < span.first) span.last += HORIZON;
    return span;
}

static int32_t gather_walls(const drawing_t *d, span_t *spans, int32_t *found, int32_t *edge_on) {
    const blockers_t *blockers = d->view.blockers;
    int32_t count = 0;
    for (int32_t wall = 0; wall < blockers->walls; wall++) {
        const int32_t *facts = blockers->facts ? blockers->facts + 4 * wall : NULL;
        vector_t right, left;
        if (blockers->transparent && blockers->transparent[wall]) continue;
        int32_t turn = wall_rims(&d->view, wall, &right, &left);
        if (turn == 0) found[(*edge_on)++] = wall;
        if (turn == 0 || !wall_stops(&d->view, wall, turn)) continue;
        spans[count] = span_between(right, left, wall, -1);
        if (!facts || (!facts[0] && !has_height_cuts(d->view.eye, facts + 2, 0)))
            spans[count].farthest = larger(square(right), square(left));
        count++;
    }
    return count;
}

static int32_t gather_parts(const drawing_t *d, int32_t body, span_t *spans) {
    const blockers_t *blockers = d->view.blockers;
    const int32_t *heights = blockers->heights ? blockers->heights + 2 * body : NULL;
    int64_t slack = d->view.eye->body_slack, farthest = 0;
    int32_t count = 0;
    part_t part;
    if (heights && (int64_t)heights[1] - heights[0] < slack) return 0;
    if (heights && !is_within_heights(d->view.eye, heights, slack)) return 0;
    for (int32_t i = blockers->part_starts[body]; i < blockers->part_starts[body + 1]; i++) {
        look_at_part(&d->view, i, &part);
        farthest = larger(farthest, part.farthest);
        spans[count] = span_between(part.around[part.right], part.around[part.left], i, body);
        if (!slack) spans[count].nearest = 0;
        count++;
    }
    int hides = !(heights && has_height_cuts(d->view.eye, heights, slack));
    for (int32_t i = 0; i < count; i++)
        if (hides && (spans[i].first || spans[i].last)) spans[i].farthest = farthest;
    return count;
}

static void set_depths(const span_t *spans, int32_t count, int64_t *depths) {
    for (int32_t i = 0; i < HORIZON; i++) depths[i] = INT64_MAX;
    for (int32_t i = 0; i < count; i++)
        for (int32_t s = spans[i].first + 1; spans[i].farthest && s < spans[i].last; s++)
            if (spans[i].farthest < depths[s % HORIZON]) depths[s % HORIZON] = spans[i].farthest;
}

static int is_seen(const span_t *span, const int64_t *depths) {
    for (int32_t s = span->first; s <= span->last; s++)
        if (span->nearest <= depths[s % HORIZON]) return 1;
    return 0;
}

/* ---- drawing ----------------------------------------------------------------------------------- */

/* The border of a plane in a row: the last column inside it, or the first. From one row to the next, `quotient`
 * and `rest` of the division that gives it move by constants. */
typedef struct {
    int64_t quotient, rest, step_quotient, step_rest, width;
} border_t;

typedef struct {
    border_t lows[MAX_PLANES], highs[MAX_PLANES], flats[MAX_PLANES];
    int32_t low_count, high_count, flat_count;
} borders_t;

static border_t border_at(int64_t value, int64_t step, int64_t width) {
    border_t border = {floor_div(value, width), 0, floor_div(step, width), 0, width};
    border.rest = value - border.quotient * width;
    border.step_rest = step - border.step_quotient * width;
    return border;
}

static inline void go_down(border_t *border) {
    border->quotient += border->step_quotient;
    border->rest += border->step_rest;
    if (border->rest >= border->width) {
        border->rest -= border->width;
        border->quotient++;
    }
}

static void set_borders(const drawing_t *d, const shadow_t *shadow, int32_t row, borders_t *borders) {
    const lattice_t *l = d->lattice;
    borders->low_count = borders->high_count = borders->flat_count = 0;
    for (int32_t i = 0; i < shadow->count; i++) {
        plane_t p = shadow->planes[i];
        int64_t step = p.b * l->drop, width = p.a * l->pitch;
        int64_t value = p.a * (l->x - d->view.eye->x) + p.b * (l->y + (int64_t)l->drop * row - d->view.eye->y) + p.c;
        if (width > 0)
            borders->lows[borders->low_count++] = border_at(width - 1 - value, -step, width);
        else if (width < 0)
            borders->highs[borders->high_count++] = border_at(value, step, -width);
        else
            borders->flats[borders->flat_count++] = border_at(value, step, 1);
    }
}

static void darken_word(const drawing_t *d, int64_t word, uint64_t bits, int is_limited) {
    if (is_limited) {
        uint64_t before = d->once[word];
        d->once[word] = before | bits;
        bits &= before;
    }
    d->dark[word] |= bits;
}

static void darken_run(const drawing_t *d, int32_t row, int32_t low, int32_t high, int is_limited) {
    int64_t base = (int64_t)row * d->words;
    uint64_t head = ~0ull << (low & 63), tail = ~0ull >> (63 - (high & 63));
    int32_t first = low >> 6, last = high >> 6;
    if (first == last) {
        darken_word(d, base + first, head & tail, is_limited);
        return;
    }
    darken_word(d, base + first, head, is_limited);
    for (int32_t word = first + 1; word < last; word++) darken_word(d, base + word, ~0ull, is_limited);
    darken_word(d, base + last, tail, is_limited);
}

/* Darken a run except for the cells of the body's own blocks, from the given block on. */
static void darken_outside(const drawing_t *d, int32_t row, int32_t low, int32_t high, int32_t block, int32_t end) {
    const lattice_t *l = d->lattice;
    int32_t board_row = l->top + l->step * row;
    for (; low <= high && block < end; block++) {
        const int32_t *own = d->view.blockers->blocks + 4 * block;
        if (board_row < own[0] || board_row > own[1]) continue;
        int64_t left = -floor_div(l->first - own[2], l->stride), right = floor_div(own[3] - l->first, l->stride);
        if (left > high || right < low || left > right) continue;
        if (left > low) darken_outside(d, row, low, (int32_t)left - 1, block + 1, end);
        low = (int32_t)larger(low, right + 1);
    }
    if (low <= high) darken_run(d, row, low, high, 0);
}

static void draw(const drawing_t *d, const shadow_t *shadow) {
    const lattice_t *l = d->lattice;
    const int32_t *starts = d->view.blockers->block_starts;
    int64_t offset = l->y - d->view.eye->y, first = 0, last = l->rows - 1;
    borders_t b;
    if (shadow->begins > 0) first = larger(0, -floor_div(offset - shadow->begins, l->drop));
    if (shadow->begins < 0) {
        int64_t reach = floor_div(shadow->begins - offset, l->drop);
        if (reach < last) last = reach;
    }
    if (first > last) return;
    set_borders(d, shadow, (int32_t)first, &b);
    for (int32_t row = (int32_t)first; row <= last; row++) {
        int64_t low = 0, high = l->columns - 1;
        for (int32_t i = 0; i < b.low_count; i++) low = larger(low, b.lows[i].quotient), go_down(&b.lows[i]);
        for (int32_t i = 0; i < b.high_count; i++) {
            if (b.highs[i].quotient < high) high = b.highs[i].quotient;
            go_down(&b.highs[i]);
        }
        for (int32_t i = 0; i < b.flat_count; i++) {
            if (b.flats[i].quotient < 0) high = -1;
            go_down(&b.flats[i]);
        }
        if (low > high) continue;
        if (shadow->body < 0)
            darken_run(d, row, (int32_t)low, (int32_t)high, shadow->is_limited);
        else
            darken_outside(d, row, (int32_t)low, (int32_t)high, starts[shadow->body], starts[shadow->body + 1]);
    }
}

static void draw_spans(const drawing_t *d, const span_t *spans, int32_t count) {
    int64_t depths[HORIZON];
    shadow_t shadow;
    part_t part;
    set_depths(spans, count, depths);
    for (int32_t i = 0; i < count; i++) {
        if (!is_seen(&spans[i], depths)) continue;
        if (spans[i].body < 0) {
            wall_shadow(&d->view, spans[i].number, &shadow);
        } else {
            look_at_part(&d->view, spans[i].number, &part);
            part_shadow(&d->view, &part, spans[i].body, &shadow);
        }
        draw(d, &shadow);
    }
}

int32_t enfilade_shadows(const lattice_t *lattice, const eye_t *eye, const blockers_t *blockers, uint64_t *dark,
                         int32_t *found, int32_t *counts) {
    int32_t words = (lattice->columns + 63) / 64, parts = blockers->part_starts[blockers->bodies];
    size_t size = (size_t)words * lattice->rows;
    span_t *spans = malloc(sizeof(span_t) * (size_t)(blockers->walls + parts + 1));
    uint64_t *once = blockers->facts ? calloc(size + 1, sizeof(uint64_t)) : NULL;
    drawing_t d = {lattice, {eye, blockers}, dark, once, words};
    if (!spans || (blockers->facts && !once)) {
        free(spans);
        free(once);
        return -1;
    }
    memset(dark, 0, size * sizeof(uint64_t));
    counts[0] = counts[1] = 0;
    int32_t count = gather_walls(&d, spans, found, &counts[0]);
    for (int32_t body = 0; body < blockers->bodies; body++) {
        if (body_contains_eye(&d.view, body))
            found[counts[0] + counts[1]++] = body;
        else
            count += gather_parts(&d, body, spans + count);
    }
    draw_spans(&d, spans, count);
    free(spans);
    free(once);
    return 0;
}
