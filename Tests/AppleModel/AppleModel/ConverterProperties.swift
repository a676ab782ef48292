// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

/// Creates a converter with an encoder of the given class.
@_cdecl("AudioConverterNewSpecific")
func converterNew(
    _ source: UnsafePointer<AudioStreamBasicDescription>, _ target: UnsafePointer<AudioStreamBasicDescription>, _ count: UInt32,
    _ classes: UnsafePointer<AudioClassDescription>, _ result: UnsafeMutablePointer<OpaquePointer?>
) -> OSStatus {
    let (input, output) = (source.pointee, target.pointee)
    guard count == 1, classes.pointee.mType == kAudioEncoderComponentType, classes.pointee.mSubType == output.mFormatID else {
        machine.violate("AudioConverterNewSpecific with a class that does not match the output format")
        return ConverterStatus.format
    }
    let bytes = input.mChannelsPerFrame * 4
    guard input.mFormatID == kAudioFormatLinearPCM, input.mFormatFlags == kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
        input.mBitsPerChannel == 32, input.mBytesPerFrame == bytes, input.mBytesPerPacket == bytes, input.mFramesPerPacket == 1
    else {
        machine.violate("the converter's input format is inconsistent")
        return ConverterStatus.format
    }
    // The sizes of a compressed format are 0 (AudioStreamBasicDescription).
    guard output.mBytesPerPacket == 0, output.mBytesPerFrame == 0, output.mBitsPerChannel == 0 else {
        machine.violate("the converter's output format has sizes")
        return ConverterStatus.format
    }
    guard machine.converters.manufacturers.contains(classes.pointee.mManufacturer),
        let codec = ([ConverterCodec.opus(sampleRate: output.mSampleRate)] + ConverterCodec.all).first(where: {
            $0.code == output.mFormatID
        }),
        output.mSampleRate == input.mSampleRate, !codec.isOpus || OpusEngine.sampleRates.contains(output.mSampleRate),
        (8000...(codec.formatID == "aac " ? 96_000 : 48_000)).contains(input.mSampleRate),
        !codec.hasHalfRate || input.mSampleRate >= 16_000, output.mChannelsPerFrame == input.mChannelsPerFrame,
        codec.channelCounts.contains(Int(input.mChannelsPerFrame)),
        output.mFramesPerPacket == 0 || codec.framesPerPacket.contains(output.mFramesPerPacket)
    else { return ConverterStatus.format }
    var chosen = codec
    if output.mFramesPerPacket != 0 { chosen.framesPerPacket = [output.mFramesPerPacket] }
    result.pointee = machine.converters.create(chosen, input.mSampleRate, Int(input.mChannelsPerFrame))
    return noErr
}

/// Creates a converter with an Opus decoder.
///
/// [P] The input description gives the frames per packet. [U] Decoding rejects packets of another duration.
@_cdecl("AudioConverterNew")
func converterNewDecoder(
    _ source: UnsafePointer<AudioStreamBasicDescription>, _ target: UnsafePointer<AudioStreamBasicDescription>,
    _ result: UnsafeMutablePointer<OpaquePointer?>
) -> OSStatus {
    let (input, output) = (source.pointee, target.pointee)
    let bytes = output.mChannelsPerFrame * 4
    guard output.mFormatID == kAudioFormatLinearPCM, output.mFormatFlags == kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
        output.mBitsPerChannel == 32, output.mBytesPerFrame == bytes, output.mBytesPerPacket == bytes, output.mFramesPerPacket == 1,
        input.mBytesPerPacket == 0, input.mBytesPerFrame == 0, input.mBitsPerChannel == 0, input.mFormatFlags == 0
    else {
        machine.violate("the formats of the converter are inconsistent")
        return ConverterStatus.format
    }
    #if MODEL_IOS
    if input.mFormatID == kAudioFormatMPEGLayer3 { return ModelPacketDecoder.create(input, output, result) }
    #endif
    var codec = ConverterCodec.opus(sampleRate: input.mSampleRate)
    guard machine.converters.manufacturers.contains(UInt32(kAppleSoftwareAudioCodecManufacturer)), input.mFormatID == codec.code,
        OpusEngine.sampleRates.contains(input.mSampleRate), output.mSampleRate == input.mSampleRate,
        output.mChannelsPerFrame == input.mChannelsPerFrame, codec.channelCounts.contains(Int(input.mChannelsPerFrame)),
        [120, 240, 480, 960, 1920, 2880].contains(input.mFramesPerPacket * UInt32(48_000 / input.mSampleRate))
    else { return ConverterStatus.format }
    codec.framesPerPacket = [input.mFramesPerPacket]
    result.pointee = machine.converters.create(codec, input.mSampleRate, Int(input.mChannelsPerFrame), isDecoder: true)
    return noErr
}

