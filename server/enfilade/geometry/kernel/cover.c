/* Counts the blocked lines between two sets of points, by walls and by bodies. The twin of
 * python_sight.blocked_lines. Blockers that do not reach the height of any line are left out at the start.
 *
 * Adjacent lines are mostly stopped by the same wall, so the last few walls that stopped a line are tried first.
 * If none of them does, the blockers are reduced to those near the band that contains all lines to a target,
 * walls and bodies each on first use.
 */
#include "stretch.h"

#include <stdlib.h>
#include <string.h>

enum { IS_LIMITED, ONE_WAY, BOTTOM };
enum { HINTS = 4 };

/* All lines from one set of points to another lie in this box, and in this band around its middle line. */
typedef struct {
    int32_t left, top, right, bottom;
    int32_t x, y, dx, dy;
    int64_t low, high;
} band_t;

/* The bounds of blockers above `base`, in 16 bits and side by side so that many are compared at once. The
 * last column receives the result, 0 for a far blocker. */
typedef struct {
    int16_t *left, *top, *right, *bottom, *near;
} bounds_t;

typedef struct {
    const eye_t *eye;
    const blockers_t *blockers;
    const int32_t *joints;
    int32_t joint_count, is_rising;
    bounds_t wall_bounds, body_bounds;
    int32_t base;
    const band_t *band;
    int32_t *walls, *bodies; /* those near the band, and their number; -1 before the first use */
    int32_t wall_count, body_count;
    int32_t hints[HINTS], hint_count; /* walls that stopped lines, the latest first */
} search_t;

/* ---- one line and one blocker ------------------------------------------------------------------- */

static int meets_wall(const search_t *s, int32_t wall, const int32_t *a, const int32_t *b) {
    const int32_t *line = s->blockers->lines + 4 * wall;
    const int32_t *facts = s->blockers->facts ? s->blockers->facts + 4 * wall : NULL;
    int meets = s->eye->wall_slack ? crosses(a, b, line, line + 2) : touches(a, b, line, line + 2);
    if (!meets || !facts) return meets;
    if (s->is_rising) {
        stretch_t there = meeting(a, b, line);
        if (!narrow_to_heights(&there, s->eye, facts + BOTTOM, 0)) return 0;
    }
    if (facts[ONE_WAY] == BOTH_WAYS) return 1;
    int64_t across = side(line, line + 2, b) - side(line, line + 2, a);
    return facts[ONE_WAY] == FROM_LEFT ? across > 0 : across < 0;
}

/* A line misses a convex part if both of its ends are outside one edge, or all corners on one side of it. */
static int meets_part(const search_t *s, int32_t part, const int32_t *a, const int32_t *b) {
    const int32_t *starts = s->blockers->corner_starts, *corners = s->blockers->corners + 2 * starts[part];
    int32_t n = starts[part + 1] - starts[part], slack = s->eye->body_slack, positive = 0, negative = 0;
    for (int32_t i = 0; i < n; i++) {
        int64_t turn = side(a, b, corners + 2 * i);
        positive |= turn >= slack;
        negative |= turn <= -slack;
    }
    if (!positive || !negative) return 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t *from = corners + 2 * i, *to = corners + 2 * ((i + 1) % n);
        if (side(from, to, a) < slack && side(from, to, b) < slack) return 0;
    }
    return 1;
}

/* Return whether a rising line is at a body's heights inside a part. */
static int rises_into(const search_t *s, int32_t body, int32_t part, const int32_t *a, const int32_t *b) {
    int32_t slack = s->eye->body_slack;
    stretch_t inside = WHOLE;
    return narrow_to_part(&inside, s->blockers, part, a, b, slack) &&
           narrow_to_heights(&inside, s->eye, s->blockers->heights + 2 * body, slack);
}

static int is_exempt(const search_t *s, int32_t body, const int32_t *a, const int32_t *b) {
    return contains(s->blockers, body, a) || contains(s->blockers, body, b);
}

/* ---- one line and all blockers near it ---------------------------------------------------------- */

static int is_limited(const search_t *s, int32_t wall) {
    return s->blockers->facts && s->blockers->facts[4 * wall + IS_LIMITED];
}

static void find_walls(search_t *s);
static void find_bodies(search_t *s);

/* Move the hint at an index to the front; an index past the last adds a new one. */
static void put_first(search_t *s, int32_t index, int32_t wall) {
    if (index == s->hint_count && s->hint_count < HINTS) s->hint_count++;
    if (index == HINTS) index--;
    memmove(s->hints + 1, s->hints, sizeof(int32_t) * (size_t)index);
    s->hints[0] = wall;
}

