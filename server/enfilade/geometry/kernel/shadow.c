/* The shadows of walls and bodies. The twin of ../sight/shadows.py, which explains the geometry. */
#include "shadow.h"

#include <stddef.h>

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

/* Find the heights of eye and target below the top (limit 0) or above the bottom (limit 1). */
static int margins(const eye_t *eye, const int32_t *heights, int limit, int64_t *at_eye, int64_t *at_target) {
    int32_t edge = limit ? heights[0] : heights[1];
    if (edge == (limit ? INT32_MIN : INT32_MAX)) return 0;
    *at_eye = limit ? (int64_t)eye->height - edge : (int64_t)edge - eye->height;
    *at_target = limit ? (int64_t)eye->target_height - edge : (int64_t)edge - eye->target_height;
    return 1;
}

/* Return whether a top and a bottom leave any shadow; see shadows.py, _height_cuts. */
int is_within_heights(const eye_t *eye, const int32_t *heights, int64_t slack) {
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

int32_t wall_rims(const view_t *v, int32_t wall, vector_t *right, vector_t *left) {
    const int32_t *line = v->blockers->lines + 4 * wall;
    vector_t a = seen_from(v->eye, line), b = seen_from(v->eye, line + 2);
    int64_t turn = cross(a, b);
    *right = turn > 0 ? a : b;
    *left = turn > 0 ? b : a;
    return turn > 0 ? 1 : turn < 0 ? -1 : 0;
}

/* Return whether a wall seen with this turn stops the eye: from the left of its line the turn is negative, as
 * side_of(start, end, eye) is. */
int wall_stops(const view_t *v, int32_t wall, int32_t turn) {
    const int32_t *facts = v->blockers->facts ? v->blockers->facts + 4 * wall : NULL;
    if (!facts) return 1;
    if (facts[1] != BOTH_WAYS && (turn < 0) != (facts[1] == FROM_LEFT)) return 0;
    return is_within_heights(v->eye, facts + 2, 0);
}

int has_height_cuts(const eye_t *eye, const int32_t *heights, int64_t slack) {
    int64_t at_eye, at_target;
    for (int limit = 0; limit < 2; limit++)
        if (margins(eye, heights, limit, &at_eye, &at_target) && (at_eye < slack || at_target < slack)) return 1;
    return 0;
}

void wall_shadow(const view_t *v, int32_t wall, shadow_t *shadow) {
    const int32_t *facts = v->blockers->facts ? v->blockers->facts + 4 * wall : NULL;
    int64_t slack = v->eye->wall_slack, at_eye, at_target;
    vector_t rims[2];
    wall_rims(v, wall, &rims[0], &rims[1]);
    shadow->count = 0;
    shadow->body = -1;
    shadow->is_limited = facts ? facts[0] : 0;
    shadow->begins = where_it_begins(rims, 2);
    add_wedge(shadow, rims[0], rims[1], slack);
    add_plane(shadow, beyond(rims[0], rims[1], slack));
    for (int limit = 0; facts && limit < 2; limit++)
        if (margins(v->eye, facts + 2, limit, &at_eye, &at_target) && (at_eye < 0 || at_target < 0))
            add_plane(shadow, height_cut(beyond(rims[0], rims[1], 0), at_eye, at_target, 0));
}

/* ---- bodies ------------------------------------------------------------------------------------ */

void look_at_part(const view_t *v, int32_t number, part_t *part) {
    const int32_t *starts = v->blockers->corner_starts;
    int32_t n = starts[number + 1] - starts[number];
    part->count = n;
    part->farthest = 0;
    part->least = INT64_MAX;
    for (int32_t i = 0; i < n; i++) {
        part->around[i] = seen_from(v->eye, v->blockers->corners + 2 * (starts[number] + i));
        part->farthest = larger(part->farthest, square(part->around[i]));
    }
    for (int32_t i = 0; i < n; i++) {
        part->turns[i] = cross(part->around[i], part->around[(i + 1) % n]);
        if (part->turns[i] < part->least) part->least = part->turns[i];
    }
    /* The edges that face the eye; an eye on an edge faces only that one. */
    int64_t edge = part->least < 0 ? 0 : 1;
    for (int32_t i = 0; i < n; i++) {
        int near = part->turns[i] < edge, was_near = part->turns[(i + n - 1) % n] < edge;
        if (near && !was_near) part->left = i;
        if (!near && was_near) part->right = i;
    }
}

int body_contains_eye(const view_t *v, int32_t body) {
    const int32_t *starts = v->blockers->part_starts;
    int32_t touched = 0;
    part_t part;
    for (int32_t i = starts[body]; i < starts[body + 1]; i++) {
        look_at_part(v, i, &part);
        if (part.least > 0) return 1;
        touched += part.least == 0;
    }
    return touched > 1;
}

static void add_body_cuts(const view_t *v, const part_t *part, const int32_t *heights, shadow_t *shadow) {
    int64_t slack = v->eye->body_slack, at_eye, at_target;
    for (int limit = 0; limit < 2; limit++) {
        if (!margins(v->eye, heights, limit, &at_eye, &at_target)) continue;
        if (at_eye >= slack && at_target >= slack) continue;
        for (int32_t i = 0; i < part->count; i++) {
            vector_t a = part->around[i], b = part->around[(i + 1) % part->count];
            if (at_eye > 0 && part->turns[i] < (slack ? 0 : 1))
                add_plane(shadow, height_cut(beyond(b, a, 0), at_eye, at_target, slack));
            if (at_eye <= 0 && part->turns[i] > 0)
                add_plane(shadow, height_cut(beyond(a, b, 0), at_eye, at_target, slack));
        }
    }
}

static int is_level_with(const eye_t *eye, const int32_t *heights) {
    return !heights || (eye->height >= heights[0] && eye->height <= heights[1]);
}

void part_shadow(const view_t *v, const part_t *part, int32_t body, shadow_t *shadow) {
    const int32_t *heights = v->blockers->heights ? v->blockers->heights + 2 * body : NULL;
    int64_t slack = v->eye->body_slack;
    vector_t right = part->around[part->right], left = part->around[part->left];
    shadow->count = shadow->is_limited = 0;
    shadow->body = body;
    shadow->begins = 0;
    if (!slack && part->least == 0 && is_level_with(v->eye, heights)) return; /* touched: all is dark */
    shadow->begins = where_it_begins(part->around, part->count);
    add_wedge(shadow, right, left, slack);
    if (slack) add_plane(shadow, beyond(right, left, slack));
    for (int32_t i = 0; !slack && i < part->count; i++)
        if (part->turns[i] <= 0) add_plane(shadow, beyond(part->around[(i + 1) % part->count], part->around[i], 0));
    if (heights) add_body_cuts(v, part, heights, shadow);
}
