// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
internal import CFDKAAC
internal import MPEG4Audio

/// The properties of a stream, in memory that the caller reads.
@safe final class StreamInformation {
    /// The structure, valid as long as the decoder exists.
    let pointer = UnsafeMutablePointer<CStreamInfo>.allocate(capacity: 1)

    private let types = UnsafeMutablePointer<AUDIO_CHANNEL_TYPE>.allocate(capacity: channelLimit)
    private let indices = UnsafeMutablePointer<UInt8>.allocate(capacity: channelLimit)

    /// The maximum number of described channels.
    private static let channelLimit = 64

    /// Creates the properties of an unknown stream.
    init() {
        unsafe types.initialize(repeating: ACT_NONE, count: Self.channelLimit)
        unsafe indices.initialize(repeating: 0, count: Self.channelLimit)
        unsafe pointer.initialize(to: CStreamInfo())
        unsafe pointer.pointee.pChannelType = unsafe types
        unsafe pointer.pointee.pChannelIndices = unsafe indices
        unsafe pointer.pointee.profile = -1
        unsafe pointer.pointee.aot = AOT_NONE
        unsafe pointer.pointee.extAot = AOT_NONE
        unsafe pointer.pointee.channelConfig = -1
        unsafe pointer.pointee.epConfig = -1
        unsafe pointer.pointee.drcProgRefLev = -1
        unsafe pointer.pointee.drcPresMode = -1
        unsafe pointer.pointee.outputLoudness = -1
    }

    deinit {
        unsafe pointer.deallocate()
        unsafe types.deallocate()
        unsafe indices.deallocate()
    }

    /// Sets the properties that a configuration signals.
    func configure(_ configuration: AudioSpecificConfig, _ decoder: StreamDecoder) {
        let type = Int32(configuration.objectType.rawValue)
        unsafe pointer.pointee.aot = AUDIO_OBJECT_TYPE(rawValue: type)
        unsafe pointer.pointee.profile = type - 1
        unsafe pointer.pointee.aacSampleRate = Int32(configuration.sampleRate)
        unsafe pointer.pointee.channelConfig = Int32(configuration.channelConfiguration?.rawValue ?? 0)
        unsafe pointer.pointee.aacSamplesPerFrame = Int32(configuration.frameLength ?? 0)
        // As in fdk-aac, USAC reports the rate and frame length of its core here.
        if let usac = configuration.usac {
            unsafe pointer.pointee.aacSampleRate = Int32(usac.coreSampleRate)
            unsafe pointer.pointee.aacSamplesPerFrame = Int32(usac.coreFrameLength)
            unsafe pointer.pointee.aacNumChannels = Int32(usac.channelCount)
        }
        let isExplicit = configuration.extensionConfig.hasSBR == true
        unsafe pointer.pointee.extAot = isExplicit ? AOT_SBR : AOT_NULL_OBJECT
        unsafe pointer.pointee.extSamplingRate = Int32(isExplicit ? configuration.extensionConfig.sampleRate ?? 0 : 0)
        unsafe pointer.pointee.flags = isExplicit ? UInt32(AC_SBR_PRESENT) : 0
        if configuration.extensionConfig.hasParametricStereo == true { unsafe pointer.pointee.flags |= UInt32(AC_PS_PRESENT) }
    }

    /// Sets the format of decoded samples.
    ///
    /// - Parameters:
    ///   - channelCount: The output channel count.
    ///   - byteCount: The access unit's size; 0 without an access unit.
    func update(_ decoder: StreamDecoder, _ buffer: PCMBuffer, channelCount: Int, byteCount: Int) {
        let frameLength = Int32(buffer.frameCount)
        unsafe pointer.pointee.sampleRate = Int32(buffer.sampleRate)
        unsafe pointer.pointee.frameSize = frameLength
        unsafe pointer.pointee.numChannels = Int32(channelCount)
        unsafe pointer.pointee.outputDelay = UInt32(decoder.delay)
        unsafe pointer.pointee.drcProgRefLev = Int8(decoder.aac?.programReferenceLevel ?? -1)
        unsafe pointer.pointee.bitRate = frameLength == 0 ? 0 : Int32(clamping: byteCount * 8 * buffer.sampleRate / Int(frameLength))
        let coded = decoder.aac?.codingTools.filter { $0.element != nil } ?? []
        if !coded.isEmpty {
            let hasStereo = coded.contains { $0.sbr?.stereo != nil }
            unsafe pointer.pointee.aacNumChannels = Int32(coded.reduce(0) { $0 + ($1.element?.channelCount ?? 0) })
            let isDoubled = unsafe buffer.sampleRate == 2 * Int(pointer.pointee.aacSampleRate)
            unsafe pointer.pointee.flags = (isDoubled ? UInt32(AC_SBR_PRESENT) : 0) | (hasStereo ? UInt32(AC_PS_PRESENT) : 0)
        }
        describe(decoder.channelLayout, channelCount: channelCount)
    }

    /// Sets the types and indices of the output channels.
    private func describe(_ layout: ChannelLayout?, channelCount: Int) {
        let speakers = channelCount == 2 ? [.left, .right] : layout?.speakers ?? []
        let hasCenter = speakers.contains(.center)
        // In this interface, a single pair of surround channels is a back pair.
        let hasSides = speakers.contains(.backLeft)
        for channel in 0..<min(channelCount, Self.channelLimit) {
            var place = channel < speakers.count ? speakers[channel].place : (type: ACT_FRONT, index: UInt8(channel))
            if place.type == ACT_SIDE, !hasSides { place.type = ACT_BACK }
            // The center channel is the first of the front and the last of the back.
            if place.type == ACT_FRONT, !hasCenter, place.index > 0 { place.index -= 1 }
            if speakers.count == 4, place.type == ACT_BACK { place.index = 0 }
            unsafe types[channel] = place.type
            unsafe indices[channel] = place.index
        }
    }

    /// Counts a decoded access unit.
    func countUnit(byteCount: Int, isDamaged: Bool) {
        unsafe pointer.pointee.numTotalBytes += Int64(byteCount)
        unsafe pointer.pointee.numTotalAccessUnits += 1
        guard isDamaged else { return }
        unsafe pointer.pointee.numBadBytes += Int64(byteCount)
        unsafe pointer.pointee.numBadAccessUnits += 1
    }

    /// Counts bytes outside access units.
    func countBadBytes(_ count: Int) {
        unsafe pointer.pointee.numTotalBytes += Int64(count)
        unsafe pointer.pointee.numBadBytes += Int64(count)
    }

    func countLostUnit() {
        unsafe pointer.pointee.numTotalAccessUnits += 1
        unsafe pointer.pointee.numLostAccessUnits += 1
    }
}

extension Speaker {
    /// The speaker's position type, and its index among the channels of that type in MPEG order.
    fileprivate var place: (type: AUDIO_CHANNEL_TYPE, index: UInt8) {
        switch self {
        case .center: (ACT_FRONT, 0)
        case .left: (ACT_FRONT, 1)
        case .right: (ACT_FRONT, 2)
        case .leftOfCenter: (ACT_FRONT, 3)
        case .rightOfCenter: (ACT_FRONT, 4)
        case .sideLeft: (ACT_SIDE, 0)
        case .sideRight: (ACT_SIDE, 1)
        case .backLeft: (ACT_BACK, 0)
        case .backRight: (ACT_BACK, 1)
        case .backCenter: (ACT_BACK, 2)
        case .lowFrequency: (ACT_LFE, 0)
        case .topLeft: (ACT_FRONT_TOP, 0)
        case .topRight: (ACT_FRONT_TOP, 1)
        }
    }
}
