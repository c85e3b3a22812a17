/* Gridless movement: the search for shortest paths among round obstacles. The reference is python_gridless.py. */
#include "gridless.h"

#include <stdlib.h>
#include <string.h>

/* Tests of a line or an arc against an obstacle: about half a second. */
#define MOST_WORK 30000000

int find_tangent(disc a, int a_turn, disc b, int b_turn, tangent_line *found)
{
    double vx = b.x - a.x, vy = b.y - a.y, offset = b.radius * b_turn - a.radius * a_turn;
    double square = vx * vx + vy * vy;
    if (square == 0 || square < offset * offset - CLOSE)
        return 0;
    double length = sqrt(most(0.0, square - offset * offset));
    double dx = (vx * length + vy * offset) / square, dy = (vy * length - vx * offset) / square;
    found->leaves = atan2(-a_turn * dx, a_turn * dy);
    found->arrives = atan2(-b_turn * dx, b_turn * dy);
    found->length = length;
    found->start[0] = a.x + a.radius * a_turn * dy;
    found->start[1] = a.y - a.radius * a_turn * dx;
    found->end[0] = b.x + b.radius * b_turn * dy;
    found->end[1] = b.y - b.radius * b_turn * dx;
    return 1;
}

static int is_nearer(double r, double x1, double y1, double x2, double y2, const obstacle *o)
{
    double dx = x2 - x1, dy = y2 - y1, ex = o->x2 - o->x1, ey = o->y2 - o->y1;
    double s1 = dx * (o->y1 - y1) - dy * (o->x1 - x1), s2 = dx * (o->y2 - y1) - dy * (o->x2 - x1);
    double s3 = ex * (y1 - o->y1) - ey * (x1 - o->x1), s4 = ex * (y2 - o->y1) - ey * (x2 - o->x1);
    if (s1 * s2 < 0 && s3 * s4 < 0)
        return 1;
    return r > 0 && (distance_to(x1, y1, o->x1, o->y1, o->x2, o->y2) < r ||
                     distance_to(x2, y2, o->x1, o->y1, o->x2, o->y2) < r ||
                     distance_to(o->x1, o->y1, x1, y1, x2, y2) < r ||
                     distance_to(o->x2, o->y2, x1, y1, x2, y2) < r);
}

int is_clear(const gridless_board *board, double x1, double y1, double x2, double y2)
{
    double left = least(x1, x2), right = most(x1, x2), top = least(y1, y2), bottom = most(y1, y2);
    const obstacle *o = board->obstacles;
    for (int32_t i = 0; i < board->obstacle_count; i++, o++) {
        double r = o->radius - CLOSE;
        if ((o->x1 < left - r && o->x2 < left - r) || (o->x1 > right + r && o->x2 > right + r))
            continue;
        if ((o->y1 < top - r && o->y2 < top - r) || (o->y1 > bottom + r && o->y2 > bottom + r))
            continue;
        if (is_nearer(r, x1, y1, x2, y2, o))
            return 0;
    }
    return 1;
}

/* ---- the parts of a disc's edge inside obstacles ---- */

static int32_t around(double angle, double along, double radius, double *meetings, int32_t count)
{
    if (radius == 0 || fabs(along) > radius + CLOSE)
        return count;
    double half = acos(most(-1.0, least(1.0, along / radius)));
    meetings[count++] = wrap(angle - half);
    meetings[count++] = wrap(angle + half);
    return count;
}

static int32_t find_meetings(disc d, const obstacle *o, double *meetings)
{
    int32_t count = 0;
    for (int i = 0; i < 2; i++) {
        double dx = (i ? o->x2 : o->x1) - d.x, dy = (i ? o->y2 : o->y1) - d.y, distance = length_of(dx, dy);
        if (distance != 0) {
            double along = (d.radius * d.radius + distance * distance - o->radius * o->radius) / (2 * distance);
            count = around(atan2(dy, dx), along, d.radius, meetings, count);
        }
    }
    if (o->x1 != o->x2 || o->y1 != o->y2) {
        double across = wrap(atan2(o->x1 - o->x2, o->y2 - o->y1));
        double offset = (o->x1 - d.x) * cos(across) + (o->y1 - d.y) * sin(across);
        count = around(across, offset - o->radius, d.radius, meetings, count);
        count = around(across, offset + o->radius, d.radius, meetings, count);
    }
    return count;
}

