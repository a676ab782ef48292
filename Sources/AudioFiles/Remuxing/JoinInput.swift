// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles

/// The format and length of an input of a join, from reading all of its access units.
struct JoinInput {
    let path: String
    private let audioTrack: AudioTrackChoice?
    let configuration: CodecConfiguration
    let metadata: ContainerMetadata
    /// The number of access units up to the end of the signal.
    private(set) var accessUnitCount = 0
    /// The number of decoded sample frames, at the configuration's sample rate.
    private(set) var frameCount = 0
    /// The priming and padding, or `nil` if the input does not state them.
    let gapless: GaplessInfo?
    /// The number of bytes that should have been access units.
    private(set) var lostByteCount = 0
    /// The number of access units that the index lists after the end of the file.
    private(set) var missingUnitCount = 0
    /// The number of access units missing inside the input.
    private(set) var gapUnitCount = 0

    /// Reads an input.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``, also if its edit list repeats or reorders parts, or its configuration changes.
    init(path: String, audioTrack: AudioTrackChoice?, while isWanted: () -> Bool) throws(AudioFileError) {
        let reader = try AccessUnitReader(path: path, audioTrack: audioTrack)
        self.audioTrack = audioTrack
        var found: CodecConfiguration?
        var trim = UnitTrim()
        try reader.requireDelimitedUnits()
        self.path = path
        metadata = reader.metadata
        guard !metadata.isRearranged else { throw AudioFileError(.unsupportedEditList, path: reader.path) }
        let end = metadata.gaplessInfo.map { $0.primingFrames + $0.validFrames } ?? .max
        while let event = try reader.next() {
            guard isWanted() else { throw AudioFileError(.cancelled, path: reader.path) }
            switch event {
            case .configuration(let next):
                guard found?.joins(next) ?? true else {
                    throw AudioFileError(.configurationChange(accessUnit: accessUnitCount), path: reader.path)
                }
                found = found ?? next
            case .accessUnit(let demuxed):
                guard demuxed.rawDataBlockCount == 1 else { throw AudioFileError(.undelimitedAccessUnits, path: reader.path) }
                // The rest is padding, and some containers can shorten only the last packet.
                if accessUnitCount > 0, gapUnitCount == 0, frameCount >= end, found?.needsPriming == true { continue }
                accessUnitCount += 1
                frameCount += found?.decodedFrameCount(of: demuxed.accessUnit) ?? 0
                trim.leading += demuxed.trim.leading
                trim.trailing += demuxed.trim.trailing
            case .skipped(let skipped):
                if skipped.isDamage { lostByteCount += skipped.byteRange.count }
                missingUnitCount += skipped.unitCountAfterEnd
                gapUnitCount += skipped.missingUnitCount
            }
        }
        guard let found, accessUnitCount > 0 else { throw AudioFileError(.noAccessUnits, path: reader.path) }
        configuration = found
        let stated = metadata.gaplessInfo ?? GaplessInfo(trim, totalFrames: frameCount)
        // Apple Lossless has no priming.
        gapless = stated ?? (found.needsPriming ? nil : GaplessInfo(primingFrames: 0, validFrames: frameCount, remainderFrames: 0))
    }

    /// The decoded frames that are part of the signal, in order.
    var playedRanges: [Range<Int>] {
        guard let gapless else { return [0..<frameCount] }
        let end = min(frameCount, gapless.primingFrames + gapless.validFrames)
        var ranges: [Range<Int>] = []
        var start = min(gapless.primingFrames, end)
        for omitted in metadata.omittedRanges where omitted.lowerBound >= start && omitted.upperBound <= end {
            ranges.append(start..<omitted.lowerBound)
            start = omitted.upperBound
        }
        return ranges + [start..<end]
    }

    /// The number of sample frames that are part of the signal.
    var playedFrameCount: Int { playedRanges.reduce(0) { $0 + $1.count } }

    /// Whether the decoder state of a previous part affects the first frames of the signal.
    var isUnsettled: Bool { gapless.map { $0.primingFrames < configuration.settlingFrames } ?? false }

    /// Calls `body` with each access unit up to the end of the signal.
    func forEachUnit(_ body: (DemuxedAccessUnit) throws -> Void) throws {
        let reader = try AccessUnitReader(path: path, audioTrack: audioTrack)
        var left = accessUnitCount
        while left > 0, let event = try reader.next() {
            guard case .accessUnit(let accessUnit) = event else { continue }
            try body(accessUnit)
            left -= 1
        }
    }
}

extension CodecConfiguration {
    /// Returns the decoded sample frames of an access unit, whose duration in a container can be shorter.
    func decodedFrameCount(of accessUnit: AccessUnit) -> Int {
        frameCount(of: accessUnit.payload) ?? accessUnit.frameCount(atRate: sampleRate)
    }

    /// Whether access units of another configuration can follow in one stream.
    func joins(_ other: CodecConfiguration) -> Bool {
        switch (self, other) {
        case (.opus(var first), .opus(let second)):
            (first.preSkip, first.inputSampleRate) = (second.preSkip, second.inputSampleRate)
            return first == second
        case (.alac(var first), .alac(let second)):
            (first.maximumPacketSize, first.averageBitRate) = (second.maximumPacketSize, second.averageBitRate)
            return first == second
        default: return self == other
        }
    }

    /// Whether the first frames of a decoder differ from the signal.
    fileprivate var needsPriming: Bool { if case .alac = self { false } else { true } }

    /// The number of sample frames of the first access units that previous ones affect, apart from SBR and noise substitution.
    fileprivate var settlingFrames: Int {
        switch self {
        case .aac(let config):
            guard config.usac == nil, let framesPerUnit else { return 0 }
            return (config.enhancedLowDelay == nil ? 1 : 3) * framesPerUnit
        case .opus, .ilbc: return prerollFrames
        case .alac: return 0
        }
    }
}
