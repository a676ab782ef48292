// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The duration of each access unit (`stts`, ISO/IEC 14496-12, 8.6.1.2).
struct TimeToSampleBox: Box, Equatable {
    static let type: FourCharCode = "stts"

    /// Units of the same length.
    struct Run: Equatable {
        var count: Int
        /// Length of each in ticks of the media.
        var duration: Int
    }

    var runs: [Run] = []

    /// Creates a box.
    init(runs: [Run] = []) { self.runs = runs }

    /// Parses the body of the box.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        let count = try cursor.readInteger(4)
        try cursor.require(count, entriesOf: 8)
        for _ in 0..<count {
            runs.append(Run(count: try cursor.readInteger(4), duration: try cursor.readInteger(4)))
        }
    }

    /// Writes the body of the box.
    func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writer.write(runs.count, 4)
        for run in runs {
            writer.write(run.count, 4)
            writer.write(run.duration, 4)
        }
    }
}
