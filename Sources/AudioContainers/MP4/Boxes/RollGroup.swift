// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The number of access units to decode before a random access point (`sgpd` and `sbgp` of type `roll`, ISO/IEC 14496-12, 8.9 and 10.1).
///
/// Only written: readers of this module seek with a fixed preroll.
struct RollGroup: Equatable {
    private static let kind: FourCharCode = "roll"

    var accessUnitCount: Int
    /// The number of preroll access units.
    var distance = 1

    /// Writes `sgpd` and `sbgp`.
    ///
    /// - Parameter inFragment: Whether the boxes belong to a fragment, whose own descriptions are numbered from 65 537 (8.9.4).
    func writeBoxes(to writer: inout BoxWriter, inFragment: Bool = false) {
        writer.box("sgpd") {
            $0.writeFullBox(version: 1)
            $0.write(Self.kind)
            $0.write(2, 4)  // bytes of a description
            $0.write(1, 4)
            $0.write(-distance, 2)
        }
        writer.box("sbgp") {
            $0.writeFullBox()
            $0.write(Self.kind)
            $0.write(1, 4)
            $0.write(accessUnitCount, 4)
            $0.write(inFragment ? 0x10001 : 1, 4)
        }
    }
}
