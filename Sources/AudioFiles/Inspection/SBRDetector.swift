// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Finds out what a stream decodes to: whether it has SBR and parametric stereo, not every container tells.
struct SBRDetector {
    /// The configuration of the stream.
    let configuration: AudioSpecificConfig
    /// The rate of what comes out in hertz, as far as is known.
    private(set) var sampleRate: Int
    /// Channels of what comes out, as far as is known; nil while only the stream tells.
    private(set) var channelCount: Int?
    private var hasSBR: Bool
    private var hasParametricStereo: Bool
    private var decoder: AACDecoder?
    private var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 0)
    private var unitsLeft = Self.unitLimit

    /// Units that are looked at: headers, without which parametric stereo can't be read, come at least once in so many.
    private static let unitLimit = 50

    /// Begins with a stream.
    init(_ configuration: AudioSpecificConfig) {
        self.configuration = configuration
        sampleRate = configuration.outputSampleRate
        hasSBR = configuration.extensionConfig.hasSBR == true
        hasParametricStereo = hasSBR && configuration.extensionConfig.hasParametricStereo == true
        channelCount = hasParametricStereo ? 2 : configuration.channelCount
        let isTold = configuration.extensionConfig.hasSBR == false || hasSBR && !mayHaveStereo
        decoder = isTold ? nil : try? AACDecoder(configuration)
    }

    /// Whether units may yet show that there is stereo.
    private var mayHaveStereo: Bool {
        configuration.channelCount == 1 && configuration.extensionConfig.hasParametricStereo == nil && !hasParametricStereo
    }

    /// The usual name of what was found.
    var profileName: String {
        guard configuration.objectType == .aacLC, hasSBR else { return configuration.profileName }
        return hasParametricStereo ? "HE-AAC v2" : "HE-AAC"
    }

    /// Looks at the next unit, if it can still tell something.
    mutating func look(at unit: CodedUnit) {
        guard let decoder, unitsLeft > 0 else { return }
        unitsLeft -= 1
        guard decoder.decode(unit.accessUnit.payload.span, into: &buffer).damage == nil else { return }
        let found = decoder.codingTools.compactMap(\.replication)
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
