// The system's encoder of AAC-LC: packets of 1024 frames, 2112 frames of priming, and the protocol of its input.
import AudioToolbox
import Darwin
import VirtualTime

final class Converter {
    let handle: UInt
    let channels: Int
    let rate: Double
    var bitRate: UInt32
    var isDisposed = false
    // The input that the caller still owns; read only when needed, copied when the caller is called again.
    var borrowed: UnsafePointer<Float>?
    var borrowedFrames = 0
    var own: [Float] = []
    var framesIn = 0, packetsOut = 0
    var hasEnded = false, hasFlushed = false, isInside = false
    init(_ handle: UInt, _ channels: Int, _ rate: Double) {
        self.handle = handle; self.channels = channels; self.rate = rate
        bitRate = UInt32(channels) * 64_000
    }
    var applicable: ClosedRange<UInt32> { UInt32(channels) * 24_000...UInt32(channels) * 160_000 }
    /// What a decoder delays by.
    static let priming = 2112
}

extension Machine {
    func converter(_ handle: OpaquePointer?, _ call: String) -> Converter? {
        guard let handle, let converter = converters[UInt(bitPattern: handle)] else { violate("\(call) with an unknown converter"); return nil }
        if converter.isDisposed { violate("\(call) after the converter was disposed of"); return nil }
        return converter
    }
    /// The samples of channel 0 that converters have taken, in order, for scenarios.
    public func takenSamples() -> [Float] { taken }
}
nonisolated(unsafe) var taken: [Float] = []
/// Scripted: the manufacturers that have an encoder.
nonisolated(unsafe) public var encoderManufacturers: Set<UInt32> = [0x6170_706C]
/// Scripted: the error that the next FillComplexBuffer returns, such as 'hwiu'.
nonisolated(unsafe) public var nextConverterError: OSStatus = 0

let badPropertySize: OSStatus = 0x2173697A, unsupportedProperty: OSStatus = 0x70726F70, badData: OSStatus = 0x21646174, formatError: OSStatus = 0x666D743F

