"""Builds what setup.cfg cannot describe: the C kernel, and the folders beside `server/` that a wheel needs.

The kernel is a plain library, loaded with ctypes, so one platform wheel serves every Python version.
`optional` lets the installation continue without a compiler: Python then gives the same answers, more slowly.
With ENFILADE_NO_KERNEL=1 the wheel is a pure one for all platforms.
"""

import os
import shutil
import subprocess
from glob import glob
from pathlib import Path

from setuptools import Distribution, Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import SetupError

ROOT = Path(__file__).parent
KERNEL = "server/enfilade/geometry/kernel"
OPTIONS = ["-O3", "-std=c99", "-fvisibility=hidden", "-fno-math-errno", "-g0"]
PRODUCT = Path("enfilade", "product")
"""The folder in the wheel for the folders below; enfilade.product finds them."""
FOLDERS = ("deploy", "plugin_manifest", "schemas")
LINKED = {"foundry-readme.md": "docs/foundry.md", "CHANGELOG.md": "CHANGELOG.md"}
"""The texts that the Foundry module's manifest links, by their names in the wheel's `linked/`."""
DEVELOPMENT_ONLY = shutil.ignore_patterns("types", "*.d.ts")
VENDORED = tuple(
    f"plugin_manifest/vendor/{name}"
    for name in (
        "LICENSES.txt",
        "foundry.min.js",
        "owlbear.min.js",
        "planarally.min.js",
        "board.html",
        "board.min.js",
        "first-ticket.js",
        "board.min.css",
        "map-painter.min.js",
        "saved-log.min.js",
    )
)


class BuildWithProduct(build_py):
    """Copies the page, the Foundry module and the schemas into a wheel; a checkout serves them in place."""

    def run(self):
        """Build the packages, and add the folders to them."""
        super().run()
        if self.editable_mode:
            return
        require_vendored()
        for name in FOLDERS:
            target = Path(self.build_lib, PRODUCT, name)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(ROOT / name, target, ignore=DEVELOPMENT_ONLY)
        linked = Path(self.build_lib, PRODUCT, "linked")
        linked.mkdir(parents=True, exist_ok=True)
        for name, place in LINKED.items():
            shutil.copy(ROOT / place, linked / name)
        # The image installs these versions; `enfilade deploy` writes the file beside the others.
        shutil.copy(ROOT / "constraints.txt", Path(self.build_lib, PRODUCT, "deploy"))

    def get_outputs(self, include_bytecode=True):
        """Return the files in the wheel, with those of the folders."""
        found = Path(self.build_lib, PRODUCT).rglob("*")
        return [*super().get_outputs(include_bytecode), *(str(path) for path in found if path.is_file())]


def require_vendored():
    """Have npm fetch the page's libraries, if they are missing. Raises SetupError without npm."""
    if all((ROOT / name).is_file() for name in VENDORED):
        return
    npm = shutil.which("npm")
    if npm is None:
        raise SetupError(
            "The page's libraries are missing. Install Node.js, which has npm, or run 'make install' first, "
            "or install a released wheel, which contains them."
        )
    subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=ROOT, check=True)
    subprocess.run([npm, "run", "--silent", "vendor"], cwd=ROOT, check=True)


class BuildKernel(build_ext):
    """Builds a library that is no Python module: its name has no version, its exports are in kernel.h."""

    def build_extensions(self):
        """Compile with the options of the compiler at hand."""
        if self.compiler.compiler_type != "msvc":
            for extension in self.extensions:
                extension.extra_compile_args = OPTIONS
        super().build_extensions()

    def get_export_symbols(self, _extension):
        """Return none: Windows would look for PyInit__kernel."""
        return []

    def get_libraries(self, _extension):
        """Return none: the kernel does not call Python."""
        return []

    def get_ext_filename(self, fullname):
        """Return the path of the library."""
        return str(Path(*fullname.split("."))) + (".dll" if os.name == "nt" else ".so")


class PlatformWheel(bdist_wheel):
    """Tags the wheel for any Python 3: with a kernel for this platform, without one for all."""

    def get_tag(self):
        """Return the tags of the Python version, the ABI and the platform."""
        return "py3", "none", super().get_tag()[2]


class KernelDistribution(Distribution):
    """A distribution with or without the kernel."""

    def has_ext_modules(self):
        """Return whether the wheel is for one platform."""
        return bool(self.ext_modules)


kernel = Extension(
    "enfilade.geometry.kernel._kernel",
    sources=sorted(glob(f"{KERNEL}/*.c")),
    depends=sorted(glob(f"{KERNEL}/*.h")),
    optional=True,
)
has_kernel = os.environ.get("ENFILADE_NO_KERNEL", "") in ("", "0")

setup(
    ext_modules=[kernel] if has_kernel else [],
    distclass=KernelDistribution,
    cmdclass={"build_py": BuildWithProduct, "build_ext": BuildKernel, "bdist_wheel": PlatformWheel},
)
