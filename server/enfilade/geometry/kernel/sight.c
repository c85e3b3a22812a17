/* Shadows on a board. The twin of casting.py and raster.py in ../sight, with two additions for speed: hidden
 * blockers are left out before their planes are computed, and from row to row a plane's border moves by an
 * addition instead of a division.
 *
 * If only some cells are wanted, blockers outside the box around the eye and those cells are left out: no line to one
 * of them leaves the box.
 *
 * Coordinates span less than 2^15, heights likewise: the largest product, a turn squared, is below 2^62.
 */
#include "lines.h"
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

enum { HORIZON = 512, QUARTER = HORIZON / 4 };
enum { IS_LIMITED, ONE_WAY, BOTTOM };

/* The data of a blocker for the test whether others hide it. `number` counts walls, and then parts. */
typedef struct {
    int64_t nearest, farthest;
    int32_t first, last, number, body;
} span_t;

/* A box that contains an eye and its wanted cells. If these lie in a wedge of less than a half turn, the wedge from
 * `right` clockwise to `left` contains them; both are zero if not. */
typedef struct {
    int32_t left, top, right, bottom, x, y;
    vector_t from, to;
} region_t;

typedef struct {
    const lattice_t *lattice;
    view_t view;
    uint64_t *dark, *once;
    int32_t words, first_row, last_row; /* the rows to draw */
    const region_t *region;             /* only blockers that reach into it are looked at; NULL for all */
    int32_t joint_count;
    const int32_t *joints;
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

/* Return whether some points, and so all lines between them, are on one outer side of the region. */
static int is_outside(const region_t *region, const int32_t *points, int32_t count) {
    int is_left = 1, is_right = 1, is_above = 1, is_below = 1, is_before = 1, is_past = 1;
    if (!region) return 0;
    for (const int32_t *p = points; p < points + 2 * count; p += 2) {
        vector_t way = {p[0] - region->x, p[1] - region->y};
        is_left &= p[0] < region->left, is_right &= p[0] > region->right;
        is_above &= p[1] < region->top, is_below &= p[1] > region->bottom;
        is_before &= cross(region->from, way) < 0, is_past &= cross(way, region->to) < 0;
    }
    return is_left | is_right | is_above | is_below | is_before | is_past;
}

static int is_body_outside(const drawing_t *d, int32_t body) {
    const blockers_t *b = d->view.blockers;
    int32_t first = b->corner_starts[b->part_starts[body]], end = b->corner_starts[b->part_starts[body + 1]];
    return is_outside(d->region, b->corners + 2 * first, end - first);
}

static int32_t gather_walls(const drawing_t *d, span_t *spans, int32_t *found, int32_t *edge_on) {
    const blockers_t *blockers = d->view.blockers;
    int32_t count = 0;
    for (int32_t wall = 0; wall < blockers->walls; wall++) {
        const int32_t *facts = blockers->facts ? blockers->facts + 4 * wall : NULL;
        vector_t right, left;
        if (blockers->transparent && blockers->transparent[wall]) continue;
        if (is_outside(d->region, blockers->lines + 4 * wall, 2)) continue;
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
    int64_t offset = l->y - d->view.eye->y, first = d->first_row, last = d->last_row;
    borders_t b;
    if (shadow->begins > 0) first = larger(first, -floor_div(offset - shadow->begins, l->drop));
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

/* Draw the shadows of all spans that others do not hide, on each of some lattices that differ in their first center. */
static void draw_spans(const drawing_t *drawings, int32_t drawing_count, const span_t *spans, int32_t count) {
    const view_t *view = &drawings->view;
    int64_t depths[HORIZON];
    shadow_t shadow;
    part_t part;
    set_depths(spans, count, depths);
    for (int32_t i = 0; i < count; i++) {
        if (!is_seen(&spans[i], depths)) continue;
        if (spans[i].body < 0) {
            wall_shadow(view, spans[i].number, &shadow);
        } else {
            look_at_part(view, spans[i].number, &part);
            part_shadow(view, &part, spans[i].body, &shadow);
        }
        for (int32_t k = 0; k < drawing_count; k++) draw(&drawings[k], &shadow);
    }
}

/* ---- walls and joints seen edge-on: they hide only the cells in line with them ------------------- */

static int is_own(const drawing_t *d, int32_t body, int32_t column, int32_t row) {
    const lattice_t *l = d->lattice;
    const blockers_t *b = d->view.blockers;
    if (body < 0) return 0;
    for (int32_t block = b->block_starts[body]; block < b->block_starts[body + 1]; block++) {
        const int32_t *own = b->blocks + 4 * block;
        int32_t x = l->first + l->stride * column, y = l->top + l->step * row;
        if (y >= own[0] && y <= own[1] && x >= own[2] && x <= own[3]) return 1;
    }
    return 0;
}

static void darken_cell(const drawing_t *d, int32_t column, int32_t row, int32_t one, int32_t other) {
    if (!is_own(d, one, column, row) && !is_own(d, other, column, row)) darken_run(d, row, column, column, 0);
}

/* Darken the cell if the line to its center meets the segment. */
static void darken_behind(const drawing_t *d, int32_t column, int32_t row, const int32_t *ends, int is_seam,
                          int32_t one, int32_t other) {
    const lattice_t *l = d->lattice;
    const int32_t eye[2] = {d->view.eye->x, d->view.eye->y};
    const int32_t center[2] = {l->x + l->pitch * column, l->y + l->drop * row};
    if (is_seam ? runs_along(eye, center, ends, ends + 2) : touches(eye, center, ends, ends + 2))
        darken_cell(d, column, row, one, other);
}

static vector_t farther_end(const eye_t *eye, const int32_t *ends) {
    vector_t a = {ends[0] - eye->x, ends[1] - eye->y}, b = {ends[2] - eye->x, ends[3] - eye->y};
    vector_t way = llabs(a.x) + llabs(a.y) >= llabs(b.x) + llabs(b.y) ? a : b;
    if (!way.x && !way.y) way.y = 1;
    return way;
}

static void darken_in_line(const drawing_t *d, const int32_t *ends, int is_seam, int32_t one, int32_t other) {
    const lattice_t *l = d->lattice;
    vector_t way = farther_end(d->view.eye, ends);
    int64_t left = l->x - d->view.eye->x;
    for (int32_t row = d->first_row; row <= d->last_row; row++) {
        int64_t y = l->y + (int64_t)l->drop * row - d->view.eye->y;
        if (way.y == 0) {
            for (int32_t column = 0; y == 0 && column < l->columns; column++)
                darken_behind(d, column, row, ends, is_seam, one, other);
        } else if (y * way.x % way.y == 0) {
            int64_t across = y * way.x / way.y - left, column = across / l->pitch;
            if (across >= 0 && across % l->pitch == 0 && column < l->columns)
                darken_behind(d, (int32_t)column, row, ends, is_seam, one, other);
        }
    }
}

/* Darken what a level eye does not see behind a segment in line with it; from a point of it, nothing is seen. */
static void darken_edge_on(const drawing_t *d, const int32_t *ends, int is_seam, int32_t one, int32_t other) {
    const int32_t eye[2] = {d->view.eye->x, d->view.eye->y};
    if (is_seam || !touches(eye, eye, ends, ends + 2)) {
        darken_in_line(d, ends, is_seam, one, other);
        return;
    }
    for (int32_t row = d->first_row; row <= d->last_row; row++)
        for (int32_t column = 0; column < d->lattice->columns; column++) darken_cell(d, column, row, one, other);
}

/* Draw the plain ones of the walls that a level eye looks along. Returns the number of the others, which are left to
 * the caller: limited and one-way walls. */
static int32_t draw_edge_on_walls(const drawing_t *drawings, int32_t drawing_count, int32_t *found, int32_t count) {
    const drawing_t *d = drawings;
    const blockers_t *b = d->view.blockers;
    int32_t others = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t *facts = b->facts ? b->facts + 4 * found[i] : NULL;
        if (d->view.eye->wall_slack || (facts && !is_within_heights(d->view.eye, facts + BOTTOM, 0))) continue;
        if (facts && (facts[IS_LIMITED] || facts[ONE_WAY] != BOTH_WAYS))
            found[others++] = found[i];
        else
            for (int32_t k = 0; k < drawing_count; k++)
                darken_edge_on(&drawings[k], b->lines + 4 * found[i], 0, -1, -1);
    }
    return others;
}

static int is_among(int32_t number, const int32_t *numbers, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (numbers[i] == number) return 1;
    return 0;
}

static void draw_joints(const drawing_t *d, const int32_t *around, int32_t count) {
    const int32_t eye[2] = {d->view.eye->x, d->view.eye->y};
    for (int32_t i = 0; i < d->joint_count; i++) {
        const int32_t *joint = d->joints + JOINT * i;
        if (side(joint, joint + 2, eye) || is_outside(d->region, joint, 2)) continue;
        if (!is_among(joint[5], around, count) && !is_among(joint[6], around, count))
            darken_edge_on(d, joint, joint[4], joint[5], joint[6]);
    }
}

/* ---- one eye, and many --------------------------------------------------------------------------- */

/* Draw everything that an eye does not see, on each of some lattices: which shadows there are does not depend on the
 * centers. `found` and `counts` as in enfilade_shadows. */
static void cast(const drawing_t *drawings, int32_t drawing_count, span_t *spans, int32_t *found, int32_t *counts) {
    const drawing_t *d = drawings;
    int32_t looked_along = 0, others = 0;
    counts[0] = counts[1] = 0;
    int32_t count = gather_walls(d, spans, found, &looked_along);
    int32_t *around = found + looked_along;
    for (int32_t body = 0; body < d->view.blockers->bodies; body++) {
        if (is_body_outside(d, body)) continue;
        if (body_contains_eye(&d->view, body))
            around[counts[1]++] = body;
        else
            count += gather_parts(d, body, spans + count);
    }
    draw_spans(drawings, drawing_count, spans, count);
    counts[0] = looked_along;
    if (d->view.eye->height != d->view.eye->target_height) return;
    for (int32_t k = 0; k < drawing_count; k++) draw_joints(&drawings[k], around, counts[1]);
    others = draw_edge_on_walls(drawings, drawing_count, found, looked_along);
    counts[0] = others;
    memmove(found + others, around, sizeof(int32_t) * (size_t)counts[1]);
}

static span_t *room_for_spans(const blockers_t *blockers) {
    int32_t parts = blockers->part_starts[blockers->bodies];
    return malloc(sizeof(span_t) * (size_t)(blockers->walls + parts + 1));
}

int32_t enfilade_shadows(const lattice_t *lattice, const eye_t *eye, const blockers_t *blockers, int32_t joint_count,
                         const int32_t *joints, uint64_t *dark, int32_t *found, int32_t *counts) {
    int32_t words = (lattice->columns + 63) / 64;
    size_t size = (size_t)words * lattice->rows;
    span_t *spans = room_for_spans(blockers);
    uint64_t *once = blockers->facts ? calloc(size + 1, sizeof(uint64_t)) : NULL;
    drawing_t d = {lattice, {eye, blockers}, dark, once, words, 0, lattice->rows - 1, NULL, joint_count, joints};
    int is_out_of_memory = !spans || (blockers->facts && !once);
    if (!is_out_of_memory) {
        memset(dark, 0, size * sizeof(uint64_t));
        cast(&d, 1, spans, found, counts);
    }
    free(spans);
    free(once);
    return is_out_of_memory ? OUT_OF_MEMORY : DONE;
}

/* Find the cells to which at least 1, 2, ... lines are blocked from those to which each line is. */
static void count_dark(uint64_t *least, const uint64_t *dark, size_t size, int32_t lines) {
    for (int32_t line = 0; line < lines; line++, dark += size)
        for (int32_t count = line; count >= 0; count--) {
            uint64_t *more = least + size * (size_t)count;
            for (size_t word = 0; word < size; word++) more[word] |= count ? more[word - size] & dark[word] : dark[word];
        }
}

/* The memory of the counts of blocked lines from one eye after the other. */
typedef struct {
    span_t *spans;
    int32_t *found;
    uint64_t *dark, *once, *least;
    lattice_t *shifted;
    drawing_t *drawings;
} counting_t;

/* Counts the blocked lines from one eye into `least`; returns the number of the walls that are left to the caller. */
static int32_t count_blocked(const counting_t *c, const lattice_t *lattice, const eye_t *eye, int32_t layers,
                             const blockers_t *const *blockers, const int32_t *joint_counts,
                             const int32_t *const *joints, int32_t count) {
    int32_t words = (lattice->columns + 63) / 64, counts[2] = {0, 0};
    size_t size = (size_t)words * lattice->rows, all = size * (size_t)count;
    memset(c->dark, 0, sizeof(uint64_t) * all);
    memset(c->least, 0, sizeof(uint64_t) * all * (size_t)layers);
    for (int32_t layer = 0; layer < layers && !counts[0]; layer++) {
        if (blockers[layer]->facts) memset(c->once, 0, sizeof(uint64_t) * all);
        for (int32_t k = 0; k < count; k++) {
            drawing_t d = {&c->shifted[k], {eye, blockers[layer]}, c->dark + size * (size_t)k,
                           c->once + size * (size_t)k, words, 0, lattice->rows - 1, NULL, joint_counts[layer],
                           joints[layer]};
            c->drawings[k] = d;
        }
        cast(c->drawings, count, c->spans, c->found, counts);
        count_dark(c->least + all * (size_t)layer, c->dark, size, count);
    }
    return counts[0];
}

int32_t enfilade_blocked_cells(const lattice_t *lattice, const eye_t *view, int32_t eye_count, const int32_t *eyes,
                               int32_t layers, const blockers_t *const *blockers, const int32_t *joint_counts,
                               const int32_t *const *joints, int32_t count, const int32_t *offsets, uint64_t *least) {
    int32_t words = (lattice->columns + 63) / 64, largest = 0, left = 0;
    size_t size = (size_t)words * lattice->rows, all = size * (size_t)count, total = all * (size_t)layers;
    for (int32_t i = 0; i < layers; i++) {
        const blockers_t *b = blockers[i];
        largest = greater(largest, b->walls + b->bodies + b->part_starts[b->bodies]);
    }
    uint64_t *room = malloc(sizeof(uint64_t) * (2 * all + total + 1));
    counting_t c = {malloc(sizeof(span_t) * (size_t)(largest + 1)),
                    malloc(sizeof(int32_t) * (size_t)(largest + 1)),
                    room,
                    room + all,
                    room + 2 * all,
                    malloc(sizeof(lattice_t) * (size_t)(count + 1)),
                    malloc(sizeof(drawing_t) * (size_t)(count + 1))};
    int is_out_of_memory = !c.spans || !c.found || !room || !c.shifted || !c.drawings;
    for (int32_t k = 0; k < count && !is_out_of_memory; k++) {
        c.shifted[k] = *lattice;
        c.shifted[k].x += offsets[2 * k], c.shifted[k].y += offsets[2 * k + 1];
    }
    for (int32_t i = 0; i < eye_count && !is_out_of_memory && !left; i++) {
        eye_t eye = *view;
        eye.x = eyes[2 * i], eye.y = eyes[2 * i + 1];
        left = count_blocked(&c, lattice, &eye, layers, blockers, joint_counts, joints, count);
        for (size_t word = 0; word < total; word++) least[word] = i ? least[word] & c.least[word] : c.least[word];
    }
    free(c.spans);
    free(c.found);
    free(room);
    free(c.shifted);
    free(c.drawings);
    return is_out_of_memory ? OUT_OF_MEMORY : left ? LEFT : DONE;
}

static int32_t lowest(uint64_t bits) {
    int32_t number = 0;
    for (; !(bits & 0xFF); bits >>= 8) number += 8;
    for (; !(bits & 1); bits >>= 1) number++;
    return number;
}

static int32_t highest(uint64_t bits) {
    int32_t number = -1;
    for (; bits > 0xFF; bits >>= 8) number += 8;
    for (; bits; bits >>= 1) number++;
    return number;
}

/* Find the first and the last wanted column of a row; returns 0 if there is none. */
static int find_ends(const drawing_t *d, const uint64_t *words, int32_t *first, int32_t *last) {
    int32_t low = 0, high = d->words - 1;
    while (low <= high && !words[low]) low++;
    while (high > low && !words[high]) high--;
    if (low > high) return 0;
    *first = 64 * low + lowest(words[low]), *last = 64 * high + highest(words[high]);
    return 1;
}

static vector_t way_to(const drawing_t *d, int32_t column, int32_t row) {
    const lattice_t *l = d->lattice;
    vector_t way = {l->x + l->pitch * column - d->view.eye->x, l->y + l->drop * row - d->view.eye->y};
    return way;
}

static void widen(region_t *region, vector_t way) {
    int is_first = !region->from.x && !region->from.y;
    if (is_first || cross(region->from, way) < 0) region->from = way;
    if (is_first || cross(way, region->to) < 0) region->to = way;
}

/* Find the rows of the wanted cells and the region of all lines to them; returns 0 if there are none. */
static int find_region(drawing_t *d, const uint64_t *wanted, region_t *region) {
    const eye_t *eye = d->view.eye;
    int32_t low = INT32_MAX, high = -1, first, last;
    region_t none = {eye->x, eye->y, eye->x, eye->y, eye->x, eye->y, {0, 0}, {0, 0}};
    *region = none;
    d->first_row = d->lattice->rows, d->last_row = -1;
    for (int32_t row = 0; row < d->lattice->rows; row++) {
        if (!find_ends(d, wanted + (int64_t)row * d->words, &first, &last)) continue;
        d->first_row = lesser(d->first_row, row), d->last_row = row;
        low = lesser(low, first), high = greater(high, last);
    }
    if (high < 0) return 0;
    vector_t one = way_to(d, low, d->first_row), other = way_to(d, high, d->last_row);
    region->left = (int32_t)(eye->x + (one.x < 0 ? one.x : 0)), region->top = (int32_t)(eye->y + (one.y < 0 ? one.y : 0));
    region->right = (int32_t)(eye->x + larger(0, other.x)), region->bottom = (int32_t)(eye->y + larger(0, other.y));
    if (one.x <= 0 && one.y <= 0 && other.x >= 0 && other.y >= 0) return 1; /* all around the eye: no wedge */
    for (int32_t row = d->first_row; row <= d->last_row; row++)
        if (find_ends(d, wanted + (int64_t)row * d->words, &first, &last)) {
            widen(region, way_to(d, first, row));
            widen(region, way_to(d, last, row));
        }
    return 1;
}

int32_t enfilade_seen_by_any(const lattice_t *lattice, const eye_t *view, const blockers_t *blockers,
                             int32_t joint_count, const int32_t *joints, int32_t count, const int32_t *eyes,
                             const int32_t *parties, const uint64_t *wanted, uint64_t *seen, uint8_t *undone) {
    int32_t words = (lattice->columns + 63) / 64;
    size_t size = (size_t)words * lattice->rows;
    span_t *spans = room_for_spans(blockers);
    int32_t *found = malloc(sizeof(int32_t) * (size_t)(blockers->walls + blockers->bodies + 1));
    uint64_t *dark = malloc(sizeof(uint64_t) * 2 * (size + 1)), *once = dark + size;
    int is_out_of_memory = !spans || !found || !dark;
    for (int32_t i = 0; i < count && !is_out_of_memory; i++, wanted += size) {
        eye_t eye = *view;
        region_t region;
        int32_t counts[2];
        drawing_t d = {lattice, {&eye, blockers}, dark, once, words, 0, 0, &region, joint_count, joints};
        eye.x = eyes[2 * i], eye.y = eyes[2 * i + 1];
        if (!find_region(&d, wanted, &region)) continue;
        int64_t first = (int64_t)d.first_row * words, end = (int64_t)(d.last_row + 1) * words;
        memset(dark + first, 0, sizeof(uint64_t) * (size_t)(end - first));
        if (blockers->facts) memset(once + first, 0, sizeof(uint64_t) * (size_t)(end - first));
        cast(&d, 1, spans, found, counts);
        undone[i] = counts[0] > 0;
        uint64_t *own = seen + (parties ? size * (size_t)parties[i] : 0);
        for (int64_t word = first; word < end && !undone[i]; word++) own[word] |= wanted[word] & ~dark[word];
    }
    free(spans);
    free(found);
    free(dark);
    return is_out_of_memory ? OUT_OF_MEMORY : DONE;
}