@_cdecl("AudioConverterDispose")
func converterDispose(_ handle: OpaquePointer) -> OSStatus {
    #if MODEL_IOS
    if machine.files.decoders.removeValue(forKey: UInt(bitPattern: handle)) != nil { return noErr }
    #endif
    guard let converter = machine.converters.converter(handle, "AudioConverterDispose") else { return ConverterStatus.unsupportedValue }
    if converter.isInside { machine.violate("AudioConverterDispose from the converter's own callback") }
    converter.isDisposed = true
    return noErr
}

/// Discards a converter's input and history.
@_cdecl("AudioConverterReset")
func converterReset(_ handle: OpaquePointer) -> OSStatus {
    #if MODEL_IOS
    if let decoder = machine.files.decoders[UInt(bitPattern: handle)] {
        decoder.reset()
        return noErr
    }
    #endif
    guard let converter = machine.converters.converter(handle, "AudioConverterReset") else { return ConverterStatus.unsupportedValue }
    converter.reset()
    return noErr
}

/// Returns the size of a property.
@_cdecl("AudioConverterGetPropertyInfo")
func converterInfo(
    _ handle: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>?, _ writable: UnsafeMutablePointer<UInt8>?
) -> OSStatus {
    guard let converter = machine.converters.converter(handle, "AudioConverterGetPropertyInfo") else {
        return ConverterStatus.unsupportedValue
    }
    guard let bytes = converter.bytes(of: property) else { return ConverterStatus.property }
    size?.pointee = UInt32(bytes.count)
    return noErr
}

/// Returns the value of a property.
@_cdecl("AudioConverterGetProperty")
func converterGet(
    _ handle: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutableRawPointer
) -> OSStatus {
    guard let converter = machine.converters.converter(handle, "AudioConverterGetProperty") else { return ConverterStatus.unsupportedValue }
    guard let bytes = converter.bytes(of: property) else { return ConverterStatus.property }
    guard Int(size.pointee) >= bytes.count else { return ConverterStatus.badPropertySize }
    data.copyMemory(from: bytes, byteCount: bytes.count)
    size.pointee = UInt32(bytes.count)
    return noErr
}