static int hints_stop(search_t *s, const int32_t *a, const int32_t *b) {
    for (int32_t i = 0; i < s->hint_count; i++)
        if (meets_wall(s, s->hints[i], a, b)) {
            if (i) put_first(s, i, s->hints[i]);
            return 1;
        }
    return 0;
}

static int walls_stop(search_t *s, const int32_t *a, const int32_t *b) {
    int32_t limited = 0;
    if (hints_stop(s, a, b)) return 1;
    if (s->wall_count < 0) find_walls(s);
    for (int32_t i = 0; i < s->wall_count; i++) {
        int32_t wall = s->walls[i];
        if (!meets_wall(s, wall, a, b)) continue;
        if (!is_limited(s, wall)) {
            put_first(s, s->hint_count, wall);
            return 1;
        }
        if (++limited > 1) return 1;
    }
    return 0;
}

static int joints_stop(const search_t *s, const int32_t *a, const int32_t *b) {
    for (int32_t i = 0; i < s->joint_count; i++) {
        const int32_t *joint = s->joints + JOINT * i;
        int meets = joint[4] ? runs_along(a, b, joint, joint + 2) : touches(a, b, joint, joint + 2);
        if (meets && s->is_rising) {
            stretch_t there = joint[4] ? stretch_along(a, b, joint) : meeting(a, b, joint);
            meets = narrow_to_heights(&there, s->eye, joint + 7, joint[4]);
        }
        if (meets && !is_exempt(s, joint[5], a, b) && !is_exempt(s, joint[6], a, b)) return 1;
    }
    return 0;
}

static int bodies_stop(search_t *s, const int32_t *a, const int32_t *b) {
    const int32_t *starts = s->blockers->part_starts;
    if (s->body_count < 0) find_bodies(s);
    for (int32_t i = 0; i < s->body_count; i++) {
        int32_t body = s->bodies[i];
        for (int32_t part = starts[body]; part < starts[body + 1]; part++) {
            if (!meets_part(s, part, a, b)) continue;
            if (s->is_rising && s->blockers->heights && !rises_into(s, body, part, a, b)) continue;
            if (is_exempt(s, body, a, b)) break;
            return 1;
        }
    }
    return joints_stop(s, a, b);
}

/* ---- the blockers near a target's lines --------------------------------------------------------- */

static inline int64_t off_middle(const band_t *band, const int32_t *point) {
    return (int64_t)band->dx * (point[1] - band->y) - (int64_t)band->dy * (point[0] - band->x);
}

static void widen(band_t *band, const int32_t *points, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        int32_t x = points[2 * i], y = points[2 * i + 1];
        band->left = lesser(band->left, x), band->right = greater(band->right, x);
        band->top = lesser(band->top, y), band->bottom = greater(band->bottom, y);
    }
}

static band_t band_between(const int32_t *from, int32_t from_count, const int32_t *to, int32_t to_count) {
    band_t band = {from[0], from[1], from[0], from[1], from[0], from[1], to[0] - from[0], to[1] - from[1], 0, 0};
    widen(&band, from, from_count);
    widen(&band, to, to_count);
    for (int32_t i = 0; i < from_count + to_count; i++) {
        int64_t off = off_middle(&band, i < from_count ? from + 2 * i : to + 2 * (i - from_count));
        if (off < band.low) band.low = off;
        if (off > band.high) band.high = off;
    }
    return band;
}

static inline int is_in_band(const band_t *band, const int32_t *points, int32_t count) {
    int is_below = 1, is_above = 1;
    for (int32_t i = 0; i < count; i++) {
        int64_t off = off_middle(band, points + 2 * i);
        is_below &= off < band->low;
        is_above &= off > band->high;
    }
    return !(is_below | is_above);
}

/* Mark the blockers whose bounds meet the band's. */
static void mark_near(const search_t *s, const band_t *band, const bounds_t *bounds, int32_t count) {
    const int16_t left = (int16_t)(band->left - s->base), right = (int16_t)(band->right - s->base);
    const int16_t top = (int16_t)(band->top - s->base), bottom = (int16_t)(band->bottom - s->base);
    for (int32_t i = 0; i < count; i++)
        bounds->near[i] = (int16_t)((bounds->left[i] <= right) & (bounds->right[i] >= left) &
                                    (bounds->top[i] <= bottom) & (bounds->bottom[i] >= top));
}

/* Collect the numbers of the marked blockers, without a branch: marks are too mixed for branch prediction. */
static int32_t gather(const int16_t *near, int32_t count, int32_t *numbers) {
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        numbers[found] = i;
        found += near[i];
    }
    return found;
}

