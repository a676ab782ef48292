// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import LiveAudio

/// Serializes access units as segments.
enum HLSPackaging {
    /// Fragmented MP4 (RFC 8216, 3.3).
    case fragmentedMP4(MP4SegmentBuilder)
    /// ADTS with the timestamp in an ID3 tag (RFC 8216, 3.4).
    case packedAudio(ADTSFramer)

    /// - Throws: ``StreamingError/unsupportedFormat(reason:)``.
    init(_ segmentFormat: HLSFolder.SegmentFormat, _ format: RecordingFormat) throws(StreamingError) {
        do throws(ContainerError) {
            switch segmentFormat {
            case .fragmentedMP4: self = .fragmentedMP4(try MP4SegmentBuilder(format.configuration))
            case .packedAudio:
                guard let config = format.audioSpecificConfig else { throw .codecNotStorable(format.configuration.formatID, in: .adts) }
                self = .packedAudio(try ADTSFramer(config))
            }
        } catch {
            throw .unsupportedFormat(reason: error.description)
        }
    }

    /// The initialization segment; nil for packed audio.
    var initializationSegment: [UInt8]? {
        if case .fragmentedMP4(let builder) = self { builder.initializationSegment } else { nil }
    }

    var fileExtension: String {
        switch self {
        case .fragmentedMP4: "m4s"
        case .packedAudio: "aac"
        }
    }

    /// Whether a segment can contain the access unit.
    func accepts(_ accessUnit: AccessUnit) -> Bool {
        let limit =
            switch self {
            case .fragmentedMP4: MP4SegmentBuilder.maximumUnitByteCount
            case .packedAudio(let framer): framer.maximumPayloadByteCount
            }
        return (1...limit).contains(accessUnit.payload.count)
    }

    /// Returns the leading bytes of each file.
    ///
    /// - Parameters:
    ///   - time: The first access unit's time, in sample frames.
    ///   - sampleRate: The rate of these frames, in hertz.
    func head(at time: Int, sampleRate: Int) -> [UInt8] {
        switch self {
        case .fragmentedMP4: MP4SegmentBuilder.segmentTypeBox
        case .packedAudio: HLSTimestampTag.bytes(frames: time, sampleRate: sampleRate)
        }
    }

    /// Returns access units as an MP4 fragment or as ADTS frames.
    ///
    /// - Parameters:
    ///   - accessUnits: Access units that ``accepts(_:)`` accepts.
    ///   - time: The first access unit's time, in sample frames.
    mutating func body(_ accessUnits: [AccessUnit], at time: Int) -> [UInt8] {
        switch self {
        case .fragmentedMP4(var builder):
            let bytes = builder.fragment(accessUnits, startTime: time)
            self = .fragmentedMP4(builder)
            return bytes
        case .packedAudio(let framer):
            var bytes: [UInt8] = []
            // Unacceptable access units have been skipped before.
            for accessUnit in accessUnits { try? framer.append(accessUnit, to: &bytes) }
            return bytes
        }
    }
}
