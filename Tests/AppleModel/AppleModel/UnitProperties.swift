// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import CoreAudio
import Darwin

@_cdecl("AudioUnitSetProperty")
func unitSetProperty(
    _ handle: OpaquePointer, _ property: UInt32, _ scope: UInt32, _ element: UInt32, _ data: UnsafeRawPointer?, _ size: UInt32
) -> OSStatus {
    guard let unit = machine.unit(handle, "AudioUnitSetProperty"), !unit.isOrphaned else { return UnitError.instanceInvalidated }
    let number = size == 4 ? data?.load(as: UInt32.self) : nil
    switch property {
    case kAudioOutputUnitProperty_EnableIO: return unit.enable(number, scope, element)
    case kAudioUnitProperty_StreamFormat:
        guard size == MemoryLayout<AudioStreamBasicDescription>.size, let data else { return UnitError.invalidValue }
        return unit.setFormat(data.load(as: AudioStreamBasicDescription.self), scope, element)
    case kAudioUnitProperty_MaximumFramesPerSlice:
        guard unit.state == .created else { return UnitError.initialized }
        guard scope == kAudioUnitScope_Global, let number else { return UnitError.invalidScope }
        unit.maximumFrames = number
        return noErr
    case kAudioOutputUnitProperty_SetInputCallback:
        guard scope == kAudioUnitScope_Global else {
            machine.violate("the input callback is set outside the global scope")
            return noErr
        }
        guard size == MemoryLayout<AURenderCallbackStruct>.size, let data else { return UnitError.invalidValue }
        if unit.isRunning { machine.violate("the input callback is replaced while the unit runs") }
        unit.callback = data.load(as: AURenderCallbackStruct.self)
        return noErr
    case kAudioUnitProperty_SetRenderCallback:
        guard scope == kAudioUnitScope_Input, element == 0 else { return UnitError.invalidScope }
        guard size == MemoryLayout<AURenderCallbackStruct>.size, let data else { return UnitError.invalidValue }
        if unit.isRunning { machine.violate("the render callback is replaced while the unit runs") }
        unit.renderCallback = data.load(as: AURenderCallbackStruct.self)
        return noErr
    case kAUVoiceIOProperty_OtherAudioDuckingConfiguration where unit.kind == .voice:
        guard size == MemoryLayout<AUVoiceIOOtherAudioDuckingConfiguration>.size, let data else { return UnitError.invalidValue }
        unit.ducksLeast = data.load(as: AUVoiceIOOtherAudioDuckingConfiguration.self).mDuckingLevel == .min
        return noErr
    #if !MODEL_IOS
    case kAudioOutputUnitProperty_CurrentDevice: return unit.setDevice(number, element)
    case kAudioDevicePropertyBufferFrameSize:
        guard let number, let device = unit.device(), device.bufferRange.contains(Int(number)) else { return UnitError.invalidValue }
        unit.wantedFrames = Int(number)
        return noErr
    #endif
    default:
        machine.violate("unknown property \(property) of a unit")
        return UnitError.invalidProperty
    }
}

extension Unit {
    fileprivate func enable(_ number: UInt32?, _ scope: UInt32, _ element: UInt32) -> OSStatus {
        guard state == .created else { return UnitError.initialized }
        guard let number else { return UnitError.invalidValue }
        switch (scope, element) {
        case (kAudioUnitScope_Input, 1): inputIsEnabled = number != 0
        case (kAudioUnitScope_Output, 0): outputIsEnabled = number != 0
        case (kAudioUnitScope_Input, _), (kAudioUnitScope_Output, _): return UnitError.invalidElement
        default: return UnitError.invalidScope
        }
        return noErr
    }

