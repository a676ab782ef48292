// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// How several threads encode one file: segment by segment, with the bytes that one thread would make.
struct FileSharing {
    /// The sound.
    let source: PartSource
    /// Sample frames of the file by its header; the sound may turn out to be shorter or longer.
    let frameCount: Int
    /// log2 of the quality at which typical music takes the rate asked for.
    let typicalLevel: Float
    /// Threads that may be used.
    let threadCount: Int

    /// Processors of this machine that are in use.
    static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    private var unitCount: Int { (AACEncoder.primingFrames + frameCount + AACEncoder.frameLength - 1) / AACEncoder.frameLength }

    private var segmentCount: Int { (unitCount + StreamSegments.length - 1) / StreamSegments.length }

    /// Whether more than one thread has something to do, and no frame depends on the bits of those before; `level` is that of
    /// ``level()``.
    func isWorthwhile(level: Float?) -> Bool {
        switch source.configuration.rateControl {
        case .constant: return false
        case .average where level == nil: return false
        default: return threadCount > 1 && segmentCount > 1
        }
    }

    /// log2 of the quality to be held for an average bit rate, which takes a first pass; nil for other rate controls, and if no one
    /// quality gives the rate.
    func level() throws -> Float? {
        guard case .average(let bitRate) = source.configuration.rateControl, frameCount > 0 else { return nil }
        let bitsPerUnit = Double(bitRate) * Double(AACEncoder.frameLength) / Double(source.configuration.sampleRate)
        let search = QualitySearch(source: source, unitCount: unitCount, threadCount: threadCount, bitsPerUnit: bitsPerUnit)
        return try search.level(startingAt: typicalLevel)
    }

    /// Starts to encode all segments, the last of which goes on to the end of the sound.
    func segments(level: Float?) -> OrderedWork<EncodedPart> {
        var source = source
        source.level = level
        let last = segmentCount - 1
        return OrderedWork(partCount: segmentCount, threadCount: threadCount) { [source] in
            let encoder = try PartEncoder(source)
            return { segment in
                let first = segment * StreamSegments.length
                return try encoder.encode(first..<(segment == last ? .max : first + StreamSegments.length))
            }
        }
    }
}
