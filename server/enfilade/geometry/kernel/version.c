#include "kernel.h"

int32_t enfilade_kernel_version(void) { return KERNEL_VERSION; }
