/* The first obstruction of each of many lines from one point. The twin of ../sight/intersections.py. */
#include "stretch.h"

#include <stddef.h>

enum { IS_LIMITED, ONE_WAY, BOTTOM };

typedef struct {
    fraction_t at;
    int32_t wall, body;
} hit_t;

typedef struct {
    const eye_t *eye;
    const blockers_t *blockers;
    const int32_t *joints, *a, *b;
    int32_t joint_count, left, top, right, bottom;
} line_t;

static const fraction_t NEVER = {2, 1};

static void keep_first(hit_t *first, fraction_t at, int32_t wall, int32_t body) {
    if (!is_less(at, first->at)) return;
    first->at = at;
    first->wall = wall;
    first->body = body;
}

static inline int is_far(const line_t *l, const int32_t *line) {
    return (line[0] < l->left && line[2] < l->left) || (line[0] > l->right && line[2] > l->right) ||
           (line[1] < l->top && line[3] < l->top) || (line[1] > l->bottom && line[3] > l->bottom);
}

/* ---- walls and joints -------------------------------------------------------------------------- */

static int is_faced(const line_t *l, const int32_t *ends, int32_t one_way) {
    int64_t across = side(ends, ends + 2, l->b) - side(ends, ends + 2, l->a);
    return one_way == BOTH_WAYS || (one_way == FROM_LEFT ? across > 0 : across < 0);
}

/* A limited wall stops the line only if it is the second one there. */
static void find_walls(const line_t *l, hit_t *first) {
    const blockers_t *b = l->blockers;
    fraction_t limited[2] = {NEVER, NEVER};
    int32_t numbers[2] = {-1, -1};
    for (int32_t wall = 0; wall < b->walls; wall++) {
        const int32_t *ends = b->lines + 4 * wall, *facts = b->facts ? b->facts + 4 * wall : NULL;
        if (is_far(l, ends)) continue;
        if (!(l->eye->wall_slack ? crosses(l->a, l->b, ends, ends + 2) : touches(l->a, l->b, ends, ends + 2)))
            continue;
        stretch_t there = meeting(l->a, l->b, ends);
        if (facts && (!is_faced(l, ends, facts[ONE_WAY]) || !narrow_to_heights(&there, l->eye, facts + BOTTOM, 0)))
            continue;
        fraction_t at = there.low;
        if (!facts || !facts[IS_LIMITED]) {
            keep_first(first, at, wall, -1);
        } else if (is_less(at, limited[0])) {
            limited[1] = limited[0], numbers[1] = numbers[0];
            limited[0] = at, numbers[0] = wall;
        } else if (is_less(at, limited[1])) {
            limited[1] = at, numbers[1] = wall;
        }
    }
    keep_first(first, limited[1], numbers[1], -1);
}

static int is_around_an_end(const line_t *l, int32_t body) {
    return contains(l->blockers, body, l->a) || contains(l->blockers, body, l->b);
}

static void find_joints(const line_t *l, hit_t *first) {
    for (int32_t i = 0; i < l->joint_count; i++) {
        const int32_t *joint = l->joints + JOINT * i;
        if (is_far(l, joint)) continue;
        if (!(joint[4] ? runs_along(l->a, l->b, joint, joint + 2) : touches(l->a, l->b, joint, joint + 2))) continue;
        if (is_around_an_end(l, joint[5]) || is_around_an_end(l, joint[6])) continue;
        stretch_t there = joint[4] ? stretch_along(l->a, l->b, joint) : meeting(l->a, l->b, joint);
        if (narrow_to_heights(&there, l->eye, joint + 7, joint[4])) keep_first(first, there.low, -1, -1);
    }
}

/* ---- bodies ------------------------------------------------------------------------------------ */

static int is_part_far(const line_t *l, int32_t part) {
    int32_t first = l->blockers->corner_starts[part], end = l->blockers->corner_starts[part + 1];
    int is_left = 1, is_right = 1, is_above = 1, is_below = 1;
    for (const int32_t *p = l->blockers->corners + 2 * first; p < l->blockers->corners + 2 * end; p += 2) {
        is_left &= p[0] < l->left, is_right &= p[0] > l->right;
        is_above &= p[1] < l->top, is_below &= p[1] > l->bottom;
    }
    return is_left | is_right | is_above | is_below;
}

static void find_bodies(const line_t *l, hit_t *first) {
    const blockers_t *b = l->blockers;
    int32_t slack = l->eye->body_slack;
    for (int32_t body = 0; body < b->bodies; body++) {
        const int32_t *heights = b->heights ? b->heights + 2 * body : NULL;
        fraction_t at = NEVER;
        for (int32_t part = b->part_starts[body]; part < b->part_starts[body + 1]; part++) {
            if (is_part_far(l, part)) continue;
            stretch_t inside = WHOLE;
            if (narrow_to_part(&inside, b, part, l->a, l->b, slack) &&
                narrow_to_heights(&inside, l->eye, heights, slack))
                at = earlier(at, inside.low);
        }
        if (is_less(at, first->at) && !is_around_an_end(l, body)) keep_first(first, at, -1, body);
    }
}

void enfilade_first_hits(const eye_t *eye, const blockers_t *blockers, int32_t joint_count, const int32_t *joints,
                         const int32_t *from, int32_t count, const int32_t *to, int64_t *hits) {
    line_t line = {.eye = eye, .blockers = blockers, .joints = joints, .joint_count = joint_count, .a = from};
    for (int32_t i = 0; i < count; i++, hits += 4) {
        hit_t first = {NEVER, -1, -1};
        line.b = to + 2 * i;
        line.left = lesser(from[0], line.b[0]), line.right = greater(from[0], line.b[0]);
        line.top = lesser(from[1], line.b[1]), line.bottom = greater(from[1], line.b[1]);
        find_walls(&line, &first);
        find_bodies(&line, &first);
        find_joints(&line, &first);
        hits[0] = first.at.over, hits[1] = first.at.under;
        hits[2] = first.wall, hits[3] = first.body;
    }
}
