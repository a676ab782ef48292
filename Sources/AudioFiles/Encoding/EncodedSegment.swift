// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import PCMFiles

/// A run of encoded access units.
package struct EncodedSegment: Sendable {
    /// The results at the end of the signal.
    package struct End: Sendable {
        /// The priming, valid and remainder frames.
        package var gapless: GaplessInfo
        /// Problems of the input that did not prevent reading.
        package var warnings: [PCMFileWarning]

        /// Creates a value from its parts.
        package init(gapless: GaplessInfo, warnings: [PCMFileWarning]) {
            self.gapless = gapless
            self.warnings = warnings
        }
    }

    /// The bytes of all access units.
    package private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var elements: [[ElementSpan]] = []

    /// The sample frame of the input after the last one read.
    package var framesRead = 0
    /// Set if the signal ends in this segment.
    package var end: End?
    /// Whether damage of the input was met until the end of this segment.
    package var isInputDamaged = false

    /// Creates the initial value.
    package init() {}

    /// The number of access units so far.
    package var unitCount: Int { ends.count }

    /// Adds a unit, with the bit ranges of its elements if they are kept.
    package mutating func add(_ payload: [UInt8], elements spans: [ElementSpan]?) {
        bytes += payload
        ends.append(bytes.count)
        if let spans { elements.append(spans) }
    }

    /// Calls `body` with the bytes of each unit and the bit ranges of its elements.
    func forEach(_ body: (ArraySlice<UInt8>, [ElementSpan]) throws -> Void) rethrows {
        var start = 0
        for (index, end) in ends.enumerated() {
            try body(bytes[start..<end], elements.isEmpty ? [] : elements[index])
            start = end
        }
    }
}
