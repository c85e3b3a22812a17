/* The outline of what paths of some length reach on a gridless board. The reference is python_outlines.py. */
#include "gridless.h"

#include <stdlib.h>

#define BEND 0.4
#define FIRST_STEP (TURN / 16)
#define LAST_STEP 1e-5
#define BESIDE 1e-6
#define INSIDE 0.5
#define SOONER 1e-3
#define HALVINGS 8
#define NO_BARRIER (-1)

typedef struct {
    double turn, x, y;
    int32_t barrier; /* NO_BARRIER if the length ends the line */
} sample;

typedef struct {
    double first, width, x1, y1, x2, y2, radius, ux, uy, size;
} barrier;

/* The straight lines after one arrival. Barriers and touches are parts of tables that all fans share. */
typedef struct {
    disc d;
    double angle, left, arc;
    int32_t side, board, number, barrier_first, barrier_count, touch_first, touch_count;
} fan;

/* A table that grows. */
typedef struct {
    void *items;
    size_t count, room, size;
} table;

typedef struct {
    gridless_board *boards;
    int32_t *touches_obstacle; /* per board: whether its start does */
    fan *fans;
    int32_t *near; /* the fans that may overlap the one at work */
    int32_t count, near_count, board_count;
    table barriers, touches, samples, stack, points;
} region;

static void *add(table *t)
{
    if (t->count == t->room) {
        size_t room = t->room ? 2 * t->room : 256;
        void *more = realloc(t->items, t->size * room);
        if (!more)
            return NULL;
        t->items = more;
        t->room = room;
    }
    return (char *)t->items + t->size * t->count++;
}

/* ---- a fan ---- */

static double free_arc(const fan *f, const gridless_board *board, int32_t number)
{
    double free = TURN;
    for (int32_t i = 0; i < board->blocked_count[number]; i++) {
        arc a = board->blocked[number][i];
        double offset = f->side > 0 ? wrap(a.first - f->angle) : wrap(f->angle - a.first - a.length);
        free = least(free, offset + a.length > TURN + 1e-7 ? 0.0 : offset);
    }
    return free;
}

/* The turn of the line to a point outside the disc, and the point's distance on it. */
static double locate(const fan *f, double x, double y, double *length)
{
    x -= f->d.x;
    y -= f->d.y;
    *length = sqrt(most(0.0, x * x + y * y - f->d.radius * f->d.radius));
    double along = f->side * *length, radius = f->d.radius;
    double angle = atan2(y * radius - x * along, x * radius + y * along);
    return wrap((angle - f->angle) * f->side);
}

static int32_t add_barrier(region *r, fan *f, const obstacle *o)
{
    double apart = distance_to(f->d.x, f->d.y, o->x1, o->y1, o->x2, o->y2) - o->radius - f->d.radius;
    if (apart > f->left)
        return DONE;
    double turns[4];
    int count = 0, is_point = o->x1 == o->x2 && o->y1 == o->y2;
    for (int end = 0; end < (is_point ? 1 : 2); end++) {
        disc there = {end ? o->x2 : o->x1, end ? o->y2 : o->y1, o->radius};
        if (there.x == f->d.x && there.y == f->d.y && there.radius == f->d.radius)
            continue;
        for (int side = 1; side >= -1; side -= 2) {
            tangent_line line;
            if (!find_tangent(f->d, f->side, there, side, &line))
                continue;
            double turn = wrap((line.leaves - f->angle) * f->side);
            turns[count++] = turn;
            if (turn < f->arc && line.length <= f->left - f->d.radius * turn) {
                double *touch = add(&r->touches);
                if (!touch)
                    return OUT_OF_MEMORY;
                *touch = turn;
                f->touch_count++;
            }
        }
    }
    double first = 0.0, width = TURN, length;
    if (apart > CLOSE && count) {
        double middle = locate(f, (o->x1 + o->x2) / 2, (o->y1 + o->y2) / 2, &length), low = TURN, high = -TURN;
        for (int i = 0; i < count; i++) {
            double aside = wrap(turns[i] - middle + TURN / 2) - TURN / 2;
            low = least(low, aside);
            high = most(high, aside);
        }
        first = wrap(middle + low - BESIDE);
        width = high - low + 2 * BESIDE;
    }
    double size = length_of(o->x2 - o->x1, o->y2 - o->y1);
    barrier *b = add(&r->barriers);
    if (!b)
        return OUT_OF_MEMORY;
    *b = (barrier){first, width, o->x1, o->y1, o->x2, o->y2, o->radius - CLOSE, 0, 0, size};
    if (size != 0) {
        b->ux = (o->x2 - o->x1) / size;
        b->uy = (o->y2 - o->y1) / size;
    }
    f->barrier_count++;
    return DONE;
}

