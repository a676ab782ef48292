// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import DABPlus

extension FuzzTarget {
    /// Tests the superframe parser with ``expectSameEvents(_:coversAllBytes:_:)``, and reads the programme-associated data of all access
    /// units.
    static let dab = FuzzTarget("dab") { bytes in
        var parser = DABParser()
        parser.append(bytes)
        var reader = PADReader()
        while let event = parser.nextEvent() {
            guard case .accessUnit(let demuxed) = event, let data = ProgrammeAssociatedData(inUnit: demuxed.accessUnit.payload) else {
                continue
            }
            for case .label(let label) in reader.read(data) { precondition(label.text.utf8.count <= 4 * label.bytes.count) }
        }
        // Labels without superframes, whose checksums random bytes would rarely match.
        if let data = ProgrammeAssociatedData(inUnit: bytes) { _ = reader.read(data) }
        expectSameEvents(DABParser.self, bytes)
    }
}
