"""The one thing setup.cfg cannot say: the C kernel, a plain library that is loaded with ctypes.

Where it cannot be built (no compiler), `optional` lets the install go on: the same answers come from
Python, only slower.
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
            extra_compile_args=["-O3", "-std=c99", "-fvisibility=hidden", "-g0"],
            optional=True,
        )
    ]
)
