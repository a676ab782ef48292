// SPDX-License-Identifier: Apache-2.0

import PCMFiles
import SystemFiles

extension FuzzTarget {
    /// Reads the header of a WAVE file, and the tags around its samples.
    ///
    /// The samples start within the file, after a header with a supported format. Reading tags does not change that position.
    static let wav = FuzzTarget("wav") { bytes in
        let input = FileInput(bytes)
        guard let header = (try? WAVEHeader(reading: input)) ?? nil else { return }
        precondition((44...bytes.count).contains(input.position))
        precondition((1...256).contains(header.channelCount) && header.sampleRate > 0 && header.declaredByteCount ?? 0 >= 0)
        checkTags(header.tags, of: bytes)
    }
}
