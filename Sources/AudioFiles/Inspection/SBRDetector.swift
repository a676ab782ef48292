// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Detects SBR and parametric stereo in a stream, which not every container signals.
struct SBRDetector {
    /// The configuration of the stream.
    let configuration: AudioSpecificConfig
    /// The sample rate of the decoded stream in hertz, as far as is known.
    private(set) var sampleRate: Int
    /// The channels of the decoded stream, as far as is known; nil while only the stream could reveal them.
    private(set) var channelCount: Int?
    private var hasSBR: Bool
    private var hasParametricStereo: Bool
    private var decoder: AACDecoder?
    private var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 0)
    private var unitsLeft = Self.unitLimit

    /// The access units that are examined: SBR headers come at least once in so many.
    private static let unitLimit = 50

    /// Starts with the configuration of a stream.
    init(_ configuration: AudioSpecificConfig) {
        self.configuration = configuration
        sampleRate = configuration.outputSampleRate
        hasSBR = configuration.extensionConfig.hasSBR == true
        hasParametricStereo = hasSBR && configuration.extensionConfig.hasParametricStereo == true
        channelCount = configuration.hasStereoParameters ? 2 : configuration.channelCount
        let isSignaled = configuration.extensionConfig.hasSBR == false || hasSBR && !mayHaveStereo
        decoder = isSignaled ? nil : try? AACDecoder(configuration)
    }

    /// Whether access units may still reveal parametric stereo.
    private var mayHaveStereo: Bool {
        configuration.channelCount == 1 && configuration.extensionConfig.hasParametricStereo == nil && !hasParametricStereo
    }

    /// The usual name of the profile detected so far.
    var profileName: String {
        guard configuration.objectType == .aacLC, hasSBR else { return configuration.profileName }
        return hasParametricStereo ? "HE-AAC v2" : "HE-AAC"
    }

    /// Examines the next access unit, if it can still reveal something.
    mutating func record(_ unit: CodedUnit) {
        guard let decoder, unitsLeft > 0 else { return }
        unitsLeft -= 1
        guard unit.accessUnit.payload.withSpan({ decoder.decode($0, into: &buffer) }).damage == nil else { return }
        let found = decoder.codingTools.compactMap(\.sbr)
        if !found.isEmpty {
            hasSBR = true
            sampleRate = decoder.sampleRate
        }
        if found.contains(where: { $0.stereo != nil }) {
            hasParametricStereo = true
            channelCount = 2
        }
        if unitsLeft == 0 || hasSBR && !mayHaveStereo { self.decoder = nil }
    }
}
