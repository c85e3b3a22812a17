/* The geometry kernel: plain C, whole numbers only, no Python and no library besides the C standard's.
 *
 * Every function answers exactly what its Python twin in this folder answers. Callers own all memory they
 * pass, row by row, cell (column, row) at row * columns + column. A function that allocates frees before
 * it returns, and returns -1 where memory ran out. Nothing here keeps state, so any thread may call.
 */
#ifndef ENFILADE_KERNEL_H
#define ENFILADE_KERNEL_H

#include <stdint.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Raised whenever a signature or a meaning changes; the loader takes no library of another number. */
#define KERNEL_VERSION 1

EXPORT int32_t enfilade_kernel_version(void);

#endif
