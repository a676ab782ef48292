// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The number of units that a decoder needs before a random access point (`sgpd` and `sbgp` of kind `roll`, ISO/IEC 14496-12, 8.9 and 10.1).
///
/// It is written and never read, since readers here seek with a fixed preroll.
struct RollGroup: Equatable {
    private static let kind: FourCharCode = "roll"

    /// The number of units in the track.
    var unitCount: Int
    /// The number of units to decode before one.
    var distance = 1

    /// Writes `sgpd` and `sbgp`.
    ///
    /// - Parameters:
    ///   - writer: Receives the boxes.
    ///   - inFragment: Whether they are those of a fragment, whose own descriptions are counted from 65 537 (8.9.4).
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
            $0.write(unitCount, 4)
            $0.write(inFragment ? 0x10001 : 1, 4)
        }
    }
}
