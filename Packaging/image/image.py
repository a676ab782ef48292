# SPDX-License-Identifier: Apache-2.0

"""Writes an OCI image with one layer, without a daemon:

    python3 Packaging/image/image.py LAYER.tar VERSION TARGET.tar

`docker load`, `podman load` and `skopeo copy oci-archive:TARGET.tar` read it. Reproducible: times are
SOURCE_DATE_EPOCH. https://github.com/opencontainers/image-spec, version 1.0
"""

import datetime
import gzip
import hashlib
import io
import json
import os
import sys
import tarfile


def main(layer_path: str, version: str, target: str) -> None:
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    with open(layer_path, "rb") as file:
        layer = file.read()
    blobs: dict[str, bytes] = {}

    def descriptor(media_type: str, content: bytes) -> dict[str, object]:
        digest = hashlib.sha256(content).hexdigest()
        blobs[digest] = content
        return {"mediaType": f"application/vnd.oci.image.{media_type}", "digest": f"sha256:{digest}", "size": len(content)}

    configuration = {
        "created": created,
        "architecture": "amd64",
        "os": "linux",
        "config": {
            "User": "1000:1000",
            "Env": ["PATH=/usr/bin", "LANG=C.UTF-8"],
            "Entrypoint": ["/usr/bin/linnet"],
            "Cmd": ["--help"],
            "WorkingDir": "/work",
            "Labels": {
                "org.opencontainers.image.title": "linnet",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.licenses": "Apache-2.0",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
        "history": [{"created": created, "created_by": "Scripts/Package/image"}],
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": descriptor("config.v1+json", as_bytes(configuration)),
        "layers": [descriptor("layer.v1.tar+gzip", gzip.compress(layer, 9, mtime=0))],
    }
    described = descriptor("manifest.v1+json", as_bytes(manifest))
    described["annotations"] = {"org.opencontainers.image.ref.name": version}
    files = {f"blobs/sha256/{digest}": content for digest, content in blobs.items()}
    files["index.json"] = as_bytes({"schemaVersion": 2, "manifests": [described]})
    files["oci-layout"] = as_bytes({"imageLayoutVersion": "1.0.0"})
    with tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(files[name]), epoch
            archive.addfile(entry, io.BytesIO(files[name]))


def as_bytes(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
