// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import MPEG4Audio
package import TransformCoding

/// The enhanced SBR data of a frame, as a continuation of the previous frame and as an independent frame.
package struct EnhancedSBRData {
    /// The active header, without the fields of `SbrInfo` that AAC lacks.
    package var header: SBRHeader
    private(set) var tables: FrequencyBandTables
    /// The time slots from the end of the frame to the end of the last envelope of each channel.
    private(set) var ends = SIMD2<UInt8>(repeating: 0)
    /// The data after the header in a frame that refers to the previous one.
    private var continuation = BitWriter()
    /// The data after the header in an independent frame.
    private var independent = BitWriter()

    /// Creates the data of a silent frame.
    package init(_ header: SBRHeader, tables: FrequencyBandTables, channelCount: Int) {
        (self.header, self.tables) = (header, tables)
        var payload = SBRPayload(silentChannelCount: channelCount)
        set(payload, tables: tables)
        payload.syntax.isIndependent = true
        set(payload, tables: tables)
    }

    /// Sets the data after the header, as an independent frame or as a continuation by the payload's syntax.
    package mutating func set(_ payload: borrowing SBRPayload, tables: FrequencyBandTables) {
        self.tables = tables
        for channel in 0..<payload.channelCount {
            let end = payload.channels[payload.isCoupled ? 0 : channel].boundaries.end
            ends[channel] = UInt8(clamping: end - Self.slotCount)
        }
        if payload.syntax.isIndependent {
            independent.reset()
            payload.writeEnhanced(to: &independent, header: header, tables: tables)
        } else {
            continuation.reset()
            payload.writeEnhanced(to: &continuation, header: header, tables: tables)
        }
    }

    /// The number of time slots per frame.
    package static let slotCount = 16

    /// Writes `UsacSbrData`.
    ///
    /// - Parameter previous: The header of the previous access unit.
    func write(to sink: inout some BitSink, isIndependent: Bool, after previous: SBRHeader, defaultHeader: USACSBRHeaderFields) {
        var info = EnhancedSBRInfo()
        let fields = USACSBRHeaderFields(header)
        info.hasHeader = isIndependent || fields != USACSBRHeaderFields(previous)
        if info.hasHeader && fields != defaultHeader { info.header = fields }
        if info.hasHeader || header != previous {
            info.fields = EnhancedSBRInfo.Fields(
                usesCoarseAmplitudes: header.usesCoarseAmplitudes, crossoverBand: header.bands.crossoverBand)
        }
        info.write(to: &sink, isIndependent: isIndependent, hasPVC: false)
        if isIndependent { independent.write(to: &sink) } else { continuation.write(to: &sink) }
    }
}

extension USACSBRHeaderFields {
    /// Creates the fields of an AAC header that the header of enhanced SBR has, too.
    ///
    /// Groups with default values are not coded.
    package init(_ header: SBRHeader) {
        self.init()
        startFrequency = header.bands.startFrequency
        stopFrequency = header.bands.stopFrequency
        frequencyScale = header.bands.frequencyScale
        altersScale = header.bands.altersScale
        noiseBands = header.bands.noiseBands
        limiterBands = header.limiterBands
        limiterGains = header.limiterGains
        interpolatesFrequency = header.interpolatesFrequency
        smoothsGains = header.smoothsGains
        let defaults = USACSBRHeaderFields()
        hasFrequencyFields =
            (frequencyScale, altersScale, noiseBands) != (defaults.frequencyScale, defaults.altersScale, defaults.noiseBands)
        hasLimiterFields =
            (limiterBands, limiterGains, interpolatesFrequency, smoothsGains)
            != (defaults.limiterBands, defaults.limiterGains, defaults.interpolatesFrequency, defaults.smoothsGains)
    }
}
