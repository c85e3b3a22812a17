/* Shadows on a board. The twin of casting.py, shadows.py and raster.py in the folder above, which explain
 * the geometry; here only what makes it fast: blockers hidden by others are left out before their planes
 * are worked out, and from row to row a plane's border moves by an addition instead of a division.
 *
 * Coordinates span less than 2^15, heights likewise: the largest product, a turn squared, is below 2^62.
 */
#include "sight.h"

#include <stdlib.h>
#include <string.h>

enum { HORIZON = 512, QUARTER = HORIZON / 4, MOST_PLANES = 2 + 3 * MOST_CORNERS };

typedef struct {
    int64_t x, y;
} vector_t;

/* The points with a x + b y + c >= 0, relative to the eye. */
typedef struct {
    int64_t a, b, c;
} plane_t;

typedef struct {
    plane_t planes[MOST_PLANES];
    int32_t count, is_limited, body; /* whose own cells stay lit; -1 for a wall */
    int64_t begins;
} shadow_t;

/* What of a blocker is needed to see whether others hide it. `number` counts walls, and then parts. */
typedef struct {
    int64_t nearest, farthest;
    int32_t first, last, number, body;
} span_t;

/* A part of a body as the eye sees it: the edge i goes from corner i to the next and turns by turns[i]. */
typedef struct {
    vector_t around[MOST_CORNERS];
    int64_t turns[MOST_CORNERS];
    int32_t count, right, left;
    int64_t least, farthest;
} part_t;

typedef struct {
    const lattice_t *lattice;
    const eye_t *eye;
    const blockers_t *blockers;
    uint64_t *dark, *once;
    int32_t words;
} drawing_t;

static int64_t floor_div(int64_t value, int64_t by) {
    int64_t quotient = value / by;
    return quotient - (value % by != 0 && value < 0);
}

static int64_t cross(vector_t a, vector_t b) { return a.x * b.y - a.y * b.x; }

static int64_t square(vector_t v) { return v.x * v.x + v.y * v.y; }

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static vector_t seen_from(const eye_t *eye, const int32_t *point) {
    vector_t v = {point[0] - eye->x, point[1] - eye->y};
    return v;
}

/* ---- planes ------------------------------------------------------------------------------------ */

static plane_t beyond(vector_t right, vector_t left, int64_t slack) {
    plane_t plane = {left.y - right.y, right.x - left.x, -cross(right, left) - slack};
    return plane;
}

static void add_plane(shadow_t *shadow, plane_t plane) { shadow->planes[shadow->count++] = plane; }

static void add_wedge(shadow_t *shadow, vector_t right, vector_t left, int64_t slack) {
    plane_t from_right = {-right.y, right.x, -slack}, to_left = {left.y, -left.x, -slack};
    if (cross(right, left) == 0) return;
    add_plane(shadow, from_right);
    add_plane(shadow, to_left);
}

static int64_t where_it_begins(const vector_t *points, int32_t count) {
    int64_t low = points[0].y, high = points[0].y;
    for (int32_t i = 1; i < count; i++) {
        if (points[i].y < low) low = points[i].y;
        if (points[i].y > high) high = points[i].y;
    }
    return low > 0 ? low : high < 0 ? high : 0;
}

/* How far eye and target are below the top (limit 0) or above the bottom (limit 1). */
static int margins(const eye_t *eye, const int32_t *heights, int limit, int64_t *at_eye, int64_t *at_target) {
    int32_t edge = limit ? heights[0] : heights[1];
    if (edge == (limit ? INT32_MIN : INT32_MAX)) return 0;
    *at_eye = limit ? (int64_t)eye->height - edge : (int64_t)edge - eye->height;
    *at_target = limit ? (int64_t)eye->target_height - edge : (int64_t)edge - eye->target_height;
    return 1;
}

/* Whether a top and a bottom leave any shadow; see shadows.py, _height_cuts. */
static int is_within_heights(const eye_t *eye, const int32_t *heights, int64_t slack) {
    int64_t at_eye, at_target;
    for (int limit = 0; limit < 2; limit++)
        if (margins(eye, heights, limit, &at_eye, &at_target) && at_eye < slack && at_target < slack) return 0;
    return 1;
}

static plane_t height_cut(plane_t face, int64_t at_eye, int64_t at_target, int64_t slack) {
    plane_t cut = {at_eye * face.a, at_eye * face.b, (at_eye - at_target) * face.c - slack};
    return cut;
}

/* ---- walls ------------------------------------------------------------------------------------- */

