/* Stretches: the part of a line from one fraction of its length to another, inside a shape and at a blocker's heights.
 * The twin of the spans in ../sight/intersections.py.
 *
 * A fraction of a line is an integer over a positive integer. Coordinates span less than 2^15, so both are below 2^32
 * and their products, by which fractions are compared, below 2^63.
 */
#ifndef ENFILADE_STRETCH_H
#define ENFILADE_STRETCH_H

#include "lines.h"

typedef struct {
    int64_t over, under;
} fraction_t;

typedef struct {
    fraction_t low, high;
} stretch_t;

static const stretch_t WHOLE = {{0, 1}, {1, 1}};

static int is_less(fraction_t one, fraction_t other) { return one.over * other.under < other.over * one.under; }

static fraction_t fraction(int64_t over, int64_t under) {
    fraction_t found = {under < 0 ? -over : over, under < 0 ? -under : under};
    return found;
}

static fraction_t later(fraction_t one, fraction_t other) { return is_less(one, other) ? other : one; }

static fraction_t earlier(fraction_t one, fraction_t other) { return is_less(other, one) ? other : one; }

/* Narrow a stretch to where a value from at_a to at_b is at least 0, or above 0 with slack. Returns 0 if nothing is
 * left. */
static int narrow(stretch_t *s, int64_t at_a, int64_t at_b, int32_t slack) {
    if (at_a < slack && at_b < slack) return 0;
    if (at_a < 0)
        s->low = later(s->low, fraction(at_a, at_a - at_b));
    else if (at_b < 0)
        s->high = earlier(s->high, fraction(at_a, at_a - at_b));
    return is_less(s->low, s->high) || (!slack && !is_less(s->high, s->low));
}

/* Narrow a stretch to the heights of a blocker, its bottom and its top; NULL if it has none. */
static int narrow_to_heights(stretch_t *s, const eye_t *eye, const int32_t *heights, int32_t slack) {
    if (!heights) return 1;
    int64_t low = heights[0], high = heights[1];
    return narrow(s, high - eye->height, high - eye->target_height, slack) &&
           narrow(s, eye->height - low, eye->target_height - low, slack) &&
           (!slack || is_less(s->low, s->high));
}

/* The fraction of a point on the line; 0 if the line has no length. */
static fraction_t along(const int32_t *a, const int32_t *b, const int32_t *p) {
    int64_t dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
    if (!length) return WHOLE.low;
    return fraction((p[0] - a[0]) * dx + (p[1] - a[1]) * dy, length);
}

/* The stretch of a line along a segment in line with it; all of a line without a length. */
static stretch_t stretch_along(const int32_t *a, const int32_t *b, const int32_t *ends) {
    fraction_t one = along(a, b, ends), other = along(a, b, ends + 2);
    stretch_t found = {later(WHOLE.low, earlier(one, other)), earlier(WHOLE.high, later(one, other))};
    return a[0] == b[0] && a[1] == b[1] ? WHOLE : found;
}

/* Where the line meets a segment that it touches: in one point, or along it. */
static stretch_t meeting(const int32_t *a, const int32_t *b, const int32_t *ends) {
    int64_t first = side(ends, ends + 2, a), second = side(ends, ends + 2, b);
    if (first == second) return stretch_along(a, b, ends);
    stretch_t found = {fraction(first, first - second), fraction(first, first - second)};
    return found;
}

/* Narrow a stretch to the inside of a convex part (Cyrus and Beck). Returns 0 if nothing is left. */
static int narrow_to_part(stretch_t *s, const blockers_t *blockers, int32_t part, const int32_t *a, const int32_t *b,
                          int32_t slack) {
    const int32_t *starts = blockers->corner_starts, *corners = blockers->corners + 2 * starts[part];
    int32_t n = starts[part + 1] - starts[part];
    for (int32_t i = 0; i < n; i++) {
        const int32_t *from = corners + 2 * i, *to = corners + 2 * ((i + 1) % n);
        if (!narrow(s, side(from, to, a), side(from, to, b), slack)) return 0;
    }
    return 1;
}

#endif