@_cdecl("AudioConverterNewSpecific")
func converterNew(
    _ source: UnsafePointer<AudioStreamBasicDescription>, _ target: UnsafePointer<AudioStreamBasicDescription>, _ count: UInt32,
    _ classes: UnsafePointer<AudioClassDescription>, _ result: UnsafeMutablePointer<OpaquePointer?>
) -> OSStatus {
    machine.locked {
        let (input, output) = (source.pointee, target.pointee)
        guard count > 0, classes.pointee.mType == kAudioEncoderComponentType, encoderManufacturers.contains(classes.pointee.mManufacturer),
            classes.pointee.mSubType == output.mFormatID, output.mFormatID == 0x6161_6320
        else { return formatError }
        let bytes = input.mChannelsPerFrame * 4
        guard input.mFormatID == kAudioFormatLinearPCM, input.mFormatFlags & kAudioFormatFlagIsFloat != 0, input.mBitsPerChannel == 32,
            input.mBytesPerFrame == bytes, input.mBytesPerPacket == bytes, input.mFramesPerPacket == 1
        else { machine.violate("the converter's input format is inconsistent"); return formatError }
        guard output.mBytesPerPacket == 0, output.mBytesPerFrame == 0, output.mBitsPerChannel == 0, output.mChannelsPerFrame == input.mChannelsPerFrame,
            output.mFramesPerPacket == 0 || output.mFramesPerPacket == 1024, (1...2).contains(input.mChannelsPerFrame)
        else { return formatError }
        machine.nextHandle += 16
        machine.converters[machine.nextHandle] = Converter(machine.nextHandle, Int(input.mChannelsPerFrame), input.mSampleRate)
        result.pointee = OpaquePointer(bitPattern: machine.nextHandle)
        return 0
    }
}
@_cdecl("AudioConverterDispose")
func converterDispose(_ handle: OpaquePointer) -> OSStatus {
    machine.locked {
        guard let converter = machine.converter(handle, "AudioConverterDispose") else { return badData }
        converter.isDisposed = true
        return 0
    }
}
@_cdecl("AudioConverterReset")
func converterReset(_ handle: OpaquePointer) -> OSStatus {
    machine.locked {
        guard let converter = machine.converter(handle, "AudioConverterReset") else { return badData }
        converter.borrowedFrames = 0; converter.own = []; converter.framesIn = 0; converter.packetsOut = 0
        converter.hasEnded = false; converter.hasFlushed = false
        return 0
    }
}
/// The magic cookie: an ES_Descriptor.
private func cookie(_ converter: Converter) -> [UInt8] {
    let rates = [96000.0, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000]
    let index = rates.firstIndex(of: converter.rate) ?? 15
    let specific: [UInt8] = [UInt8(2 << 3 | index >> 1), UInt8((index & 1) << 7 | converter.channels << 3)]
    func be(_ value: UInt32) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) } }
    func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] { [tag, 0x80, 0x80, 0x80, UInt8(body.count)] + body }
    let decoder = [0x40, 0x15, 0, 0x18, 0] + be(converter.bitRate) + be(converter.bitRate) + descriptor(5, specific)
    return descriptor(3, [0, 0, 0] + descriptor(4, decoder) + descriptor(6, [2]))
}
@_cdecl("AudioConverterGetPropertyInfo")
func converterInfo(_ handle: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>?, _ writable: UnsafeMutablePointer<UInt8>?) -> OSStatus {
    machine.locked {
        guard let converter = machine.converter(handle, "AudioConverterGetPropertyInfo") else { return badData }
        switch property {
        case kAudioConverterCompressionMagicCookie: size?.pointee = UInt32(cookie(converter).count)
        case kAudioConverterApplicableEncodeBitRates: size?.pointee = 16
        case kAudioConverterPropertyMaximumOutputPacketSize, kAudioConverterEncodeBitRate: size?.pointee = 4
        case kAudioConverterPrimeInfo: size?.pointee = 8
        default: return unsupportedProperty
        }
        return 0
    }
}
@_cdecl("AudioConverterGetProperty")
func converterGet(_ handle: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutableRawPointer) -> OSStatus {
    machine.locked {
        guard let converter = machine.converter(handle, "AudioConverterGetProperty") else { return badData }
        func put<Value: BitwiseCopyable>(_ value: Value) -> OSStatus {
            guard Int(size.pointee) >= MemoryLayout<Value>.size else { return badPropertySize }
            data.storeBytes(of: value, as: Value.self)
            size.pointee = UInt32(MemoryLayout<Value>.size)
            return 0
        }
        switch property {
        case kAudioConverterEncodeBitRate: return put(converter.bitRate)
        case kAudioConverterPropertyMaximumOutputPacketSize: return put(UInt32(768 * converter.channels))
        case kAudioConverterPrimeInfo:
            let flushed = converter.hasFlushed ? converter.packetsOut * 1024 - Converter.priming - converter.framesIn : 0
            return put(AudioConverterPrimeInfo(leadingFrames: UInt32(Converter.priming), trailingFrames: UInt32(max(0, flushed))))
        case kAudioConverterCurrentOutputStreamDescription:
            var description = AudioStreamBasicDescription()
            description.mFormatID = 0x6161_6320
            description.mSampleRate = converter.rate
            description.mFramesPerPacket = 1024
            description.mChannelsPerFrame = UInt32(converter.channels)
            return put(description)
        case kAudioConverterCompressionMagicCookie:
            let bytes = cookie(converter)
            guard Int(size.pointee) >= bytes.count else { return badPropertySize }
            data.copyMemory(from: bytes, byteCount: bytes.count)
            size.pointee = UInt32(bytes.count)
            return 0
        case kAudioConverterApplicableEncodeBitRates:
            return put(AudioValueRange(mMinimum: Double(converter.applicable.lowerBound), mMaximum: Double(converter.applicable.upperBound)))
        default: return unsupportedProperty
        }
    }
}
@_cdecl("AudioConverterSetProperty")
func converterSet(_ handle: OpaquePointer, _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer) -> OSStatus {
    machine.locked {
        guard let converter = machine.converter(handle, "AudioConverterSetProperty") else { return badData }
        guard property == kAudioConverterEncodeBitRate else { return unsupportedProperty }
        guard size == 4 else { return badPropertySize }
        let value = data.load(as: UInt32.self)
        guard converter.applicable.contains(value) else { return badData }
        converter.bitRate = value
        return 0
    }
}

