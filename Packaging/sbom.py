# SPDX-License-Identifier: Apache-2.0

"""Writes the SPDX 2.3 bill of materials of a release, in JSON, to standard output:

    python3 Packaging/sbom.py VERSION FOLDER

Packages are Linnet and its linked components; files are the files in FOLDER, with their checksums. Reproducible: the time is SOURCE_DATE_EPOCH.
The container image lists its Debian packages in /usr/share/linnet/packages.
"""

import datetime
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

# Components linked into the command and the libraries: name, Debian package or None, licence.
LINKED = [
    ("swift-runtime", None, "Apache-2.0 WITH Swift-exception"),
    ("libwebrtc-audio-processing", "libwebrtc-audio-processing-dev", "BSD-3-Clause"),
    ("libspeexdsp", "libspeexdsp-dev", "BSD-3-Clause"),
    ("libstdc++", "libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    ("wasi-libc", "wasi-libc", "MIT AND BSD-2-Clause AND Apache-2.0 WITH LLVM-exception"),
]


def installed_version(package: str | None) -> str:
    if package is None:
        line = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
        return line.split("version ")[1].split()[0]
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True).stdout


def main(version: str, folder: Path) -> None:
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    root = "SPDXRef-Package-linnet"
    packages = [package(root, "linnet", version, "Apache-2.0")]
    relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", root)]
    for name, source, licence in LINKED:
        identifier = "SPDXRef-Package-" + name.replace("+", "-plus")
        packages.append(package(identifier, name, installed_version(source), licence))
        relations.append(relation(root, "STATIC_LINK", identifier))
    files = []
    for index, path in enumerate(sorted(path for path in folder.rglob("*") if path.is_file())):
        content = path.read_bytes()
        identifier = f"SPDXRef-File-{index}"
        files.append({
            "SPDXID": identifier,
            "fileName": "./" + path.relative_to(folder).as_posix(),
            "checksums": [
                {"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()},
            ],
            "licenseConcluded": "NOASSERTION",
            "copyrightText": "NOASSERTION",
        })
        relations.append(relation(root, "GENERATES", identifier))
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"linnet-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/linnet-{version}-{hashlib.sha256(json.dumps(files).encode()).hexdigest()}",
        "creationInfo": {"created": created, "creators": ["Tool: Packaging/sbom.py"]},
        "packages": packages,
        "files": files,
        "relationships": relations,
    }
    print(json.dumps(document, indent=1))


def package(identifier: str, name: str, version: str, licence: str) -> dict[str, object]:
    return {
        "SPDXID": identifier,
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }


def relation(first: str, kind: str, second: str) -> dict[str, str]:
    return {"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]))