    fileprivate func setFormat(_ format: AudioStreamBasicDescription, _ scope: UInt32, _ element: UInt32) -> OSStatus {
        let isCapture = scope == kAudioUnitScope_Output && element == 1
        let isPlayback = scope == kAudioUnitScope_Input && element == 0
        guard isCapture || isPlayback else { return UnitError.notWritable }
        guard state == .created else { return UnitError.initialized }
        let frame = format.mBitsPerChannel / 8 * format.mChannelsPerFrame
        let isPacked = format.mBytesPerFrame == frame && format.mBytesPerPacket == frame
        guard format.mFormatID == kAudioFormatLinearPCM, format.mFramesPerPacket == 1, format.mSampleRate > 0,
            format.mChannelsPerFrame > 0, isPacked || format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0,
            format.mBitsPerChannel != 24 || machine.behaviour.takesPackedSamples
        else { return UnitError.formatNotSupported }
        if isPlayback {
            playback = format
            return noErr
        }
        if kind == .hal, let device = device(), format.mSampleRate != device.sampleRate {
            machine.violate("AUHAL has another sample rate than the device: renders fail")
        }
        if kind == .voice, format.mChannelsPerFrame > 2 {
            machine.violate("VoiceProcessingIO is set to \(format.mChannelsPerFrame) channels: the voice is in the first")
        }
        client = format
        return noErr
    }

    #if !MODEL_IOS
    fileprivate func setDevice(_ number: UInt32?, _ element: UInt32) -> OSStatus {
        guard state == .created else { return UnitError.initialized }
        guard let number, let device = machine.device(number), device.isAlive else { return UnitError.invalidValue }
        if kind == .voice {
            if element == 1, !machine.behaviour.voiceProcessingHasElements { return UnitError.invalidElement }
            // [P] Element 1 is the input device and element 0 the output device.
            guard element == 1 ? device.inputChannels > 0 : device.outputChannels > 0 else { return UnitError.invalidValue }
            if element == 1 { inputDevice = number } else { outputDevice = number }
            return noErr
        }
        guard !inputIsEnabled || device.inputChannels > 0, !outputIsEnabled || device.outputChannels > 0 else {
            return UnitError.invalidValue
        }
        inputDevice = number
        return noErr
    }
    #endif
}

@_cdecl("AudioUnitGetProperty")
func unitGetProperty(
    _ handle: OpaquePointer, _ property: UInt32, _ scope: UInt32, _ element: UInt32, _ data: UnsafeMutableRawPointer,
    _ size: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    guard let unit = machine.unit(handle, "AudioUnitGetProperty"), !unit.isOrphaned else { return UnitError.instanceInvalidated }
    switch property {
    case kAudioUnitProperty_StreamFormat:
        guard Int(size.pointee) >= MemoryLayout<AudioStreamBasicDescription>.size else { return UnitError.invalidValue }
        let format: AudioStreamBasicDescription?
        switch (scope, element) {
        case (kAudioUnitScope_Input, 1): format = unit.hardwareFormat(isClientSide: false)
        case (kAudioUnitScope_Output, 1): format = unit.client ?? unit.hardwareFormat(isClientSide: true)
        default: format = nil
        }
        guard let format else { return UnitError.invalidElement }
        data.storeBytes(of: format, as: AudioStreamBasicDescription.self)
        return noErr
    #if !MODEL_IOS
    case kAudioDevicePropertyBufferFrameSize:
        guard let device = unit.device() else { return UnitError.invalidValue }
        data.storeBytes(of: UInt32(machine.bufferFrames(of: device)), as: UInt32.self)
        return noErr
    #endif
    default:
        machine.violate("unknown property \(property) of a unit")
        return UnitError.invalidProperty
    }
}

extension Unit {
    /// Returns the hardware format, whose rate is 0 if the session has no input. [P]
    fileprivate func hardwareFormat(isClientSide: Bool) -> AudioStreamBasicDescription? {
        guard inputIsEnabled else { return nil }
        var format = AudioStreamBasicDescription()
        format.mFormatID = kAudioFormatLinearPCM
        format.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved
        if let device = device(), device.isAlive {
            format.mSampleRate = device.sampleRate
            // [P] The input side of VoiceProcessingIO includes the echo canceller's references in its channels; the output side does not.
            let channels = kind == .voice ? (isClientSide ? 1 : device.voiceChannels ?? 1) : device.inputChannels
            format.mChannelsPerFrame = UInt32(channels)
        }
        format.mBitsPerChannel = 32
        format.mBytesPerFrame = 4
        format.mBytesPerPacket = 4
        format.mFramesPerPacket = 1
        return format
    }
}
