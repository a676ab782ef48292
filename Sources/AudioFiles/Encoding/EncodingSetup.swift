// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
package import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles

/// The encoder's configuration for one input, resolved from the user's configuration and the input's format.
struct EncodingSetup {
    /// The encoder's configuration.
    let encoder: AACEncoderConfiguration
    /// Differences between the request and the encoder's configuration.
    let notes: [EncodingNote]
    /// The sample frames of the input to read, at the input's rate; without a time range all, since a file can be longer than its header says.
    let frames: Range<Int>
    /// The number of sample frames to encode by the header of the input, at the input's rate; nil if the length is unknown.
    let frameCount: Int?
    /// Whether the input's sample rate is converted.
    let isResampled: Bool

    /// Resolves a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The user's configuration.
    ///   - reader: The opened input.
    ///   - input: The path of the input.
    /// - Throws: ``AudioFileError`` if no channel configuration fits the input's speakers, or the range is empty.
    init(_ configuration: FileEncoderConfiguration, for reader: PCMFileReader, input: String) throws(AudioFileError) {
        let properties = reader.properties
        let mixedCount = configuration.mixedChannelCount(from: properties.channelCount)
        let channelCount = mixedCount ?? properties.channelCount
        let (profile, profileNote) = Self.profile(configuration, channelCount: channelCount)
        let (sampleRate, rateNote) = Self.sampleRate(configuration, properties, channelCount: channelCount, profile: profile)
        let presetRate = configuration.preset?.rateControl(sampleRate: sampleRate, channelCount: channelCount)
        var encoder = AACEncoderConfiguration(
            sampleRate: sampleRate, channelCount: channelCount,
            settings: configuration.preset?.completing(configuration.settings) ?? configuration.settings)
        encoder.settings.rateControl = configuration.scaledRateControl(sampleRate: sampleRate, channelCount: channelCount) ?? presetRate
        encoder.profile = profile
        encoder.alignsDelay = configuration.omitsDelay
        if mixedCount == nil { encoder.inputLayout = try Self.inputLayout(properties, input: input) }
        self.encoder = encoder
        notes = [profileNote, rateNote, configuration.averageNote(properties)].compactMap { $0 }
        (frames, frameCount) = try Self.frames(configuration.range, of: reader, input: input)
        isResampled = sampleRate != properties.sampleRate
    }

    /// Uses another encoder configuration.
    init(_ setup: EncodingSetup, encoder: AACEncoderConfiguration) {
        self.encoder = encoder
        notes = setup.notes
        frames = setup.frames
        frameCount = setup.frameCount
        isResampled = setup.isResampled
    }

    /// Returns the requested profile, or HE-AAC in place of HE-AAC v2 for one channel, with a note.
    private static func profile(
        _ configuration: FileEncoderConfiguration, channelCount: Int
    ) -> (AACProfile, EncodingNote?) {
        let standard: AACProfile = configuration.subchannel == nil ? .lowComplexity : .automatic
        let profile = configuration.profile ?? configuration.preset?.profile ?? standard
        guard profile == .highEfficiencyV2, channelCount == 1 else { return (profile, nil) }
        return (.highEfficiency, .profileReplaced(requested: profile, used: .highEfficiency))
    }

    /// Returns the requested sample rate in hertz, or the input's, or the next higher one that the profile supports, with a note.
    ///
    /// A rate above all supported ones becomes the highest.
    private static func sampleRate(
        _ configuration: FileEncoderConfiguration, _ properties: PCMFileProperties, channelCount: Int,
        profile: AACProfile
    ) -> (Int, EncodingNote?) {
        if let requested = configuration.sampleRate ?? configuration.preset?.sampleRate { return (requested, nil) }
        let rate = properties.sampleRate
        if configuration.subchannel != nil {
            let used = DABAudioFormat.sampleRates.contains(rate) ? rate : 48_000
            return (used, used == rate ? nil : .sampleRateConverted(from: rate, to: used))
        }
        guard !AACEncoderConfiguration.sampleRates.contains(rate) else { return (rate, nil) }
        let supported = AACEncoderConfiguration.sampleRates.filter { candidate in
            profile == .automatic
                || AACEncoderConfiguration.profiles(sampleRate: candidate, channelCount: channelCount).contains(profile)
        }
        // A higher rate keeps the input's bandwidth.
        guard let used = supported.filter({ $0 > rate }).min() ?? supported.max() else { return (rate, nil) }
        return (used, .sampleRateConverted(from: rate, to: used))
    }

    /// Returns the order of the input's channels, if it has more than two and names their speakers.
    private static func inputLayout(_ properties: PCMFileProperties, input: String) throws(AudioFileError) -> ChannelLayout? {
        guard properties.channelCount > 2, let found = properties.channelLayout else { return nil }
        guard let order = found.namedAsInAAC else {
            let sameCount = ChannelConfiguration.written.first { $0.channelCount == found.channelCount }
            guard let needed = sameCount?.layout.inWAVOrder else { return nil }
            throw AudioFileError(.unsupportedChannelLayout(found: found, supported: needed), path: input)
        }
        return order
    }

    /// Returns the sample frames to read for a time range, as far as the input has them, and their number, if it is known.
    ///
    /// The length in the header of a pipe is not trusted: reading ends where the samples do. The end of the range says nothing about it.
    static func frames(
        _ range: Range<Duration>?, of reader: PCMFileReader, input: String
    ) throws(AudioFileError) -> (frames: Range<Int>, count: Int?) {
        let declared = reader.allowsSharedReading ? reader.properties.frameCount : nil
        guard let range else { return (0..<Int.max, declared) }
        let all = 0..<(declared ?? .max)
        let frames = range.frames(atRate: reader.properties.sampleRate)
        guard frames.lowerBound < all.upperBound, !frames.isEmpty else { throw AudioFileError(.emptyRange, path: input) }
        let part = frames.clamped(to: all)
        return (part, declared == nil ? nil : part.count)
    }
}

extension ChannelConfiguration {
    /// The configurations that files are written with: not 7, which most decoders take for ordinary 7.1.
    fileprivate static var written: [ChannelConfiguration] { all.filter { $0.rawValue != 7 } }
}

extension ChannelLayout {
    /// Returns whether a mix of so many channels without speakers is the mean of all, since no layout is usual for them.
    static func isAveraged(_ channelCount: Int) -> Bool { ChannelLayout(usualChannelCount: channelCount) == nil }

    /// The same channels with the speakers of a channel configuration of AAC, taking back for side and the reverse; nil if none has them.
    ///
    /// Of the configurations with eight channels, 12 has speakers at the back, which FLAC and WAV have in 7.1, and 14 has those above.
    package var namedAsInAAC: ChannelLayout? { ChannelConfiguration.written.lazy.compactMap { matching($0.layout) }.first }

    /// Returns these channels with the speakers named as in `needed`, taking back for side and the reverse; nil if others differ.
    func matching(_ needed: ChannelLayout) -> ChannelLayout? {
        if needed.permutation(from: self) != nil { return self }
        let swaps: [[Speaker: Speaker]] = [
            [.backLeft: .sideLeft, .backRight: .sideRight], [.sideLeft: .backLeft, .sideRight: .backRight],
        ]
        let renamed = swaps.map { swap in ChannelLayout(speakers.map { swap[$0] ?? $0 }) }
        return renamed.first { needed.permutation(from: $0) != nil }
    }
}
