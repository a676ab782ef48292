// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Access units where decoding can start although the first output is incomplete (`sgpd` and `sbgp`, ISO/IEC 14496-12, 8.9 and 10.1).
///
/// Only written: readers of this module seek with a fixed preroll.
struct RollGroup: Equatable {
    /// `roll`, or `prol` for access units of USAC that are independent but no sync samples.
    private let kind: FourCharCode
    /// The number of access units until the output is complete; negative if they precede.
    private let distance: Int
    /// Consecutive access units that are members of the group or not.
    private var runs: [Run] = []

    private struct Run: Equatable {
        var count: Int
        let isMember: Bool
    }

    /// Creates a group of all access units.
    ///
    /// - Parameter distance: The number of preroll access units.
    init(accessUnitCount: Int, distance: Int) {
        kind = "roll"
        self.distance = -distance
        runs = [Run(count: accessUnitCount, isMember: true)]
    }

    /// Creates a group of the independent access units, or returns `nil` without any.
    ///
    /// - Parameter distance: The number of access units after them until the output is complete.
    init?(independent: [UInt32], accessUnitCount: Int, distance: Int) {
        guard !independent.isEmpty else { return nil }
        kind = "prol"
        self.distance = distance
        var next = 1
        for number in independent {
            append(Int(number) - next, isMember: false)
            append(1, isMember: true)
            next = Int(number) + 1
        }
        append(accessUnitCount + 1 - next, isMember: false)
    }

    private mutating func append(_ count: Int, isMember: Bool) {
        guard count > 0 else { return }
        if runs.last?.isMember == isMember {
            runs[runs.count - 1].count += count
        } else {
            runs.append(Run(count: count, isMember: isMember))
        }
    }

    /// Writes `sgpd` and `sbgp`.
    ///
    /// - Parameter inFragment: Whether the boxes belong to a fragment, whose own descriptions are numbered from 65 537 (8.9.4).
    func writeBoxes(to writer: inout BoxWriter, inFragment: Bool = false) {
        writer.box("sgpd") {
            $0.writeFullBox(version: 1)
            $0.write(kind)
            $0.write(2, 4)  // bytes of a description
            $0.write(1, 4)
            $0.write(distance, 2)
        }
        writer.box("sbgp") {
            $0.writeFullBox()
            $0.write(kind)
            $0.write(runs.count, 4)
            for run in runs {
                $0.write(run.count, 4)
                $0.write(!run.isMember ? 0 : inFragment ? 0x10001 : 1, 4)
            }
        }
    }
}