static int compare_angles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int32_t find_blocked(gridless_board *board, int32_t number)
{
    if (board->blocked[number])
        return DONE;
    disc d = board->discs[number];
    int32_t room = 8, count = 0;
    arc *arcs = malloc(sizeof(arc) * (size_t)room);
    for (int32_t i = 0; arcs && i < board->obstacle_count; i++) {
        const obstacle *o = &board->obstacles[i];
        if (distance_to(d.x, d.y, o->x1, o->y1, o->x2, o->y2) >= d.radius + o->radius - CLOSE)
            continue;
        double meetings[9];
        int32_t met = find_meetings(d, o, meetings), kept = 1;
        if (met == 0)
            meetings[met++] = 0.0;
        qsort(meetings, (size_t)met, sizeof(double), compare_angles);
        for (int32_t m = 1; m < met; m++)
            if (meetings[m] != meetings[kept - 1])
                meetings[kept++] = meetings[m];
        meetings[kept] = meetings[0] + TURN;
        for (int32_t m = 0; m < kept; m++) {
            double middle = (meetings[m] + meetings[m + 1]) / 2;
            double x = d.x + d.radius * cos(middle), y = d.y + d.radius * sin(middle);
            if (distance_to(x, y, o->x1, o->y1, o->x2, o->y2) >= o->radius - CLOSE)
                continue;
            if (count == room) {
                arc *more = realloc(arcs, sizeof(arc) * (size_t)(room *= 2));
                if (!more) {
                    free(arcs);
                    return OUT_OF_MEMORY;
                }
                arcs = more;
            }
            arcs[count++] = (arc){meetings[m], meetings[m + 1] - meetings[m]};
        }
    }
    if (!arcs)
        return OUT_OF_MEMORY;
    board->blocked[number] = arcs;
    board->blocked_count[number] = count;
    return DONE;
}

int32_t board_open(gridless_board *board, int32_t obstacles, const double *numbers, int32_t discs,
                   const double *ends, double budget)
{
    /* The structs hold nothing but doubles, so a list of numbers is a list of them. */
    *board = (gridless_board){(const obstacle *)numbers, (const disc *)ends, obstacles, discs, budget, NULL, NULL};
    board->blocked = calloc((size_t)discs, sizeof(arc *));
    board->blocked_count = calloc((size_t)discs, sizeof(int32_t));
    if (board->blocked && board->blocked_count)
        return DONE;
    board_close(board);
    return OUT_OF_MEMORY;
}

void board_close(gridless_board *board)
{
    for (int32_t i = 0; board->blocked && i < board->disc_count; i++)
        free(board->blocked[i]);
    free(board->blocked);
    free(board->blocked_count);
    board->blocked = NULL;
    board->blocked_count = NULL;
}

/* ---- the search ---- */

typedef struct {
    arrival at;
    arrival_place place;
    int64_t ticket;
} candidate;

typedef struct {
    gridless_board board;
    arrival *arrivals;
    arrival_place *places;
    int32_t count, room;
    candidate *heap;
    int64_t heap_count, heap_room, tickets, work;
} search;

static int is_before(const candidate *a, const candidate *b)
{
    return a->at.cost < b->at.cost || (a->at.cost == b->at.cost && a->ticket < b->ticket);
}

