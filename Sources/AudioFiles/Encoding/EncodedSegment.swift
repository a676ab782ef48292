// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import PCMFiles

/// A run of encoded access units.
struct EncodedSegment: Sendable {
    /// The results at the end of the signal.
    struct End: Sendable {
        /// The priming, valid and remainder frames.
        var gapless: GaplessInfo
        /// Problems of the input that did not prevent reading.
        var warnings: [PCMFileWarning]
    }

    /// The bytes of all access units.
    private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var elements: [[ElementSpan]] = []

    /// The sample frame of the input after the last one read.
    var framesRead = 0
    /// Set if the signal ends in this segment.
    var end: End?
    /// Whether damage of the input was met until the end of this segment.
    var isInputDamaged = false

    /// The number of access units so far.
    var unitCount: Int { ends.count }

    /// Adds a unit, with the bit ranges of its elements if they are kept.
    mutating func add(_ payload: [UInt8], elements spans: [ElementSpan]?) {
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