/// Sets a property.
@_cdecl("AudioConverterSetProperty")
func converterSet(_ handle: OpaquePointer, _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer) -> OSStatus {
    guard let converter = machine.converters.converter(handle, "AudioConverterSetProperty") else { return ConverterStatus.unsupportedValue }
    if converter.hasStarted, property != kAudioConverterEncodeBitRate {
        machine.violate("a property other than the bit rate is set after the first packet was requested")
    }
    let words = (0..<Int(size) / 4).map { data.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
    switch property {
    case kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout:
        guard converter.opus == nil else { return ConverterStatus.property }
        return converter.setLayout(words, isInput: property == kAudioConverterInputChannelLayout)
    case kAudioConverterEncodeBitRate, kAudioCodecPropertyBitRateControlMode, kAudioCodecPropertySoundQualityForVBR:
        guard size == 4 else { return ConverterStatus.badPropertySize }
        return converter.set(property, words[0])
    default: return ConverterStatus.property
    }
}

extension Converter {
    var framesPerPacket: Int { Int(codec.framesPerPacket[0]) }
    /// The maximum packet size in bytes.
    var maximumByteCount: Int { codec.isOpus ? OpusEngine.maximumByteCount : 768 * channelCount }

    /// Returns a property's value, or `nil` if the converter lacks the property.
    fileprivate func bytes(of property: UInt32) -> [UInt8]? {
        func bytes<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
        switch property {
        case kAudioConverterEncodeBitRate: return bytes(bitRate)
        case kAudioConverterPropertyMaximumOutputPacketSize: return bytes(UInt32(maximumByteCount))
        case kAudioConverterPrimeInfo:
            guard !codec.isOpus || machine.converters.tellsOpusPriming else { return bytes(AudioConverterPrimeInfo()) }
            let total = packetCount * framesPerPacket
            let trailing = hasFlushed && machine.converters.knowsTrailingFrames ? max(0, total - codec.priming - encodedFrames) : 0
            return bytes(AudioConverterPrimeInfo(leadingFrames: UInt32(codec.priming), trailingFrames: UInt32(trailing)))
        case kAudioConverterCurrentOutputStreamDescription:
            var description = AudioStreamBasicDescription()
            description.mFormatID = codec.code
            description.mSampleRate = sampleRate
            description.mFramesPerPacket = UInt32(framesPerPacket)
            description.mChannelsPerFrame = UInt32(channelCount)
            return bytes(description)
        case kAudioConverterCompressionMagicCookie: return codec.isOpus ? nil : codec.cookie(self)
        case kAudioConverterApplicableEncodeBitRates:
            return applicableBitRates.flatMap { bytes(AudioValueRange(mMinimum: Double($0.lowerBound), mMaximum: Double($0.upperBound))) }
        case kAudioCodecPropertyBitRateControlMode: return machine.converters.hasRateControlMode ? bytes(mode ?? 0) : nil
        default: return nil
        }
    }

    /// Sets the bit rate, rate control mode or VBR quality.
    fileprivate func set(_ property: UInt32, _ value: UInt32) -> OSStatus {
        switch property {
        case kAudioCodecPropertyBitRateControlMode:
            guard machine.converters.hasRateControlMode else { return ConverterStatus.property }
            guard value < 3 || value == 3 && codec.isVariable else { return ConverterStatus.unsupportedValue }
            mode = value
            // Changing the mode resets the bit rate, so the bit rate must be set after the mode.
            bitRate = codec.bitRates(channelCount).upperBound / 2
        case kAudioCodecPropertySoundQualityForVBR:
            guard mode == 3 else { return ConverterStatus.property }
            guard value <= 127 else { return ConverterStatus.unsupportedValue }
            quality = value
        default:
            guard mode != 3 else { return ConverterStatus.property }
            if applicableBitRates.contains(where: { $0.contains(value) }) {
                bitRate = value
            } else if machine.converters.replacesBitRates {
                let nearest = applicableBitRates.map { min(max(value, $0.lowerBound), $0.upperBound) }
                bitRate = nearest.min { max($0, value) - min($0, value) < max($1, value) - min($1, value) } ?? bitRate
            } else {
                return ConverterStatus.unsupportedValue
            }
        }
        return noErr
    }

    /// Sets the layout of the input or stream from an `AudioChannelLayout` in 32-bit words.
    fileprivate func setLayout(_ words: [UInt32], isInput: Bool) -> OSStatus {
        guard words.count >= 3, words.count >= 3 + 5 * Int(words[2]) else {
            machine.violate("a channel layout is shorter than its descriptions")
            return ConverterStatus.badPropertySize
        }
        if isInput {
            guard words[0] == kAudioChannelLayoutTag_UseChannelDescriptions, Int(words[2]) == channelCount else {
                return ConverterStatus.unsupportedValue
            }
            let labels = (0..<channelCount).map { words[3 + 5 * $0] }
            if Set(labels).count != channelCount { machine.violate("two channels of a layout have the same label") }
            inputLabels = labels
            return noErr
        }
        guard let labels = ConverterCodec.labels(ofTag: words[0]), labels.count == channelCount, words[2] == 0 else {
            return ConverterStatus.unsupportedValue
        }
        if let inputLabels, Set(inputLabels) != Set(labels) { return ConverterStatus.unsupportedValue }
        outputTag = words[0]
        return noErr
    }
}