static int32_t push(search *s, candidate added)
{
    if (s->heap_count == s->heap_room) {
        int64_t room = s->heap_room ? 2 * s->heap_room : 256;
        candidate *more = realloc(s->heap, sizeof(candidate) * (size_t)room);
        if (!more)
            return OUT_OF_MEMORY;
        s->heap = more;
        s->heap_room = room;
    }
    int64_t i = s->heap_count++;
    for (; i > 0 && is_before(&added, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = added;
    return DONE;
}

static candidate pop(search *s)
{
    candidate top = s->heap[0], last = s->heap[--s->heap_count];
    int64_t i = 0;
    for (;;) {
        int64_t child = 2 * i + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count && is_before(&s->heap[child + 1], &s->heap[child]))
            child++;
        if (!is_before(&s->heap[child], &last))
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return top;
}

static double turned(double from, int turn, double radius, double angle)
{
    if (radius == 0)
        return 0.0;
    double found = wrap((angle - from) * turn);
    return found > TURN - 1e-9 ? 0.0 : found;
}

/* Whether the arc from an arrival's angle meets no obstacle: 1, 0, or an error. */
static int32_t arc_is_clear(search *s, int32_t number, int turn, double from, double angle)
{
    int32_t done = find_blocked(&s->board, number);
    if (done != DONE)
        return done;
    double first = turn > 0 ? from : from - angle;
    const arc *arcs = s->board.blocked[number];
    s->work += s->board.blocked_count[number];
    for (int32_t i = 0; i < s->board.blocked_count[number]; i++) {
        double offset = wrap(arcs[i].first - first);
        if (offset < angle - 1e-7 || offset + arcs[i].length > TURN + 1e-7)
            return 0;
    }
    return 1;
}

/* The tangent from an arrival to another disc, with the cost there: 1, 0 if there is none, or an error. */
static int32_t go_on(search *s, int32_t number, disc to, int turn, arrival *found)
{
    const arrival *a = &s->arrivals[number];
    arrival_place at = s->places[number];
    disc d = s->board.discs[at.disc];
    if (!find_tangent(d, at.turn, to, turn, &found->line))
        return 0;
    double angle = turned(a->angle, at.turn, d.radius, found->line.leaves);
    found->cost = a->cost + d.radius * angle + found->line.length;
    found->angle = found->line.arrives;
    if (found->cost > s->board.budget + CLOSE)
        return 0;
    return arc_is_clear(s, at.disc, at.turn, a->angle, angle);
}

static int32_t leave(search *s, int32_t number)
{
    int32_t from = s->places[number].disc;
    disc here = s->board.discs[from];
    for (int32_t i = 1; i < s->board.disc_count; i++) {
        disc there = s->board.discs[i];
        double least_length = length_of(there.x - here.x, there.y - here.y) - there.radius - here.radius;
        if (i == from || s->arrivals[number].cost + least_length > s->board.budget + CLOSE)
            continue;
        for (int turn = 1; turn >= -1; turn -= 2) {
            candidate c;
            int32_t is_found = go_on(s, number, there, turn, &c.at);
            c.place = (arrival_place){i, turn, number};
            c.ticket = s->tickets++;
            if (is_found < 0 || (is_found && push(s, c) != DONE))
                return OUT_OF_MEMORY;
        }
    }
    s->work += s->board.disc_count;
    return DONE;
}

/* Whether a known arrival leads to this one's angle at no greater cost: 1, 0, or an error. */
static int32_t is_worse(search *s, const candidate *c)
{
    double radius = s->board.discs[c->place.disc].radius;
    for (int32_t i = 1; i < s->count; i++) {
        if (s->places[i].disc != c->place.disc || s->places[i].turn != c->place.turn)
            continue;
        double angle = turned(s->arrivals[i].angle, c->place.turn, radius, c->at.angle);
        if (s->arrivals[i].cost + radius * angle > c->at.cost + CLOSE)
            continue;
        int32_t is_free = arc_is_clear(s, c->place.disc, c->place.turn, s->arrivals[i].angle, angle);
        if (is_free != 0)
            return is_free;
    }
    return 0;
}

static int32_t run(search *s)
{
    s->arrivals[0] = (arrival){0};
    s->places[0] = (arrival_place){0, 1, -1};
    s->count = 1;
    int32_t done = leave(s, 0);
    while (done == DONE && s->heap_count) {
        candidate c = pop(s);
        int32_t is_dropped = is_worse(s, &c);
        if (is_dropped < 0)
            return is_dropped;
        s->work += s->board.obstacle_count + s->count;
        if (s->work > MOST_WORK)
            return TOO_LONG;
        if (is_dropped || !is_clear(&s->board, c.at.line.start[0], c.at.line.start[1], c.at.line.end[0],
                                    c.at.line.end[1]))
            continue;
        if (s->count == s->room)
            return TOO_SMALL;
        s->arrivals[s->count] = c.at;
        s->places[s->count++] = c.place;
        done = leave(s, s->count - 1);
    }
    return done;
}

/* `count` is the room for arrivals, and becomes their number. */
EXPORT int32_t enfilade_gridless_search(int32_t obstacles, const double *numbers, int32_t discs, const double *ends,
                                        double budget, arrival *arrivals, arrival_place *places, int32_t *count)
{
    search s = {.arrivals = arrivals, .places = places, .room = *count};
    int32_t done = board_open(&s.board, obstacles, numbers, discs, ends, budget);
    if (done != DONE)
        return done;
    done = run(&s);
    *count = s.count;
    board_close(&s.board);
    free(s.heap);
    return done;
}

/* Writes for each point the cost (-1: out of reach), the arrival before it, and the tangent to it. */
EXPORT int32_t enfilade_gridless_arrive(int32_t obstacles, const double *numbers, int32_t discs, const double *ends,
                                        double budget, int32_t count, const arrival *arrivals,
                                        const arrival_place *places, int32_t points, const double *xy,
                                        arrival *found, int32_t *before)
{
    search s = {.arrivals = (arrival *)arrivals, .places = (arrival_place *)places, .count = count};
    int32_t done = board_open(&s.board, obstacles, numbers, discs, ends, budget);
    for (int32_t p = 0; done == DONE && p < points; p++) {
        disc to = {xy[2 * p], xy[2 * p + 1], 0.0};
        found[p].cost = -1;
        if (!is_clear(&s.board, to.x, to.y, to.x, to.y))
            continue;
        for (int32_t i = 0; i < count; i++) {
            arrival on;
            int32_t is_found = go_on(&s, i, to, 1, &on);
            if (is_found < 0) {
                done = is_found;
                break;
            }
            if (!is_found || (found[p].cost >= 0 && on.cost >= found[p].cost))
                continue;
            if (is_clear(&s.board, on.line.start[0], on.line.start[1], on.line.end[0], on.line.end[1])) {
                found[p] = on;
                before[p] = i;
            }
        }
    }
    board_close(&s.board);
    return done;
}
