// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import PCMFiles

/// A sequence of encoded access units.
package struct EncodedSegment: Sendable {
    /// The results at the end of the signal.
    package struct End: Sendable {
        package var gapless: GaplessInfo
        /// Recoverable problems of the input.
        package var warnings: [PCMFileWarning]
        /// The highest magnitude of the signal, as in ``EncoderInputReader/peak``.
        var peak: Float = 0

        package init(gapless: GaplessInfo, warnings: [PCMFileWarning]) {
            self.gapless = gapless
            self.warnings = warnings
        }
    }

    /// The payloads of all access units.
    package private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var elements: [[ElementSpan]] = []

    /// The number of input frames read from the start of the signal to the end of this segment.
    package var framesRead = 0
    /// Set if the signal ends in this segment.
    package var end: End?
    /// Whether input damage was found up to the end of this segment.
    package var isInputDamaged = false
    /// The highest magnitude up to the end of this segment, as in ``EncoderInputReader/peak``.
    package var peak: Float = 0

    package init() {}

    package var accessUnitCount: Int { ends.count }

    /// Adds an access unit, with the bit ranges of its elements if they are needed.
    package mutating func add(_ payload: [UInt8], elements spans: [ElementSpan]?) {
        bytes += payload
        ends.append(bytes.count)
        if let spans { elements.append(spans) }
    }

    /// Calls `body` with each access unit's bytes and the bit ranges of its elements.
    func forEach(_ body: (ArraySlice<UInt8>, [ElementSpan]) throws -> Void) rethrows {
        var start = 0
        for (index, end) in ends.enumerated() {
            try body(bytes[start..<end], elements.isEmpty ? [] : elements[index])
            start = end
        }
    }
}