@_cdecl("AudioConverterFillComplexBuffer")
func converterFill(
    _ handle: OpaquePointer, _ input: AudioConverterComplexInputDataProc, _ context: UnsafeMutableRawPointer?, _ packets: UnsafeMutablePointer<UInt32>,
    _ output: UnsafeMutablePointer<AudioBufferList>, _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    guard let converter = machine.converter(handle, "AudioConverterFillComplexBuffer") else { return badData }
    if nextConverterError != 0 { defer { nextConverterError = 0 }; packets.pointee = 0; output.pointee.mBuffers.mDataByteSize = 0; return nextConverterError }
    if converter.isInside { machine.violate("AudioConverterFillComplexBuffer from its own callback"); return badData }
    converter.isInside = true
    defer { converter.isInside = false }
    let capacity = Int(packets.pointee), room = Int(output.pointee.mBuffers.mDataByteSize)
    var made = 0, bytes = 0
    var status: OSStatus = 0
    func available() -> Int { converter.own.count / converter.channels + converter.borrowedFrames }
    /// Takes frames for one packet: the owned ones, then the borrowed ones.
    func take(_ frames: Int) {
        var samples = converter.own
        let wanted = frames * converter.channels
        if samples.count < wanted, let memory = converter.borrowed {
            let count = min(wanted - samples.count, converter.borrowedFrames * converter.channels)
            samples += UnsafeBufferPointer(start: memory, count: count)
            converter.borrowed = memory + count
            converter.borrowedFrames -= count / converter.channels
        }
        for index in stride(from: 0, to: min(wanted, samples.count), by: converter.channels) { taken.append(samples[index]) }
        converter.own = Array(samples.dropFirst(wanted))
        converter.framesIn += min(frames, samples.count / converter.channels)
    }
    filling: while made < capacity {
        guard room - bytes >= 768 * converter.channels else { if made == 0 { status = badPropertySize }; break }
        while available() < 1024, !converter.hasEnded {
            // From here on the memory of the last call is the caller's again.
            if converter.borrowedFrames > 0, let memory = converter.borrowed {
                converter.own += UnsafeBufferPointer(start: memory, count: converter.borrowedFrames * converter.channels)
                converter.borrowedFrames = 0
            }
            var asked = UInt32(1024 - available())
            var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: UInt32(converter.channels), mDataByteSize: 0, mData: nil))
            status = input(handle, &asked, &list, nil, context)
            if asked == 0 {
                if status != 0 { break filling }
                converter.hasEnded = true
                break
            }
            guard status == 0 else { machine.violate("input with a status other than noErr"); break filling }
            guard let memory = list.mBuffers.mData, list.mBuffers.mDataByteSize == asked * UInt32(4 * converter.channels) else {
                machine.violate("the input's mDataByteSize contradicts the packet count"); status = badPropertySize; break filling
            }
            converter.borrowed = UnsafePointer(memory.assumingMemoryBound(to: Float.self))
            converter.borrowedFrames = Int(asked)
        }
        let total = converter.hasEnded ? available() : 1024
        if converter.hasEnded {
            // The flush: packets until all frames and the priming have left.
            let frames = converter.framesIn + total
            if converter.packetsOut * 1024 >= frames + Converter.priming { converter.hasFlushed = true; status = 0; break }
        }
        take(min(1024, total))
        let size = 64 + converter.packetsOut % 7
        if let data = output.pointee.mBuffers.mData {
            for index in 0..<size { (data + bytes + index).storeBytes(of: UInt8(truncatingIfNeeded: converter.packetsOut), as: UInt8.self) }
        }
        descriptions?[made] = AudioStreamPacketDescription(mStartOffset: Int64(bytes), mVariableFramesInPacket: 0, mDataByteSize: UInt32(size))
        bytes += size
        made += 1
        converter.packetsOut += 1
    }
    packets.pointee = UInt32(made)
    output.pointee.mBuffers.mDataByteSize = UInt32(bytes)
    return status
}
extension Machine { func locked<R>(_ body: () throws -> R) rethrows -> R { try body() } }