static int32_t wall_rims(const drawing_t *d, int32_t wall, vector_t *right, vector_t *left) {
    const int32_t *line = d->blockers->lines + 4 * wall;
    vector_t a = seen_from(d->eye, line), b = seen_from(d->eye, line + 2);
    int64_t turn = cross(a, b);
    *right = turn > 0 ? a : b;
    *left = turn > 0 ? b : a;
    return turn > 0 ? 1 : turn < 0 ? -1 : 0;
}

/* Whether a wall that is seen with this turn stops the eye: from the left of its line the turn is
 * negative, as side_of(start, end, eye) is. */
static int wall_stops(const drawing_t *d, int32_t wall, int32_t turn) {
    const int32_t *facts = d->blockers->facts ? d->blockers->facts + 4 * wall : NULL;
    if (!facts) return 1;
    if (facts[1] != BOTH_WAYS && (turn < 0) != (facts[1] == FROM_LEFT)) return 0;
    return is_within_heights(d->eye, facts + 2, 0);
}

static int has_height_cuts(const eye_t *eye, const int32_t *heights, int64_t slack) {
    int64_t at_eye, at_target;
    for (int limit = 0; limit < 2; limit++)
        if (margins(eye, heights, limit, &at_eye, &at_target) && (at_eye < slack || at_target < slack)) return 1;
    return 0;
}

static void wall_shadow(const drawing_t *d, int32_t wall, shadow_t *shadow) {
    const int32_t *facts = d->blockers->facts ? d->blockers->facts + 4 * wall : NULL;
    int64_t slack = d->eye->wall_slack, at_eye, at_target;
    vector_t rims[2];
    wall_rims(d, wall, &rims[0], &rims[1]);
    shadow->count = 0;
    shadow->body = -1;
    shadow->is_limited = facts ? facts[0] : 0;
    shadow->begins = where_it_begins(rims, 2);
    add_wedge(shadow, rims[0], rims[1], slack);
    add_plane(shadow, beyond(rims[0], rims[1], slack));
    for (int limit = 0; facts && limit < 2; limit++)
        if (margins(d->eye, facts + 2, limit, &at_eye, &at_target) && (at_eye < 0 || at_target < 0))
            add_plane(shadow, height_cut(beyond(rims[0], rims[1], 0), at_eye, at_target, 0));
}

/* ---- bodies ------------------------------------------------------------------------------------ */

static void look_at_part(const drawing_t *d, int32_t number, part_t *part) {
    const int32_t *starts = d->blockers->corner_starts;
    int32_t n = starts[number + 1] - starts[number];
    part->count = n;
    part->farthest = 0;
    part->least = INT64_MAX;
    for (int32_t i = 0; i < n; i++) {
        part->around[i] = seen_from(d->eye, d->blockers->corners + 2 * (starts[number] + i));
        part->farthest = larger(part->farthest, square(part->around[i]));
    }
    for (int32_t i = 0; i < n; i++) {
        part->turns[i] = cross(part->around[i], part->around[(i + 1) % n]);
        if (part->turns[i] < part->least) part->least = part->turns[i];
    }
    /* The edges that face the eye; an eye on an edge faces that one alone. */
    int64_t edge = part->least < 0 ? 0 : 1;
    for (int32_t i = 0; i < n; i++) {
        int near = part->turns[i] < edge, was_near = part->turns[(i + n - 1) % n] < edge;
        if (near && !was_near) part->left = i;
        if (!near && was_near) part->right = i;
    }
}

/* An eye is inside a body where it is inside a part, or on the edge of two. */
static int body_holds_eye(const drawing_t *d, int32_t body) {
    const int32_t *starts = d->blockers->part_starts;
    int32_t touched = 0;
    part_t part;
    for (int32_t i = starts[body]; i < starts[body + 1]; i++) {
        look_at_part(d, i, &part);
        if (part.least > 0) return 1;
        touched += part.least == 0;
    }
    return touched > 1;
}

static void add_body_cuts(const drawing_t *d, const part_t *part, const int32_t *heights, shadow_t *shadow) {
    int64_t slack = d->eye->body_slack, at_eye, at_target;
    for (int limit = 0; limit < 2; limit++) {
        if (!margins(d->eye, heights, limit, &at_eye, &at_target)) continue;
        if (at_eye >= slack && at_target >= slack) continue;
        for (int32_t i = 0; i < part->count; i++) {
            vector_t a = part->around[i], b = part->around[(i + 1) % part->count];
            if (at_eye > 0 && part->turns[i] < 0)
                add_plane(shadow, height_cut(beyond(b, a, 0), at_eye, at_target, slack));
            if (at_eye <= 0 && part->turns[i] > 0)
                add_plane(shadow, height_cut(beyond(a, b, 0), at_eye, at_target, slack));
        }
    }
}

static int is_level_with(const eye_t *eye, const int32_t *heights) {
    return !heights || (eye->height >= heights[0] && eye->height <= heights[1]);
}

