// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

/// The dynamic range control and program reference level of a stream (ISO/IEC 14496-3:2009, 4.5.2.7).
struct DynamicRangeControl: ~Copyable {
    /// The number of `dynamic_range_info` per access unit that are used, and of channels.
    private static let capacity = ElementLayout.maximumChannelCount
    /// The number of access units without gains, after which the last gains expire: 0.7 s at 48 kHz.
    private static let lifetime = 32

    /// The weights of gains above and below 0 dB, 0 to 1.
    let weights: (boost: Double, cut: Double)
    /// The gains read from the current access unit.
    ///
    /// The first ``count`` are valid.
    private var pending = FixedArray(count: capacity) { _ in DynamicRangeInfo() }
    var count = 0
    /// The gains of each channel.
    private(set) var channels = FixedArray(count: capacity) { _ in DynamicRangeInfo() }
    /// `prog_ref_level`; `nil` until the stream has one.
    private(set) var referenceLevel: Int?
    /// The number of access units since the last gains.
    private var age = 0
    /// Whether the stream has gains that are applied.
    private(set) var isActive = false

    /// Creates a control that applies no gain with weights of 0.
    init(boost: Double, cut: Double) {
        weights = (boost.isFinite ? min(max(boost, 0), 1) : 0, cut.isFinite ? min(max(cut, 0), 1) : 0)
    }

    mutating func append(_ info: DynamicRangeInfo) {
        guard count < Self.capacity else { return }
        pending[count] = info
        count += 1
    }

    /// Adopts the gains of an intact access unit for the program with a tag, or of all programs.
    mutating func commit(programTag: Int?) {
        age += 1
        var hasGains = false
        for index in 0..<count {
            let info = pending[index]
            if let tag = info.programTag, let programTag, tag != programTag { continue }
            referenceLevel = info.referenceLevel ?? referenceLevel
            // Channels that no later info controls return to 0 dB.
            if !hasGains { clear() }
            hasGains = true
            for channel in 0..<Self.capacity where info.excluded >> UInt8(channel) & 1 == 0 { channels[channel] = info }
        }
        if hasGains {
            age = 0
            if weights != (0, 0) { isActive = true }
        } else if age == Self.lifetime {
            clear()
        }
    }

    mutating func reset() {
        clear()
        (age, isActive) = (0, false)
    }

    private mutating func clear() {
        for channel in 0..<Self.capacity { channels[channel] = DynamicRangeInfo() }
    }

    /// Returns the factor for a gain in steps of 0.25 dB, which the standard rounds to 2^(1/24).
    func factor(_ gain: Int16) -> Float {
        gain == 0 ? 1 : Float(PortableMath.powerOfTwo(Double(gain) * (gain > 0 ? weights.boost : weights.cut) / 24))
    }

    /// Multiplies the lines of a channel by the gains of their bands.
    ///
    /// The bands of eight short windows count the lines of all windows in sequence.
    func apply(toChannel channel: Int, _ lines: inout MutableSpan<Float>) {
        let info = channels[channel]
        var line = 0
        for band in 0..<info.bandCount {
            let end = min(4 * (Int(info.tops[band]) + 1), lines.count)
            let factor = factor(info.gains[band])
            while line < end {
                lines[line] *= factor
                line += 1
            }
        }
    }

    /// Passes the gains of a channel to its SBR synthesis.
    ///
    /// A subband has the gain of its first line. The subbands above the core have the gain of its last line. Of eight short windows, the
    /// last one sets the gains.
    func apply(toChannel channel: Int, isShort: Bool, frameLength: Int, _ gains: inout SubbandGains) {
        let info = channels[channel]
        let (window, first) = isShort ? (frameLength / 8, frameLength / 8 * 7) : (frameLength, 0)
        gains.startFrame(scheme: info.interpolationScheme)
        for subband in 0..<32 { gains.set(factor(info.gain(ofLine: first + subband * window / 32)), subband..<subband + 1) }
        gains.set(factor(info.gain(ofLine: frameLength - 1)), 32..<64)
    }
}

extension DecoderState {
    /// Applies dynamic range control to the spectra, or with SBR to the subbands that it synthesizes.
    ///
    /// Long-term prediction uses the output without control, so its object type is excluded.
    mutating func controlDynamicRange() {
        guard dynamicRange.isActive, syntax != .generalAudio(.longTermPrediction) else { return }
        guard !sbr.isActive else { return controlSBR() }
        needsLimit = true
        for channel in 0..<layout.channelCount {
            let range = lineRange(ofChannel: channel)
            var allLines = spectrum.mutableSpan
            var lines = allLines._mutatingExtracting(range)
            dynamicRange.apply(toChannel: channel, &lines)
        }
    }

    /// Passes the gains of a frame, or of one that is concealed, to SBR.
    mutating func controlSBR() {
        guard dynamicRange.isActive, sbr.isActive else { return }
        for index in layout.slots.indices {
            let slot = layout.slots[index]
            for channel in 0..<(sbr.isStereo ? 2 : slot.element.channelCount) {
                let source = slot.firstChannel + (sbr.isStereo ? 0 : channel)
                let isShort = elements[index].info(isSecond: !sbr.isStereo && channel > 0).isShort
                sbr.elements[index].control(channel, by: dynamicRange, source: source, isShort: isShort)
            }
        }
    }
}
