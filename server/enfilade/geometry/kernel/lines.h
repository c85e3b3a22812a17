/* Exact tests of one line against one segment or one body. The twin of predicates.py. The functions are not `inline`:
 * cover.c is a seventh faster if the compiler chooses what to inline. */
#ifndef ENFILADE_LINES_H
#define ENFILADE_LINES_H

#include "sight.h"

static int64_t side(const int32_t *a, const int32_t *b, const int32_t *p) {
    return (int64_t)(b[0] - a[0]) * (p[1] - a[1]) - (int64_t)(b[1] - a[1]) * (p[0] - a[0]);
}

static int32_t lesser(int32_t a, int32_t b) { return a < b ? a : b; }

static int32_t greater(int32_t a, int32_t b) { return a > b ? a : b; }

static int boxes_meet(const int32_t *a, const int32_t *b, const int32_t *c, const int32_t *d) {
    for (int i = 0; i < 2; i++)
        if (greater(lesser(a[i], b[i]), lesser(c[i], d[i])) > lesser(greater(a[i], b[i]), greater(c[i], d[i])))
            return 0;
    return 1;
}

static int have_same_sign(int64_t a, int64_t b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

static int have_opposite_signs(int64_t a, int64_t b) { return (a > 0 && b < 0) || (a < 0 && b > 0); }

static int touches(const int32_t *a, const int32_t *b, const int32_t *c, const int32_t *d) {
    return boxes_meet(a, b, c, d) && !have_same_sign(side(a, b, c), side(a, b, d)) &&
           !have_same_sign(side(c, d, a), side(c, d, b));
}

static int crosses(const int32_t *a, const int32_t *b, const int32_t *c, const int32_t *d) {
    return have_opposite_signs(side(a, b, c), side(a, b, d)) && have_opposite_signs(side(c, d, a), side(c, d, b));
}

static int runs_along(const int32_t *a, const int32_t *b, const int32_t *c, const int32_t *d) {
    int axis = c[0] == d[0];
    if ((a[0] == b[0] && a[1] == b[1]) || side(a, b, c) || side(a, b, d)) return 0;
    return greater(lesser(a[axis], b[axis]), lesser(c[axis], d[axis])) <
           lesser(greater(a[axis], b[axis]), greater(c[axis], d[axis]));
}

/* A point is inside a body if it is inside a part, or on the edge between two. */
static int contains(const blockers_t *blockers, int32_t body, const int32_t *point) {
    int32_t touched = 0;
    for (int32_t part = blockers->part_starts[body]; part < blockers->part_starts[body + 1]; part++) {
        const int32_t *starts = blockers->corner_starts, *corners = blockers->corners + 2 * starts[part];
        int32_t n = starts[part + 1] - starts[part];
        int64_t least = INT64_MAX;
        for (int32_t i = 0; i < n; i++) {
            int64_t turn = side(corners + 2 * i, corners + 2 * ((i + 1) % n), point);
            if (turn < least) least = turn;
        }
        if (least > 0) return 1;
        touched += least == 0;
    }
    return touched > 1;
}

#endif
