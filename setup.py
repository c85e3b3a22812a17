"""Builds the C kernel, the one part that setup.cfg cannot describe: a plain library, loaded with ctypes.

`optional` lets the installation continue without a compiler: Python then gives the same answers, more slowly.
"""

from glob import glob

from setuptools import Extension, setup

KERNEL = "server/enfilade/geometry/kernel"

setup(
    ext_modules=[
        Extension(
            "enfilade.geometry.kernel._kernel",
            sources=sorted(glob(f"{KERNEL}/*.c")),
            depends=sorted(glob(f"{KERNEL}/*.h")),
            extra_compile_args=["-O3", "-std=c99", "-fvisibility=hidden", "-fno-math-errno", "-g0"],
            optional=True,
        )
    ]
)
