// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AACCodec
internal import AudioPrimitives
internal import AudioToolbox

extension SystemConverter {
    /// Sets the rate control mode and, for a variable bit rate, the quality.
    ///
    /// Call it before ``setBitRate(_:)``.
    ///
    /// An encoder without the property has a single mode, which is acceptable for constant and average bit rates.
    func setRateControl(_ rateControl: AACEncoderConfiguration.RateControl) throws(CodecError) {
        var quality: Double?
        let mode: (value: UInt32, name: String)
        switch rateControl {
        case .constant: mode = (UInt32(kAudioCodecBitRateControlMode_Constant), "constant bit rate")
        case .average: mode = (UInt32(kAudioCodecBitRateControlMode_LongTermAverage), "average bit rate")
        case .variable(let value):
            mode = (UInt32(kAudioCodecBitRateControlMode_Variable), "variable bit rate")
            quality = value
        }
        let status = set(kAudioCodecPropertyBitRateControlMode, [mode.value])
        guard status == 0 || quality == nil && status == kAudioConverterErr_PropertyNotSupported else {
            throw .systemCodec(step: mode.name, status: status)
        }
        guard let quality else { return }
        // The system's range is 0 to 127.
        let level = UInt32((min(max(quality, 0), 100) * 1.27).rounded())
        let qualityStatus = set(kAudioCodecPropertySoundQualityForVBR, [level])
        guard qualityStatus == 0 else {
            throw .systemCodec(step: "quality of a variable bit rate", status: qualityStatus)
        }
    }

    /// Sets the channel layouts of the input and the stream.
    func setChannels(_ channels: SystemChannels) throws(CodecError) {
        var status = set(kAudioConverterInputChannelLayout, channels.inputLayout)
        guard status == 0 else { throw .systemCodec(step: "channel layout of the input", status: status) }
        status = set(kAudioConverterOutputChannelLayout, channels.outputLayout)
        guard status == 0 else { throw .systemCodec(step: "channel layout of the stream", status: status) }
    }
}
#endif
