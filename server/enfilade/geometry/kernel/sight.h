/* The input of the sight functions: a board, an eye and its blockers. */
#ifndef ENFILADE_SIGHT_H
#define ENFILADE_SIGHT_H

#include "kernel.h"

enum { BOTH_WAYS, FROM_LEFT, FROM_RIGHT };
enum { MAX_CORNERS = 8, JOINT = 9 };
enum { LEFT = 1 };

/* Cell (first + stride k, top + step j) of the board has its center at (x + pitch k, y + drop j). */
typedef struct {
    int32_t first, stride, columns, top, step, rows, x, y, pitch, drop;
} lattice_t;

/* A slack is 0 if touching stops a line, 1 if the line must go through. */
typedef struct {
    int32_t x, y, height, target_height, wall_slack, body_slack;
} eye_t;

/* Walls: 4 coordinates each, and 4 facts each (is_limited, one way, bottom, top), or no facts if all are
 * plain. `transparent` marks walls that this eye sees through; it may be NULL. Bodies: bottom and top each, or
 * NULL if all are plain. The parts of body i are part_starts[i] to part_starts[i + 1], likewise the corners of
 * a part (two coordinates each) and the blocks of its own cells (4 each). */
typedef struct {
    int32_t walls, bodies;
    const int32_t *lines, *facts;
    const uint8_t *transparent;
    const int32_t *heights, *part_starts, *corner_starts, *corners, *block_starts, *blocks;
} blockers_t;

/* Darkens the cells of a lattice whose center the eye does not see: bit k of the words of line j. An eye that is as
 * high as its target is level: joints (JOINT numbers each: x1, y1, x2, y2, is_seam, their two bodies, bottom, top) and
 * most walls seen edge-on are drawn. The rest is left to the caller: `found` receives the numbers of the walls that the
 * eye looks along and that were not drawn, followed by those of the bodies that contain it; `counts` receives the two
 * lengths. Returns 0, or -1 if memory ran out. */
EXPORT int32_t enfilade_shadows(const lattice_t *lattice, const eye_t *eye, const blockers_t *blockers,
                                int32_t joint_count, const int32_t *joints, uint64_t *dark, int32_t *found,
                                int32_t *counts);

/* Adds the wanted cells that any of some level eyes sees: each has its own wanted cells, in the form of a lattice's
 * lines. `parties` has the number of the result to which each eye adds; NULL if there is one. `undone` marks the eyes that are left to the caller, because they look along a limited or one-way wall. No
 * wall is transparent. Returns 0, or -1 if memory ran out. */
EXPORT int32_t enfilade_seen_by_any(const lattice_t *lattice, const eye_t *view, const blockers_t *blockers,
                                    int32_t joint_count, const int32_t *joints, int32_t count, const int32_t *eyes,
                                    const int32_t *parties, const uint64_t *wanted, uint64_t *seen, uint8_t *undone);

/* Counts the blocked lines from each of some level eyes to each cell: one line to each of some points of the cell,
 * which lie at `offsets` from its center. The layers of blockers add up: those of a layer stop lines with those of the
 * layers before. For each layer, and for 1 to `count` lines, `least` receives the cells to which at least so many are
 * blocked from each eye, in the form of a lattice's lines. Each layer has its own joints, `joint_counts` of them. No
 * wall is transparent. Returns 0, -1 if memory ran out, or LEFT if an eye looks along a limited or one-way wall: all is
 * left to the caller. */
EXPORT int32_t enfilade_blocked_cells(const lattice_t *lattice, const eye_t *view, int32_t eye_count,
                                      const int32_t *eyes, int32_t layers, const blockers_t *const *blockers,
                                      const int32_t *joint_counts, const int32_t *const *joints, int32_t count,
                                      const int32_t *offsets, uint64_t *least);

/* Counts, for each target, the blocked lines from each point to each of the target's points: by walls, and by
 * bodies but no wall; 2 numbers for each point and target. Lines may rise or fall. No wall is transparent. Joints as
 * above. Returns 0, or -1 if memory ran out. */
EXPORT int32_t enfilade_cover(const eye_t *eye, const blockers_t *blockers, int32_t joint_count,
                              const int32_t *joints, int32_t from_count, const int32_t *from, int32_t targets,
                              const int32_t *starts, const int32_t *to, int32_t *blocked);

/* Sets for each pair of two sets of points, `starts` of `from` and `ends` of `to`, whether a line from any point of the
 * first to any of the second is clear, 1 or 0. Lines may rise or fall; walls and joints as above. Returns 0, or -1 if
 * memory ran out. */
EXPORT int32_t enfilade_any_clear(const eye_t *eye, const blockers_t *blockers, int32_t joint_count,
                                  const int32_t *joints, int32_t pairs, const int32_t *starts, const int32_t *from,
                                  const int32_t *ends, const int32_t *to, uint8_t *clear);

/* Sets whether the line from each point to each other is clear, 1 or 0 in row `from`, column `to`. With boxes (4
 * coordinates each) only the pairs whose line meets one are tested again; with -1 boxes all are. Both heights of the
 * eye are equal; walls and joints as above. Returns 0, or -1 if memory ran out. */
EXPORT int32_t enfilade_pairs(const eye_t *eye, const blockers_t *blockers, int32_t joint_count,
                              const int32_t *joints, int32_t count, const int32_t *points, int32_t boxes,
                              const int32_t *changed, uint8_t *clear);

/* Writes the first obstruction of the line from a point to each of some others, as the Python twin's first_hits gives
 * it: the fraction of the line as two numbers, and the numbers of the wall and of the body, -1 for none. A fraction of
 * 2 is a clear line. Lines may rise or fall; walls and joints as above. */
EXPORT void enfilade_first_hits(const eye_t *eye, const blockers_t *blockers, int32_t joint_count,
                                const int32_t *joints, const int32_t *from, int32_t count, const int32_t *to,
                                int64_t *hits);

/* Sets the cells of a square board, 64 per word, whose center the center of cell (x, y) sees past opaque cells
 * (1 in their byte). A line may graze an opaque square, also between two that meet at a corner. The eye's own
 * square and the target's hide nothing. Boards up to 500 cells per side. Returns 0, or -1 if memory ran out. */
EXPORT int32_t enfilade_field_of_view(int32_t columns, int32_t rows, const uint8_t *opaque, int32_t x, int32_t y,
                             uint64_t *seen);

#endif
