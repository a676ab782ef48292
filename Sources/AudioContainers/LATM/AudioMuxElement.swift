// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Access units in LATM, with or without a `StreamMuxConfig` (`AudioMuxElement`, ISO/IEC 14496-3:2009, 1.7.3).
package struct AudioMuxElement: Hashable, Sendable {
    /// The `StreamMuxConfig`, if the element carries one (`useSameStreamMux` 0).
    package var streamMuxConfig: StreamMuxConfig?
    /// The payloads, as many as the current `StreamMuxConfig` signals.
    package var payloads: [[UInt8]]
    /// The reader position of each payload, in bits.
    ///
    /// Set after reading.
    private(set) var payloadBits: [Int] = []

    package init(streamMuxConfig: StreamMuxConfig?, payloads: [[UInt8]]) {
        self.streamMuxConfig = streamMuxConfig
        self.payloads = payloads
    }

    /// Reads an element that can carry a `StreamMuxConfig` (`muxConfigPresent` 1), or else uses `previous`.
    ///
    /// Throws ``ContainerError/missingConfiguration`` if there is neither.
    package init(reading reader: inout BitReader, previous: StreamMuxConfig?) throws(ContainerError) {
        var repeated = RepeatedDescription()
        try self.init(reading: &reader, previous: previous, repeated: &repeated)
    }

    /// Reads an element that can carry a `StreamMuxConfig`.
    ///
    /// One that repeats `previous` is skipped and not part of the element.
    ///
    /// - Parameter repeated: The bits of `previous`. A different `StreamMuxConfig` replaces them, even if an error follows.
    init(reading reader: inout BitReader, previous: StreamMuxConfig?, repeated: inout RepeatedDescription) throws(ContainerError) {
        var new: StreamMuxConfig?
        if !repeated.skip(in: &reader), !reader.readFlag() {
            let config = try StreamMuxConfig(reading: &reader)
            repeated = RepeatedDescription(config, endingAt: reader)
            new = config
        }
        guard let config = new ?? previous else { throw .missingConfiguration }
        try self.init(reading: &reader, config: config)
        streamMuxConfig = new
    }

    /// Reads an element without a `StreamMuxConfig` (`muxConfigPresent` 0), using `config`.
    package init(reading reader: inout BitReader, config: StreamMuxConfig) throws(ContainerError) {
        payloads = []
        for _ in 0..<config.accessUnitCount {
            let byteCount =
                switch config.frameLength {
                case .variable: Self.readLength(&reader)
                case .fixed(let byteCount): byteCount
                }
            guard byteCount * 8 <= reader.bitsRemaining else {
                throw .truncated(offset: 0, neededBytes: reader.bitPosition / 8 + byteCount, availableBytes: reader.bitCount / 8)
            }
            payloadBits.append(reader.bitPosition)
            payloads.append(reader.readBytes(bitCount: byteCount * 8))
        }
        guard config.otherDataBitCount <= reader.bitsRemaining else { throw StreamMuxConfig.truncated(reader) }
        reader.skip(config.otherDataBitCount)
        reader.alignToByte()
    }

    /// Writes the element with zeros as other data; `config` is the current `StreamMuxConfig`.
    package func write(to sink: inout some BitSink, config: StreamMuxConfig) {
        sink.write(streamMuxConfig == nil)
        streamMuxConfig?.write(to: &sink)
        for payload in payloads {
            if case .variable = config.frameLength {
                for _ in 0..<payload.count / 255 {
                    sink.write(255, count: 8)
                }
                sink.write(UInt32(payload.count % 255), count: 8)
            }
            sink.write(payload)
        }
        for _ in 0..<config.otherDataBitCount {
            sink.write(false)
        }
        sink.alignToByte()
    }

    /// Reads a length coded as a sum of bytes, where 255 means that another byte follows (`PayloadLengthInfo`).
    private static func readLength(_ reader: inout BitReader) -> Int {
        var length = 0
        while reader.bitsRemaining >= 8 {
            let byte = Int(reader.read(8))
            length += byte
            if byte < 255 { break }
        }
        return length
    }
}
