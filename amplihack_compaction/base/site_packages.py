"""Make the environment's packages importable for a hook that has real work to do.

Hooks run with `-I -S`, so site-packages is not on the path. An installed hook has its own folder
there, since the package lies in site-packages; one that runs from a checkout has not.
"""

import sys


def add_site_packages() -> None:
    """Put the site-packages folder of the running interpreter's environment on the path."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    environment = sys.executable.rpartition("/")[0].rpartition("/")[0]
    folder = f"{environment}/lib/{version}/site-packages"
    if folder not in sys.path:
        sys.path.append(folder)
