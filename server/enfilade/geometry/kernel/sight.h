/* What the sight functions are told about a board, an eye and what stands in its way. */
#ifndef ENFILADE_SIGHT_H
#define ENFILADE_SIGHT_H

#include "kernel.h"

enum { BOTH_WAYS, FROM_LEFT, FROM_RIGHT };
enum { MOST_CORNERS = 8 };

/* Cell (first + stride k, top + step j) of the board has its centre at (x + pitch k, y + drop j). */
typedef struct {
    int32_t first, stride, columns, top, step, rows, x, y, pitch, drop;
} lattice_t;

/* A slack is 0 where a line is stopped by touching, 1 where it must go through. */
typedef struct {
    int32_t x, y, height, target_height, wall_slack, body_slack;
} eye_t;

/* Walls: 4 coordinates each, and 4 facts each (is_limited, one way, bottom, top), or no facts where all
 * are plain. `open` marks walls this eye sees through; it may be NULL. Bodies: bottom and top each, or
 * NULL where all are plain; the parts of body i are part_starts[i] to part_starts[i + 1], likewise the
 * corners of a part (two coordinates each) and the blocks of its own cells (4 each). */
typedef struct {
    int32_t walls, bodies;
    const int32_t *lines, *facts;
    const uint8_t *open;
    const int32_t *heights, *part_starts, *corner_starts, *corners, *block_starts, *blocks;
} blockers_t;

/* Darkens the cells of a lattice whose centre the eye does not see: bit k of the words of line j. What
 * lies in line with a wall seen from its end is left to the caller: `found` receives the numbers of the
 * walls that the eye looks along, and then those of the bodies that hold it; `counts` how many of each.
 * Returns 0, or -1 where memory ran out. */
EXPORT int32_t enfilade_shadows(const lattice_t *lattice, const eye_t *eye, const blockers_t *blockers,
                                uint64_t *dark, int32_t *found, int32_t *counts);

/* For each target the lines from each of some points to each of the target's points that are blocked: by
 * walls, and by bodies but no wall; 2 numbers for each point and target. Both heights of the eye are the
 * same, and no wall is `open`. Joints are 7 numbers each: x1, y1, x2, y2, is a seam, and their two bodies.
 * Returns 0, or -1 where memory ran out. */
EXPORT int32_t enfilade_cover(const eye_t *eye, const blockers_t *blockers, int32_t joint_count,
                              const int32_t *joints, int32_t from_count, const int32_t *from, int32_t targets,
                              const int32_t *starts, const int32_t *to, int32_t *blocked);

/* Whether the line from each of some points to each other is clear, 1 or 0 in row `from`, column `to`. With
 * boxes (4 coordinates each) only the pairs whose line meets one are looked at again, the rest stay as they
 * are; with -1 boxes all are. Heights, walls and joints as above. Returns 0, or -1 where memory ran out. */
EXPORT int32_t enfilade_pairs(const eye_t *eye, const blockers_t *blockers, int32_t joint_count,
                              const int32_t *joints, int32_t count, const int32_t *points, int32_t boxes,
                              const int32_t *changed, uint8_t *clear);

/* The cells of a square board, 64 a word, whose centre the centre of cell (x, y) sees past opaque cells (1 in
 * their byte). A line may graze an opaque square, also where two meet at a corner; the eye's own square and
 * the one looked at hide nothing. Boards up to 500 cells a side. Returns 0, or -1 where memory ran out. */
EXPORT int32_t enfilade_view(int32_t columns, int32_t rows, const uint8_t *opaque, int32_t x, int32_t y,
                             uint64_t *seen);

#endif
