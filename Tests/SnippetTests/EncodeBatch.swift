// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Encodes all files below a folder.
func encodeArchive(_ archive: String, _ target: String) async throws -> BatchTotals {
    // snippet: encode-batch
    let settings = BatchSettings(FileConverterConfiguration())
    let files = try FolderScan(archive).files.map { found in
        BatchFile(input: found.path, output: "\(target)/\(found.relativePath).m4a", settings: settings, byteCount: found.byteCount)
    }
    let totals = await BatchEncoder(files).run { result in
        if case .failed(_, let error) = result.outcome { print(error) }
    }
    print(totals.doneCount, "encoded,", totals.unchangedCount, "done before")
    // end
    return totals
}
