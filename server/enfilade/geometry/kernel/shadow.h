/* Shadows as half-planes, shared by shadow.c, which makes them, and sight.c, which draws them. */
#ifndef ENFILADE_SHADOW_H
#define ENFILADE_SHADOW_H

#include "sight.h"

enum { MAX_PLANES = 2 + 3 * MAX_CORNERS };

typedef struct {
    int64_t x, y;
} vector_t;

/* The points with a x + b y + c >= 0, relative to the eye. */
typedef struct {
    int64_t a, b, c;
} plane_t;

typedef struct {
    plane_t planes[MAX_PLANES];
    int32_t count, is_limited, body; /* whose own cells stay lit; -1 for a wall */
    int64_t begins;
} shadow_t;

/* A part of a body seen from the eye: edge i goes from corner i to the next and turns by turns[i]. */
typedef struct {
    vector_t around[MAX_CORNERS];
    int64_t turns[MAX_CORNERS];
    int32_t count, right, left;
    int64_t least, farthest;
} part_t;

typedef struct {
    const eye_t *eye;
    const blockers_t *blockers;
} view_t;

static inline int64_t cross(vector_t a, vector_t b) { return a.x * b.y - a.y * b.x; }

static inline int64_t square(vector_t v) { return v.x * v.x + v.y * v.y; }

static inline int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Find the rims of a wall. Returns the sign of its turn: 0 if the eye looks along it. */
int32_t wall_rims(const view_t *v, int32_t wall, vector_t *right, vector_t *left);

/* Return whether a wall seen with a turn of that sign stops the eye. */
int wall_stops(const view_t *v, int32_t wall, int32_t turn);

void wall_shadow(const view_t *v, int32_t wall, shadow_t *shadow);

void look_at_part(const view_t *v, int32_t number, part_t *part);

/* An eye is inside a body if it is inside a part, or on the edge between two. */
int body_contains_eye(const view_t *v, int32_t body);

void part_shadow(const view_t *v, const part_t *part, int32_t body, shadow_t *shadow);

/* Return whether a top and a bottom leave any shadow, and whether they cut it. */
int is_within_heights(const eye_t *eye, const int32_t *heights, int64_t slack);
int has_height_cuts(const eye_t *eye, const int32_t *heights, int64_t slack);

#endif