static int32_t open_fan(region *r, int32_t board, const arrival *a, const arrival_place *at)
{
    gridless_board *b = &r->boards[board];
    fan *f = &r->fans[r->count];
    *f = (fan){.d = b->discs[at->disc], .angle = a->angle, .left = b->budget - a->cost, .arc = TURN,
               .side = at->turn, .board = board, .number = r->count};
    r->count++;
    int32_t done = find_blocked(b, at->disc);
    if (done == DONE && f->d.radius != 0)
        f->arc = least(free_arc(f, b, at->disc), f->left / f->d.radius);
    return done;
}

static int32_t find_barriers(region *r, fan *f)
{
    const gridless_board *b = &r->boards[f->board];
    int32_t done = DONE;
    f->barrier_first = (int32_t)r->barriers.count;
    f->touch_first = (int32_t)r->touches.count;
    for (int32_t i = 0; done == DONE && i < b->obstacle_count; i++)
        done = add_barrier(r, f, &b->obstacles[i]);
    return done;
}

/* Whether another fan around the same disc, which leaves more length, has all of this one. */
static int is_covered(const fan *f, const fan *other)
{
    if (other->d.x != f->d.x || other->d.y != f->d.y || other->d.radius != f->d.radius || other->side != f->side)
        return 0;
    double turn = f->d.radius == 0 ? 0.0 : wrap((f->angle - other->angle) * f->side);
    if (turn > TURN - 1e-9)
        turn = 0.0;
    return turn <= other->arc && other->left - f->d.radius * turn >= f->left - CLOSE;
}

/* Whether a straight line from a start leads to a fan's first line and leaves more length there. */
static int is_seen_sooner(const region *r, const fan *f)
{
    double x = f->d.x + f->d.radius * cos(f->angle), y = f->d.y + f->d.radius * sin(f->angle);
    for (int32_t i = 0; f->d.radius != 0 && i < r->board_count; i++) {
        const gridless_board *b = &r->boards[i];
        disc start = b->discs[0];
        if (b->budget - length_of(x - start.x, y - start.y) > f->left + SOONER && is_clear(b, start.x, start.y, x, y))
            return 1;
    }
    return 0;
}

/* Leave out the fans that others cover; a start that touches an obstacle may pass where others may not. */
static int32_t drop_covered(region *r)
{
    int32_t kept = 0, done = DONE;
    for (int32_t i = 0; done == DONE && i < r->count; i++) {
        int is_needed = 1;
        for (int32_t k = 0; is_needed && !r->touches_obstacle[r->fans[i].board] && k < kept; k++)
            is_needed = !is_covered(&r->fans[i], &r->fans[k]);
        if (is_needed && !r->touches_obstacle[r->fans[i].board])
            is_needed = !is_seen_sooner(r, &r->fans[i]);
        if (!is_needed)
            continue;
        r->fans[kept] = r->fans[i];
        done = find_barriers(r, &r->fans[kept++]);
    }
    r->count = kept;
    return done;
}

static int starts_at_obstacle(const gridless_board *b)
{
    for (int32_t i = 0; i < b->obstacle_count; i++) {
        const obstacle *o = &b->obstacles[i];
        if (distance_to(b->discs[0].x, b->discs[0].y, o->x1, o->y1, o->x2, o->y2) <= o->radius + CLOSE)
            return 1;
    }
    return 0;
}

static double meet_end(double ox, double oy, double dx, double dy, double radius, double length)
{
    double along = ox * dx + oy * dy;
    if (along >= 0)
        return length;
    double under = along * along - ox * ox - oy * oy + radius * radius;
    return under > 0 ? least(length, most(0.0, -along - sqrt(under))) : length;
}

