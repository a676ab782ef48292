// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Detects SBR and parametric stereo, which not every container signals.
struct SBRDetector {
    let configuration: AudioSpecificConfig
    /// The decoded sample rate known so far, in hertz.
    private(set) var sampleRate: Int
    /// The decoded channel count, or `nil` until the stream determines it.
    private(set) var channelCount: Int?
    private var hasSBR: Bool
    private var hasParametricStereo: Bool
    private var decoder: AACDecoder?
    private var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 0)
    private var unitsLeft = Self.unitLimit

    /// The number of access units to examine.
    ///
    /// SBR headers occur at least once in this number.
    private static let unitLimit = 50

    init(_ configuration: AudioSpecificConfig) {
        self.configuration = configuration
        sampleRate = configuration.outputSampleRate
        hasSBR = configuration.extensionConfig.hasSBR == true
        hasParametricStereo = hasSBR && configuration.extensionConfig.hasParametricStereo == true
        channelCount = configuration.hasStereoParameters ? 2 : configuration.channelCount
        let isSignaled = configuration.extensionConfig.hasSBR == false || hasSBR && !mayHaveStereo
        decoder = isSignaled ? nil : try? AACDecoder(configuration)
    }

    /// Whether access units may still signal parametric stereo.
    private var mayHaveStereo: Bool {
        configuration.channelCount == 1 && configuration.extensionConfig.hasParametricStereo == nil && !hasParametricStereo
    }

    /// The name of the profile detected so far.
    var profileName: String {
        guard configuration.objectType == .aacLC, hasSBR else { return configuration.profileName }
        return hasParametricStereo ? "HE-AAC v2" : "HE-AAC"
    }

    /// Examines the next access unit, if needed.
    mutating func record(_ demuxed: DemuxedAccessUnit) {
        guard let decoder, unitsLeft > 0 else { return }
        unitsLeft -= 1
        guard demuxed.accessUnit.payload.withSpan({ decoder.decode($0, into: &buffer) }).damage == nil else { return }
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
