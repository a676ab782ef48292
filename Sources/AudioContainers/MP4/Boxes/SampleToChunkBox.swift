// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The number of access units in each chunk (`stsc`, ISO/IEC 14496-12, 8.7.4).
package struct SampleToChunkBox: Box, Equatable {
    package static let type: FourCharCode = "stsc"

    /// Chunks of as many units each, up to the next run.
    package struct Run: Equatable {
        /// The first chunk, counted from 1.
        var firstChunk: Int
        var unitsPerChunk: Int

        /// Creates a value from its parts.
        package init(firstChunk: Int, unitsPerChunk: Int) {
            self.firstChunk = firstChunk
            self.unitsPerChunk = unitsPerChunk
        }
    }

    package var runs: [Run] = []

    /// Creates a box.
    package init(runs: [Run] = []) { self.runs = runs }

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        let count = try cursor.readInteger(4)
        try cursor.require(count, entriesOf: 12)
        for _ in 0..<count {
            runs.append(Run(firstChunk: try cursor.readInteger(4), unitsPerChunk: try cursor.readInteger(4)))
            try cursor.skip(4)
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writer.write(runs.count, 4)
        for run in runs {
            writer.write(run.firstChunk, 4)
            writer.write(run.unitsPerChunk, 4)
            writer.write(1, 4)  // the only sample description
        }
    }
}