/* The end of the line that leaves after a turn, at a length or at the first obstacle. */
static sample trace(const region *r, const fan *f, double turn, double length)
{
    double angle = f->angle + f->side * turn, c = cos(angle), s = sin(angle);
    double x = f->d.x + f->d.radius * c, y = f->d.y + f->d.radius * s, dx = -f->side * s, dy = f->side * c;
    const barrier *b = (const barrier *)r->barriers.items + f->barrier_first;
    int32_t met = NO_BARRIER;
    for (int32_t i = 0; i < f->barrier_count; i++, b++) {
        double after = turn - b->first; /* both are from 0 to a turn, so this is cheaper than wrap */
        if ((after < 0 ? after + TURN : after) > b->width)
            continue;
        double free = meet_end(x - b->x1, y - b->y1, dx, dy, b->radius, length);
        if (b->size != 0) {
            free = meet_end(x - b->x2, y - b->y2, dx, dy, b->radius, free);
            double off = (y - b->y1) * b->ux - (x - b->x1) * b->uy, slope = dy * b->ux - dx * b->uy;
            double gap = fabs(off) - b->radius, far = gap / fabs(slope);
            if (gap >= 0 && slope * off < 0 && far < free) {
                double along = (x + far * dx - b->x1) * b->ux + (y + far * dy - b->y1) * b->uy;
                if (along >= 0 && along <= b->size)
                    free = far;
            }
        }
        if (free < length) {
            length = free;
            met = i;
        }
    }
    return (sample){turn, x + length * dx, y + length * dy, met};
}

static sample sample_at(const region *r, const fan *f, double turn)
{
    return trace(r, f, turn, most(0.0, f->left - f->d.radius * turn));
}

static int contains(const region *r, const fan *f, double x, double y)
{
    double dx = x - f->d.x, dy = y - f->d.y, square = dx * dx + dy * dy - f->d.radius * f->d.radius;
    double most_far = f->left - INSIDE, length;
    if (square < 0 || most_far < 0 || square > most_far * most_far)
        return 0;
    double turn = locate(f, x, y, &length);
    if (turn > f->arc || f->d.radius * turn + length > f->left - INSIDE)
        return 0;
    return trace(r, f, turn, length).barrier == NO_BARRIER;
}

/* ---- samples of a fan's edge ---- */

static int is_straight(sample a, sample middle, sample b)
{
    if (a.barrier != b.barrier || middle.barrier != a.barrier)
        return length_of(b.x - a.x, b.y - a.y) < BEND;
    return distance_to(middle.x, middle.y, a.x, a.y, b.x, b.y) < BEND;
}

static int32_t keep(region *r, sample s)
{
    sample *kept = add(&r->samples);
    if (!kept)
        return OUT_OF_MEMORY;
    *kept = s;
    return DONE;
}

static int32_t push_pair(region *r, sample a, sample b)
{
    sample *pair = add(&r->stack);
    if (!pair)
        return OUT_OF_MEMORY;
    *pair = a;
    pair = add(&r->stack);
    if (!pair)
        return OUT_OF_MEMORY;
    *pair = b;
    return DONE;
}

static int32_t refine(region *r, const fan *f, sample a, sample b)
{
    if (b.turn - a.turn < 3 * BESIDE)
        return DONE;
    r->stack.count = 0;
    int32_t done = push_pair(r, a, b);
    while (done == DONE && r->stack.count) {
        r->stack.count -= 2;
        const sample *pair = (const sample *)r->stack.items + r->stack.count;
        sample first = pair[0], last = pair[1];
        if (first.turn != a.turn)
            done = keep(r, first);
        if (done != DONE || last.turn - first.turn < LAST_STEP)
            continue;
        sample middle = sample_at(r, f, (first.turn + last.turn) / 2);
        if (is_straight(first, middle, last))
            continue;
        done = push_pair(r, middle, last);
        if (done == DONE)
            done = push_pair(r, first, middle);
    }
    return done;
}

