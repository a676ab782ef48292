// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Access units in LATM, with or without their description (`AudioMuxElement`, ISO/IEC 14496-3:2009, 1.7.3).
package struct AudioMuxElement: Hashable, Sendable {
    /// The description, where the element carries one (`useSameStreamMux` 0).
    package var streamMuxConfig: StreamMuxConfig?
    /// The payloads, as many as the description in force says.
    package var payloads: [[UInt8]]

    /// Creates an element.
    package init(streamMuxConfig: StreamMuxConfig?, payloads: [[UInt8]]) {
        self.streamMuxConfig = streamMuxConfig
        self.payloads = payloads
    }

    /// Reads an element that may carry a description (`muxConfigPresent` 1); else `previous` is in force.
    ///
    /// Throws ``ContainerError/missingConfiguration`` if neither is there. The payloads lie within the reader's bits.
    package init(reading reader: inout BitReader, previous: StreamMuxConfig?) throws(ContainerError) {
        var repeated = RepeatedDescription()
        try self.init(reading: &reader, previous: previous, repeated: &repeated)
    }

    /// Reads an element that may carry a description, or repeat that of `previous`, which is skipped then and no part of the element.
    ///
    /// - Parameter repeated: The bits of the description of `previous`; replaced by those of another one, also where an error follows it.
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

    /// Reads an element that carries no description (`muxConfigPresent` 0); `config` is in force.
    package init(reading reader: inout BitReader, config: StreamMuxConfig) throws(ContainerError) {
        payloads = []
        for _ in 0..<config.unitCount {
            let byteCount =
                switch config.frameLength {
                case .variable: Self.readLength(&reader)
                case .fixed(let byteCount): byteCount
                }
            guard byteCount * 8 <= reader.bitsRemaining else {
                throw .truncated(offset: 0, neededBytes: reader.bitPosition / 8 + byteCount, availableBytes: reader.bitCount / 8)
            }
            payloads.append(reader.readBytes(bitCount: byteCount * 8))
        }
        guard config.otherDataBitCount <= reader.bitsRemaining else { throw StreamMuxConfig.truncated(reader) }
        reader.skip(config.otherDataBitCount)
        reader.alignToByte()
    }

    /// Writes the element with zeros for other data; `config` is the description in force.
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

    /// Reads a length in bytes of up to 255, of which the last is less (`PayloadLengthInfo`).
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
