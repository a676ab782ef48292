// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// A parser that finds access units in a LOAS stream, passed in chunks of any size (`AudioSyncStream`, ISO/IEC 14496-3:2009, 1.7.2).
///
/// A frame is valid if its payloads fit into it and another syncword, or the end of the stream, follows. After damage, two more syncwords
/// must follow. The events do not depend on the chunk sizes. The parser never traps on invalid input.
package struct LOASParser: FramedParser {
    package var progress = StreamProgress()
    private var streamMuxConfig: StreamMuxConfig?
    private var description = RepeatedDescription()
    /// Whether a frame ended at the start of the window.
    private var isInStep = false
    private var bits = BitReader()

    package init() {}

    /// Consumes a frame or a byte, or returns `false` if more bytes are needed.
    package mutating func step() -> Bool {
        let window = progress.window
        let plain = window.distance { $0 == LOASSync.firstByte }
        if plain > 0 {
            lose(plain, .unrecognized)
            return true
        }
        switch LOASSync.search(window, followers: isInStep ? 1 : 2) {
        case .needsMore: return false
        case .none(let isCut): lose(1, isCut && isInStep ? .truncatedFrame : .unrecognized)
        case .found(let elementByteCount): parseFrame(LOASSync.byteCount..<LOASSync.byteCount + elementByteCount)
        }
        return true
    }

    /// Skips bytes.
    ///
    /// Two more syncwords must then confirm the next frame.
    private mutating func lose(_ count: Int, _ reason: SkippedBytes.Reason) {
        isInStep = false
        progress.lose(count, reason)
    }

    /// Reports the access units of the frame at the start of the window.
    private mutating func parseFrame(_ range: Range<Int>) {
        bits.load(progress.window[range].span)
        var repeated = description
        let element: AudioMuxElement
        do throws(ContainerError) {
            element = try AudioMuxElement(reading: &bits, previous: streamMuxConfig, repeated: &repeated)
            // Access units are never empty; damaged lengths are.
            guard element.payloads.allSatisfy({ !$0.isEmpty }) else { throw .emptyAccessUnit }
        } catch {
            return dropFrame(range.upperBound, error)
        }
        progress.reportLost()
        if let config = element.streamMuxConfig {
            (streamMuxConfig, description) = (config, repeated)
            progress.announce(.aac(config.configuration))
        }
        guard let config = streamMuxConfig else { return }
        // The configuration is known, but not the frame length.
        guard let duration = config.configuration.frameLength else {
            let failure = ContainerError.unknownFrameLength(of: config.configuration.objectType)
            return loseFrame(range.upperBound, .unsupportedConfiguration(failure))
        }
        let start = progress.window.offset
        for (index, payload) in element.payloads.enumerated() {
            // The bytes around several payloads belong to the first.
            let own = index == 0 ? start..<start + range.upperBound : start + range.upperBound..<start + range.upperBound
            progress.append(payload: payload, duration: duration, byteRange: own) {
                $0.payloadBit = 8 * (start + range.lowerBound) + element.payloadBits[index]
            }
        }
        progress.window.advance(by: range.upperBound)
        isInStep = true
    }

    /// Skips an undecodable frame.
    private mutating func dropFrame(_ byteCount: Int, _ error: ContainerError) {
        switch error {
        case .missingConfiguration: loseFrame(byteCount, .missingConfiguration)
        case .unsupportedMultiplex, .codec(.unsupportedObjectType): loseFrame(byteCount, .unsupportedConfiguration(error))
        // In sync, the frame length is more reliable than the content.
        default: isInStep ? loseFrame(byteCount, .unrecognized) : lose(1, .unrecognized)
        }
    }

    /// Skips a whole frame and stays in sync.
    private mutating func loseFrame(_ byteCount: Int, _ reason: SkippedBytes.Reason) {
        progress.loseFrame(byteCount, reason)
        isInStep = true
    }
}
