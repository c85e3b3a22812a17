/* The geometry kernel: plain C, whole numbers only, no Python and no library besides the C standard's.
 *
 * Every function answers exactly what its Python twin in this folder answers; the twin's docstring says
 * what the arguments mean. Callers own all memory they pass. A function that allocates frees before it
 * returns, and returns OUT_OF_MEMORY where there was none. Nothing here keeps state, so any thread may
 * call at any time.
 */
#ifndef ENFILADE_KERNEL_H
#define ENFILADE_KERNEL_H

#include <stdint.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Raised whenever a signature or a meaning changes; library.py takes no library of another number. */
#define KERNEL_VERSION 2

#define DONE 0
#define OUT_OF_MEMORY (-1)

EXPORT int32_t enfilade_kernel_version(void);

#endif
