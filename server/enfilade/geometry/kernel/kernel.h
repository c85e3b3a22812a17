/* The geometry kernel: plain C, integers only, no Python and no library besides the C standard library.
 *
 * Every function returns exactly the answer of its Python twin in this folder; the twin's docstring explains
 * the arguments. Only gridless movement uses floating point, and agrees with its twin to a millionth of a unit. Callers own all memory they pass. A function that allocates frees before it returns, and
 * returns OUT_OF_MEMORY if the allocation failed. The kernel keeps no state, so any thread may call it.
 */
#ifndef ENFILADE_KERNEL_H
#define ENFILADE_KERNEL_H

#include <stdint.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Raised whenever a signature or a meaning changes; library.py loads no library of another version. */
#define KERNEL_VERSION 10

#define DONE 0
#define OUT_OF_MEMORY (-1)

EXPORT int32_t enfilade_kernel_version(void);

#endif