static int compare_turns(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int32_t find_samples(region *r, const fan *f)
{
    int32_t steps = (int32_t)most(1, ceil(f->arc / FIRST_STEP)), count = steps + 1, done = DONE;
    double *turns = malloc(sizeof(double) * (size_t)(count + 2 * f->touch_count));
    if (!turns)
        return OUT_OF_MEMORY;
    for (int32_t i = 0; i <= steps; i++)
        turns[i] = f->arc * i / steps;
    const double *touches = (const double *)r->touches.items + f->touch_first;
    for (int32_t i = 0; i < f->touch_count; i++) {
        turns[count++] = most(0.0, touches[i] - BESIDE);
        turns[count++] = least(f->arc, touches[i] + BESIDE);
    }
    qsort(turns, (size_t)count, sizeof(double), compare_turns);
    r->samples.count = 0;
    for (int32_t i = 0; done == DONE && i < count; i++) {
        if (i && turns[i] == turns[i - 1])
            continue;
        sample here = sample_at(r, f, turns[i]);
        if (i)
            done = refine(r, f, ((const sample *)r->samples.items)[r->samples.count - 1], here);
        if (done == DONE)
            done = keep(r, here);
    }
    free(turns);
    return done;
}

/* ---- rings and lines ---- */

/* Where the caller wants coordinates and the number of them in each ring or line. */
typedef struct {
    int32_t *xy, *sizes;
    int32_t xy_count, xy_room, size_count, size_room, first;
} output;

static void begin(output *out) { out->first = out->xy_count; }

static int32_t put(output *out, double x, double y)
{
    int32_t at[2] = {(int32_t)floor(x + 0.5), (int32_t)floor(y + 0.5)};
    int32_t n = out->xy_count;
    if (n > out->first && out->xy[n - 2] == at[0] && out->xy[n - 1] == at[1])
        return DONE;
    if (n + 2 > out->xy_room)
        return TOO_SMALL;
    out->xy[n] = at[0];
    out->xy[n + 1] = at[1];
    out->xy_count += 2;
    return DONE;
}

/* Keep what was put since `begin` if it has enough coordinates. */
static int32_t end_with(output *out, int32_t least_count)
{
    int32_t count = out->xy_count - out->first;
    if (count < least_count) {
        out->xy_count = out->first;
        return DONE;
    }
    if (out->size_count == out->size_room)
        return TOO_SMALL;
    out->sizes[out->size_count++] = count;
    return DONE;
}

static int32_t put_edge_of_disc(output *out, const fan *f, int is_forward)
{
    double step = 2 * acos(most(0.0, 1 - BEND / f->d.radius));
    int32_t count = (int32_t)most(1, ceil(f->arc / step)), done = DONE;
    for (int32_t i = 0; done == DONE && i <= count; i++) {
        double angle = f->angle + f->side * f->arc * (is_forward ? i : count - i) / count;
        done = put(out, f->d.x + f->d.radius * cos(angle), f->d.y + f->d.radius * sin(angle));
    }
    return done;
}

static int32_t put_ring(region *r, const fan *f, output *out)
{
    const sample *s = r->samples.items;
    int32_t count = (int32_t)r->samples.count, done = DONE;
    begin(out);
    if (f->side < 0 && f->d.radius != 0)
        done = put_edge_of_disc(out, f, 1);
    for (int32_t i = 0; done == DONE && i < count; i++) {
        const sample *here = &s[f->side > 0 ? i : count - 1 - i];
        done = put(out, here->x, here->y);
    }
    if (done == DONE && f->side > 0 && f->d.radius != 0)
        done = put_edge_of_disc(out, f, 0);
    return done == DONE ? end_with(out, 6) : done;
}

static void find_near(region *r, int32_t number)
{
    const fan *f = &r->fans[number];
    r->near_count = 0;
    for (int32_t i = 0; i < r->count; i++) {
        const fan *other = &r->fans[i];
        double together = other->left + other->d.radius + f->left + f->d.radius;
        if (i != number && length_of(other->d.x - f->d.x, other->d.y - f->d.y) < together)
            r->near[r->near_count++] = i;
    }
}

static int is_outside(const region *r, sample s)
{
    if (s.barrier != NO_BARRIER)
        return 0;
    for (int32_t i = 0; i < r->near_count; i++)
        if (contains(r, &r->fans[r->near[i]], s.x, s.y))
            return 0;
    return 1;
}

static sample find_edge(const region *r, int32_t number, sample outside, sample inside)
{
    for (int i = 0; i < HALVINGS; i++) {
        sample middle = sample_at(r, &r->fans[number], (outside.turn + inside.turn) / 2);
        if (is_outside(r, middle))
            outside = middle;
        else
            inside = middle;
    }
    return outside;
}

static int32_t put_lines(region *r, int32_t number, output *out)
{
    const sample *s = r->samples.items;
    int32_t count = (int32_t)r->samples.count, done = DONE;
    find_near(r, number);
    int was_outside = is_outside(r, s[0]);
    begin(out);
    if (was_outside)
        done = put(out, s[0].x, s[0].y);
    for (int32_t i = 1; done == DONE && i < count; i++) {
        int is_now = is_outside(r, s[i]);
        if (is_now != was_outside) {
            sample edge = is_now ? find_edge(r, number, s[i], s[i - 1]) : find_edge(r, number, s[i - 1], s[i]);
            done = put(out, edge.x, edge.y);
            if (done == DONE && !is_now) {
                done = end_with(out, 4);
                begin(out);
            }
        }
        if (done == DONE && is_now)
            done = put(out, s[i].x, s[i].y);
        was_outside = is_now;
    }
    return done == DONE ? end_with(out, 4) : done;
}

static int compare_fans(const void *a, const void *b)
{
    const fan *x = a, *y = b;
    if (x->left != y->left)
        return (x->left < y->left) - (x->left > y->left);
    return (x->number > y->number) - (x->number < y->number);
}

/* The searches one after the other: `counts` has the number of obstacles, discs and arrivals of each. `sizes` has the
 * room for ring coordinates, rings, line coordinates and lines, and becomes their numbers. */
EXPORT int32_t enfilade_outline(int32_t searches, const int32_t *counts, const double *numbers, const double *ends,
                                const double *budgets, const arrival *arrivals, const arrival_place *places,
                                int32_t *sizes, int32_t *ring_xy, int32_t *ring_sizes, int32_t *line_xy,
                                int32_t *line_sizes)
{
    region r = {0};
    output rings = {ring_xy, ring_sizes, 0, sizes[0], 0, sizes[1], 0};
    output lines = {line_xy, line_sizes, 0, sizes[2], 0, sizes[3], 0};
    int32_t all = 0, done = DONE;
    r.board_count = searches;
    r.barriers.size = sizeof(barrier);
    r.touches.size = sizeof(double);
    r.samples.size = r.stack.size = sizeof(sample);
    for (int32_t i = 0; i < searches; i++)
        all += counts[3 * i + 2];
    r.fans = malloc(sizeof(fan) * (size_t)(all + 1));
    r.near = malloc(sizeof(int32_t) * (size_t)(all + 1));
    r.boards = calloc((size_t)searches + 1, sizeof(gridless_board));
    r.touches_obstacle = malloc(sizeof(int32_t) * (size_t)(searches + 1));
    if (!r.fans || !r.near || !r.boards || !r.touches_obstacle)
        done = OUT_OF_MEMORY;
    for (int32_t i = 0; done == DONE && i < searches; i++, counts += 3) {
        done = board_open(&r.boards[i], counts[0], numbers, counts[1], ends, budgets[i]);
        for (int32_t a = 0; done == DONE && a < counts[2]; a++)
            done = open_fan(&r, i, &arrivals[a], &places[a]);
        r.touches_obstacle[i] = done == DONE && starts_at_obstacle(&r.boards[i]);
        numbers += 5 * counts[0];
        ends += 3 * counts[1];
        arrivals += counts[2];
        places += counts[2];
    }
    if (done == DONE) {
        qsort(r.fans, (size_t)r.count, sizeof(fan), compare_fans);
        done = drop_covered(&r);
    }
    for (int32_t i = 0; done == DONE && i < r.count; i++) {
        done = find_samples(&r, &r.fans[i]);
        if (done == DONE)
            done = put_ring(&r, &r.fans[i], &rings);
        if (done == DONE)
            done = put_lines(&r, i, &lines);
    }
    sizes[0] = rings.xy_count;
    sizes[1] = rings.size_count;
    sizes[2] = lines.xy_count;
    sizes[3] = lines.size_count;
    for (int32_t i = 0; r.boards && i < searches; i++)
        board_close(&r.boards[i]);
    free(r.boards);
    free(r.touches_obstacle);
    free(r.fans);
    free(r.near);
    free(r.barriers.items);
    free(r.touches.items);
    free(r.samples.items);
    free(r.stack.items);
    return done;
}