static void find_walls(search_t *s) {
    const int32_t *lines = s->blockers->lines;
    mark_near(s, s->band, &s->wall_bounds, s->blockers->walls);
    int32_t marked = gather(s->wall_bounds.near, s->blockers->walls, s->walls);
    s->wall_count = 0;
    for (int32_t i = 0; i < marked; i++) {
        int32_t wall = s->walls[i];
        s->walls[s->wall_count] = wall;
        s->wall_count += is_in_band(s->band, lines + 4 * wall, 2);
    }
}

static void find_bodies(search_t *s) {
    const blockers_t *b = s->blockers;
    mark_near(s, s->band, &s->body_bounds, b->bodies);
    int32_t marked = gather(s->body_bounds.near, b->bodies, s->bodies);
    s->body_count = 0;
    for (int32_t i = 0; i < marked; i++) {
        int32_t body = s->bodies[i];
        int32_t first = b->corner_starts[b->part_starts[body]], end = b->corner_starts[b->part_starts[body + 1]];
        s->bodies[s->body_count] = body;
        s->body_count += is_in_band(s->band, b->corners + 2 * first, end - first);
    }
}

static void look_along(search_t *s, const band_t *band) {
    s->band = band;
    s->wall_count = s->body_count = -1;
}

/* ---- computed once for all targets ---------------------------------------------------- */

/* Return whether any point of a line is at the heights of a blocker. */
static int reaches(const eye_t *eye, const int32_t *heights, int32_t slack) {
    stretch_t all = WHOLE;
    return narrow_to_heights(&all, eye, heights, slack);
}

static bounds_t bounds_at(int16_t *room, int32_t count) {
    bounds_t bounds = {room, room + count, room + 2 * count, room + 3 * count, room + 4 * count};
    return bounds;
}

/* Set the bounds of some points; impossible ones for a blocker that the lines pass above or below. */
static void set_bounds(const search_t *s, const bounds_t *bounds, int32_t i, const int32_t *points, int32_t count,
                       int is_met) {
    band_t all = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, 0, 0, 0, 0, 0, 0};
    bounds->left[i] = bounds->top[i] = INT16_MAX;
    bounds->right[i] = bounds->bottom[i] = -1;
    if (!is_met || !count) return;
    widen(&all, points, count);
    bounds->left[i] = (int16_t)(all.left - s->base), bounds->top[i] = (int16_t)(all.top - s->base);
    bounds->right[i] = (int16_t)(all.right - s->base), bounds->bottom[i] = (int16_t)(all.bottom - s->base);
}

static void set_all_bounds(search_t *s) {
    const blockers_t *b = s->blockers;
    for (int32_t wall = 0; wall < b->walls; wall++) {
        int is_met = !b->facts || reaches(s->eye, b->facts + 4 * wall + BOTTOM, 0);
        set_bounds(s, &s->wall_bounds, wall, b->lines + 4 * wall, 2, is_met);
    }
    for (int32_t body = 0; body < b->bodies; body++) {
        int32_t first = b->corner_starts[b->part_starts[body]], end = b->corner_starts[b->part_starts[body + 1]];
        int is_met = !b->heights || reaches(s->eye, b->heights + 2 * body, s->eye->body_slack);
        set_bounds(s, &s->body_bounds, body, b->corners + 2 * first, end - first, is_met);
    }
}

/* Count the blocked lines from all points to one target; two counts for each point. */
static void count_blocked(search_t *s, int32_t from_count, const int32_t *from, int32_t count, const int32_t *to,
                          int32_t *found) {
    band_t band = band_between(from, from_count, to, count);
    look_along(s, &band);
    for (int32_t i = 0; i < from_count; i++)
        for (int32_t j = 0; j < count; j++) {
            if (walls_stop(s, from + 2 * i, to + 2 * j))
                found[2 * i]++;
            else if (bodies_stop(s, from + 2 * i, to + 2 * j))
                found[2 * i + 1]++;
        }
}

static int32_t least(int32_t so_far, const int32_t *numbers, int32_t count) {
    for (int32_t i = 0; i < count; i++) so_far = lesser(so_far, numbers[i]);
    return so_far;
}

/* Set up a search. Returns the memory to free at its end, or NULL if there was none. `from` and `to` are all
 * the points that lines will join. */
