"""What is public in the built modules, as symbol graphs: nothing is compiled for this."""
import re
import shutil
import subprocess
import sys


def library_products(root):
    """The modules of each library product, in the order of Package.swift."""
    products = re.findall(r'\.library\(\s*name: "([^"]+)",\s*targets: \[([^\]]+)\]', (root / "Package.swift").read_text())
    return {name: re.findall(r'"([^"]+)"', targets) for name, targets in products}


def extract(root, modules, folder):
    """Writes the symbol graphs of modules that were built for debugging into an emptied folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    products = root / ".build/debug"
    maps = list((root / "Sources").glob("C*/module.modulemap"))
    maps += (root / ".build/checkouts").glob("*/Sources/*/include/module.modulemap")
    maps += products.glob("*.build/module.modulemap")
    options = [option for path in maps for option in ("-Xcc", f"-fmodule-map-file={path}")]
    libraries = re.findall(r'pkgConfig: "([^"]+)"', (root / "Package.swift").read_text())
    flags = subprocess.run(["pkg-config", "--cflags", *libraries], capture_output=True, text=True, check=True).stdout
    options += [option for flag in flags.split() for option in ("-Xcc", flag)]
    machine = subprocess.run(["swift", "-print-target-info"], capture_output=True, text=True, check=True).stdout
    target = re.search(r'"unversionedTriple": "([^"]+)"', machine)[1]
    for module in modules:
        if not (products / "Modules" / f"{module}.swiftmodule").exists():
            sys.exit(f"error: the module {module} is not built\nhint: run 'swift build' first")
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", module, "-I", products / "Modules", "-target", target]
            + ["-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder, *options],
            check=True,
        )
        if not (folder / f"{module}.symbols.json").exists():
            sys.exit(f"error: swift-symbolgraph-extract wrote nothing about {module}")
