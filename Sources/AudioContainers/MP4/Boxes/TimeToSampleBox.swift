// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The duration of each access unit (`stts`, ISO/IEC 14496-12, 8.6.1.2).
package struct TimeToSampleBox: Box, Equatable {
    package static let type: FourCharCode = "stts"

    /// Units of the same length.
    package struct Run: Equatable {
        var count: Int
        /// Length of each in ticks of the media.
        var duration: Int

        /// Creates a value from its parts.
        package init(count: Int, duration: Int) {
            self.count = count
            self.duration = duration
        }
    }

    package var runs: [Run] = []

    /// Creates a box.
    package init(runs: [Run] = []) { self.runs = runs }

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        let count = try cursor.readInteger(4)
        try cursor.require(count, entriesOf: 8)
        for _ in 0..<count {
            runs.append(Run(count: try cursor.readInteger(4), duration: try cursor.readInteger(4)))
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writer.write(runs.count, 4)
        for run in runs {
            writer.write(run.count, 4)
            writer.write(run.duration, 4)
        }
    }
}