static void *begin(search_t *s, const int32_t *from, int32_t from_count, const int32_t *to, int32_t to_count) {
    const blockers_t *b = s->blockers;
    size_t count = (size_t)b->walls + (size_t)b->bodies;
    char *room = malloc((count + 2) * (sizeof(int32_t) + 5 * sizeof(int16_t)));
    if (!room) return NULL;
    s->is_rising = s->eye->height != s->eye->target_height;
    s->walls = (int32_t *)room;
    s->bodies = s->walls + b->walls + 1;
    s->wall_bounds = bounds_at((int16_t *)(s->walls + count + 2), b->walls);
    s->body_bounds = bounds_at(s->wall_bounds.near + b->walls, b->bodies);
    s->base = least(least(INT32_MAX, from, 2 * from_count), to, 2 * to_count);
    s->base = least(s->base, b->lines, 4 * b->walls);
    s->base = least(s->base, b->corners, 2 * b->corner_starts[b->part_starts[b->bodies]]);
    set_all_bounds(s);
    return room;
}

int32_t enfilade_cover(const eye_t *eye, const blockers_t *blockers, int32_t joint_count, const int32_t *joints,
                       int32_t from_count, const int32_t *from, int32_t targets, const int32_t *starts,
                       const int32_t *to, int32_t *blocked) {
    search_t s = {.eye = eye, .blockers = blockers, .joints = joints, .joint_count = joint_count};
    void *room = begin(&s, from, from_count, to, starts[targets]);
    if (!room) return -1;
    memset(blocked, 0, sizeof(int32_t) * 2 * (size_t)from_count * (size_t)targets);
    for (int32_t i = 0; i < targets; i++)
        if (starts[i + 1] > starts[i])
            count_blocked(&s, from_count, from, starts[i + 1] - starts[i], to + 2 * starts[i],
                          blocked + 2 * from_count * i);
    free(room);
    return 0;
}

/* ---- pairs ------------------------------------------------------------------------------------- */

static uint8_t has_clear_line(search_t *s, int32_t from_count, const int32_t *from, int32_t count, const int32_t *to) {
    band_t band = band_between(from, from_count, to, count);
    look_along(s, &band);
    for (int32_t i = 0; i < from_count; i++)
        for (int32_t j = 0; j < count; j++)
            if (!walls_stop(s, from + 2 * i, to + 2 * j) && !bodies_stop(s, from + 2 * i, to + 2 * j)) return 1;
    return 0;
}

int32_t enfilade_any_clear(const eye_t *eye, const blockers_t *blockers, int32_t joint_count, const int32_t *joints,
                           int32_t pairs, const int32_t *starts, const int32_t *from, const int32_t *ends,
                           const int32_t *to, uint8_t *clear) {
    search_t s = {.eye = eye, .blockers = blockers, .joints = joints, .joint_count = joint_count};
    void *room = begin(&s, from, starts[pairs], to, ends[pairs]);
    if (!room) return -1;
    for (int32_t i = 0; i < pairs; i++) {
        int32_t from_count = starts[i + 1] - starts[i], count = ends[i + 1] - ends[i];
        clear[i] = from_count && count &&
                   has_clear_line(&s, from_count, from + 2 * starts[i], count, to + 2 * ends[i]);
    }
    free(room);
    return 0;
}

/* Return whether a line may meet any of the boxes; -1 boxes mean all pairs. */
static int is_touched(const int32_t *a, const int32_t *b, int32_t boxes, const int32_t *box) {
    for (int32_t i = 0; i < boxes; i++, box += 4) {
        const int32_t corners[8] = {box[0], box[1], box[2], box[1], box[2], box[3], box[0], box[3]};
        band_t line = band_between(a, 1, b, 1);
        if (line.left <= box[2] && line.right >= box[0] && line.top <= box[3] && line.bottom >= box[1] &&
            is_in_band(&line, corners, 4))
            return 1;
    }
    return boxes < 0;
}

static uint8_t is_clear(search_t *s, const int32_t *a, const int32_t *b) {
    band_t band = band_between(a, 1, b, 1);
    look_along(s, &band);
    return !walls_stop(s, a, b) && !bodies_stop(s, a, b);
}

int32_t enfilade_pairs(const eye_t *eye, const blockers_t *blockers, int32_t joint_count, const int32_t *joints,
                       int32_t count, const int32_t *points, int32_t boxes, const int32_t *changed,
                       uint8_t *clear) {
    search_t s = {.eye = eye, .blockers = blockers, .joints = joints, .joint_count = joint_count};
    void *room = begin(&s, points, count, points, count);
    if (!room) return -1;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j <= i; j++) {
            const int32_t *a = points + 2 * i, *b = points + 2 * j;
            if (!is_touched(a, b, boxes, changed)) continue;
            clear[(size_t)i * count + j] = is_clear(&s, a, b);
            clear[(size_t)j * count + i] = blockers->facts ? is_clear(&s, b, a) : clear[(size_t)i * count + j];
        }
    free(room);
    return 0;
}
