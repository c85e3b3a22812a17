/* Discs, segments and arcs of gridless movement: what the search and the outlines share. */
#ifndef ENFILADE_GRIDLESS_H
#define ENFILADE_GRIDLESS_H

#include "kernel.h"

#include <math.h>

#define CLOSE 1e-6
#define TURN 6.283185307179586

/* Further results of the functions here: a table of the caller is too small, or the work is too much. */
#define TOO_SMALL (-2)
#define TOO_LONG (-3)

typedef struct {
    double x, y, radius;
} disc;

/* A segment grown by a radius. */
typedef struct {
    double x1, y1, x2, y2, radius;
} obstacle;

typedef struct {
    double leaves, arrives, length, start[2], end[2];
} tangent_line;

/* An arrival as Python reads it: 9 numbers, and `ARRIVAL_INTS` integers beside it. */
typedef struct {
    double cost, angle;
    tangent_line line;
} arrival;

typedef struct {
    int32_t disc, turn, before;
} arrival_place;

/* The parts of a disc's edge inside obstacles. */
typedef struct {
    double first, length;
} arc;

typedef struct {
    const obstacle *obstacles;
    const disc *discs;
    int32_t obstacle_count, disc_count;
    double budget;
    arc **blocked;        /* per disc, NULL until asked for */
    int32_t *blocked_count;
} gridless_board;

static inline double wrap(double angle)
{
    double turn = fmod(angle, TURN);
    return turn < 0 ? turn + TURN : turn;
}

/* Lengths here are far from the limits of a double, so this is safe, and three times as fast as hypot. */
static inline double length_of(double x, double y) { return sqrt(x * x + y * y); }

static inline double least(double a, double b) { return a < b ? a : b; }
static inline double most(double a, double b) { return a > b ? a : b; }

static inline double distance_to(double x, double y, double x1, double y1, double x2, double y2)
{
    double dx = x2 - x1, dy = y2 - y1, length = dx * dx + dy * dy;
    double along = length != 0 ? ((x - x1) * dx + (y - y1) * dy) / length : 0.0;
    along = least(1.0, most(0.0, along));
    return length_of(x - x1 - along * dx, y - y1 - along * dy);
}

int find_tangent(disc a, int a_turn, disc b, int b_turn, tangent_line *found);
int is_clear(const gridless_board *board, double x1, double y1, double x2, double y2);

/* Open a board; blocked arcs are found when a disc first needs them. */
int32_t board_open(gridless_board *board, int32_t obstacles, const double *numbers, int32_t discs,
                   const double *ends, double budget);
void board_close(gridless_board *board);
int32_t find_blocked(gridless_board *board, int32_t number);

#endif
