#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Writes the wheel: wheel.py LIBRARY VERSION PLATFORM FOLDER. Reproducible; SOURCE_DATE_EPOCH is the files' time."""

import base64
import hashlib
import os
import sys
import time
import zipfile
from pathlib import Path

METADATA = """\
Metadata-Version: 2.1
Name: linnet
Version: {version}
Summary: Reads and writes audio files: AAC, Apple Lossless, WAV, and others by libsndfile
License: Apache-2.0
Requires-Python: >=3.9
"""
WHEEL = """\
Wheel-Version: 1.0
Generator: linnet
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def main(library, version, platform, folder):
    """Writes the wheel and prints its path."""
    package, license = Path(__file__).with_name("linnet"), Path(__file__).parents[2] / "LICENSE"
    info = f"linnet-{version}.dist-info"
    files = {
        **{f"linnet/{module.name}": module.read_bytes() for module in sorted(package.glob("*.py"))},
        "linnet/liblinnet.so.0": Path(library).read_bytes(),
        "linnet/py.typed": b"",
        f"{info}/METADATA": METADATA.format(version=version).encode(),
        f"{info}/WHEEL": WHEEL.format(platform=platform).encode(),
        f"{info}/licenses/LICENSE": license.read_bytes(),
    }
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    path = Path(folder) / f"linnet-{version}-py3-none-{platform}.whl"
    date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(path, "w") as wheel:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = (0o100755 if ".so" in name else 0o100644) << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    main(*sys.argv[1:])
