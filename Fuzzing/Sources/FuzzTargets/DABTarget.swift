// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import DABPlus

extension FuzzTarget {
    /// Tests ``expectSameEvents(_:coversAllBytes:_:)`` with the parser of superframes, and reads the programme-associated data of all units.
    static let dab = FuzzTarget("dab") { bytes in
        var parser = DABParser()
        parser.append(bytes)
        var reader = PADReader()
        while let event = parser.nextEvent() {
            guard case .accessUnit(let unit) = event, let data = ProgrammeAssociatedData(inUnit: unit.accessUnit.payload) else { continue }
            for case .label(let label) in reader.read(data) { precondition(label.text.utf8.count <= 4 * label.bytes.count) }
        }
        // Labels without superframes around them, whose checksums few random bytes would pass.
        if let data = ProgrammeAssociatedData(inUnit: bytes) { _ = reader.read(data) }
        expectSameEvents(DABParser.self, bytes)
    }
}