static void part_shadow(const drawing_t *d, const part_t *part, int32_t body, shadow_t *shadow) {
    const int32_t *heights = d->blockers->heights ? d->blockers->heights + 2 * body : NULL;
    int64_t slack = d->eye->body_slack;
    vector_t right = part->around[part->right], left = part->around[part->left];
    shadow->count = shadow->is_limited = 0;
    shadow->body = body;
    shadow->begins = 0;
    if (!slack && part->least == 0 && is_level_with(d->eye, heights)) return; /* touched: all is dark */
    shadow->begins = where_it_begins(part->around, part->count);
    add_wedge(shadow, right, left, slack);
    if (slack || part->least == 0) add_plane(shadow, beyond(right, left, slack));
    for (int32_t i = 0; !slack && i < part->count; i++)
        if (part->turns[i] < 0) add_plane(shadow, beyond(part->around[(i + 1) % part->count], part->around[i], 0));
    if (heights) add_body_cuts(d, part, heights, shadow);
}

/* ---- which blockers are hidden by others -------------------------------------------------------- */

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
    const blockers_t *blockers = d->blockers;
    int32_t count = 0;
    for (int32_t wall = 0; wall < blockers->walls; wall++) {
        const int32_t *facts = blockers->facts ? blockers->facts + 4 * wall : NULL;
        vector_t right, left;
        if (blockers->open && blockers->open[wall]) continue;
        int32_t turn = wall_rims(d, wall, &right, &left);
        if (turn == 0) found[(*edge_on)++] = wall;
        if (turn == 0 || !wall_stops(d, wall, turn)) continue;
        spans[count] = span_between(right, left, wall, -1);
        if (!facts || (!facts[0] && !has_height_cuts(d->eye, facts + 2, 0)))
            spans[count].farthest = larger(square(right), square(left));
        count++;
    }
    return count;
}

static int32_t gather_parts(const drawing_t *d, int32_t body, span_t *spans) {
    const blockers_t *blockers = d->blockers;
    const int32_t *heights = blockers->heights ? blockers->heights + 2 * body : NULL;
    int64_t slack = d->eye->body_slack, farthest = 0;
    int32_t count = 0;
    part_t part;
    if (heights && (int64_t)heights[1] - heights[0] < slack) return 0;
    if (heights && !is_within_heights(d->eye, heights, slack)) return 0;
    for (int32_t i = blockers->part_starts[body]; i < blockers->part_starts[body + 1]; i++) {
        look_at_part(d, i, &part);
        farthest = larger(farthest, part.farthest);
        spans[count] = span_between(part.around[part.right], part.around[part.left], i, body);
        if (!slack) spans[count].nearest = 0;
        count++;
    }
    int hides = !(heights && has_height_cuts(d->eye, heights, slack));
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

/* Where a plane's border lies in a row: the last column inside it, or the first. As the row goes down by
 * one, `quotient` and `rest` of the division that gives it move by constants. */
typedef struct {
    int64_t quotient, rest, step_quotient, step_rest, width;
} border_t;

typedef struct {
    border_t lows[MOST_PLANES], highs[MOST_PLANES], flats[MOST_PLANES];
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
        int64_t value = p.a * (l->x - d->eye->x) + p.b * (l->y + (int64_t)l->drop * row - d->eye->y) + p.c;
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

/* Darken a run but for the cells of the body's own blocks, from the given block on. */
static void darken_outside(const drawing_t *d, int32_t row, int32_t low, int32_t high, int32_t block, int32_t end) {
    const lattice_t *l = d->lattice;
    int32_t board_row = l->top + l->step * row;
    for (; low <= high && block < end; block++) {
        const int32_t *own = d->blockers->blocks + 4 * block;
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
    const int32_t *starts = d->blockers->block_starts;
    int64_t offset = l->y - d->eye->y, first = 0, last = l->rows - 1;
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
            wall_shadow(d, spans[i].number, &shadow);
        } else {
            look_at_part(d, spans[i].number, &part);
            part_shadow(d, &part, spans[i].body, &shadow);
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
    drawing_t d = {lattice, eye, blockers, dark, once, words};
    if (!spans || (blockers->facts && !once)) {
        free(spans);
        free(once);
        return -1;
    }
    memset(dark, 0, size * sizeof(uint64_t));
    counts[0] = counts[1] = 0;
    int32_t count = gather_walls(&d, spans, found, &counts[0]);
    for (int32_t body = 0; body < blockers->bodies; body++) {
        if (body_holds_eye(&d, body))
            found[counts[0] + counts[1]++] = body;
        else
            count += gather_parts(&d, body, spans + count);
    }
    draw_spans(&d, spans, count);
    free(spans);
    free(once);
    return 0;
}
