// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
public import CFDKAAC

/// Creates an encoder.
@c @implementation
public func aacEncOpen(_ encoder: UnsafeMutablePointer<OpaquePointer?>?, _ modules: UInt32, _ maxChannels: UInt32) -> AACENC_ERROR {
    guard let encoder = unsafe encoder else { return AACENC_INVALID_HANDLE }
    unsafe encoder.pointee = nil
    guard let parameters = EncoderParameters(modules: modules, maximumChannelCounts: maxChannels) else { return AACENC_INVALID_CONFIG }
    unsafe encoder.pointee = Handle.make(FDKEncoder(parameters))
    return AACENC_OK
}

/// Destroys an encoder and sets the handle to null.
@c @implementation
public func aacEncClose(_ encoder: UnsafeMutablePointer<OpaquePointer?>?) -> AACENC_ERROR {
    guard let encoder = unsafe encoder else { return AACENC_INVALID_HANDLE }
    unsafe Handle.destroy(encoder.pointee, FDKEncoder.self)
    unsafe encoder.pointee = nil
    return AACENC_OK
}

/// Sets a parameter.
@c @implementation
public func aacEncoder_SetParam(_ encoder: OpaquePointer?, _ parameter: AACENC_PARAM, _ value: UInt32) -> AACENC_ERROR {
    guard let handle: FDKEncoder = unsafe Handle.object(encoder) else { return AACENC_INVALID_HANDLE }
    return handle.set(parameter, value)
}

/// Returns a parameter; 0 for a null handle.
@c @implementation
public func aacEncoder_GetParam(_ encoder: OpaquePointer?, _ parameter: AACENC_PARAM) -> UInt32 {
    guard let handle: FDKEncoder = unsafe Handle.object(encoder) else { return 0 }
    return handle.get(parameter)
}

/// Returns the properties of an initialized encoder.
@c @implementation
public func aacEncInfo(_ encoder: OpaquePointer?, _ info: UnsafeMutablePointer<AACENC_InfoStruct>?) -> AACENC_ERROR {
    guard let handle: FDKEncoder = unsafe Handle.object(encoder), let info = unsafe info else { return AACENC_INVALID_HANDLE }
    unsafe info.pointee = AACENC_InfoStruct()
    guard let stream = handle.stream else { return AACENC_INIT_ERROR }
    let encoder = stream.encoder
    let configuration = stream.decoderConfiguration
    unsafe info.pointee.maxOutBufBytes = UInt32(max(6144, 768 * encoder.configuration.channelCount) + Transport.maximumOverhead)
    unsafe info.pointee.inBufFillLevel = UInt32(encoder.waitingFrameCount)
    unsafe info.pointee.inputChannels = UInt32(encoder.configuration.channelCount)
    unsafe info.pointee.frameLength = UInt32(encoder.framesPerPacket)
    unsafe info.pointee.nDelay = UInt32(encoder.delay)
    unsafe info.pointee.nDelayCore = UInt32(encoder.delay - encoder.sbrDelay)
    unsafe withUnsafeMutableBytes(of: &info.pointee.confBuf) { target in
        unsafe target.copyBytes(from: configuration.prefix(target.count))
    }
    unsafe info.pointee.confSize = UInt32(min(configuration.count, MemoryLayout.size(ofValue: info.pointee.confBuf)))
    return AACENC_OK
}

/// Encodes samples.
@c @implementation
public func aacEncEncode(
    _ encoder: OpaquePointer?, _ input: UnsafePointer<AACENC_BufDesc>?, _ output: UnsafePointer<AACENC_BufDesc>?,
    _ inputArguments: UnsafePointer<AACENC_InArgs>?, _ outputArguments: UnsafeMutablePointer<AACENC_OutArgs>?
) -> AACENC_ERROR {
    guard let handle: FDKEncoder = unsafe Handle.object(encoder) else { return AACENC_INVALID_HANDLE }
    do throws(EncoderFailure) {
        try handle.initialize()
        if unsafe input == nil && output == nil && inputArguments == nil && outputArguments == nil { return AACENC_OK }
        guard let stream = handle.stream, let output = unsafe output, let outputArguments = unsafe outputArguments else {
            return AACENC_UNSUPPORTED_PARAMETER
        }
        unsafe outputArguments.pointee = AACENC_OutArgs()
        guard let memory = unsafe output.pointee.buffer(Int32(OUT_BITSTREAM_DATA.rawValue)) else { return AACENC_UNSUPPORTED_PARAMETER }
        let samples = try unsafe input.samples(inputArguments)
        let data = unsafe input.ancillaryData(inputArguments)
        let result = try unsafe stream.encode(samples, data: data, output: memory)
        unsafe outputArguments.pointee.numInSamples = Int32(result.taken)
        unsafe outputArguments.pointee.numAncBytes = result.takesData ? Int32(data.count) : 0
        guard let written = result.written else { return AACENC_ENCODE_ERROR }
        unsafe outputArguments.pointee.numOutBytes = Int32(written)
        return result.isEnd ? AACENC_ENCODE_EOF : AACENC_OK
    } catch {
        return error.code
    }
}

extension Optional where Wrapped == UnsafePointer<AACENC_BufDesc> {
    /// Returns the input samples of a call; `nil` if a count of -1 ends the stream.
    ///
    /// - Throws: ``EncoderFailure`` if the count or the sample buffer is missing.
    fileprivate func samples(_ arguments: UnsafePointer<AACENC_InArgs>?) throws(EncoderFailure) -> UnsafeBufferPointer<Int16>? {
        guard let given = unsafe arguments?.pointee.numInSamples else { throw EncoderFailure(code: AACENC_UNSUPPORTED_PARAMETER) }
        guard given > 0 else { return given == -1 ? nil : unsafe UnsafeBufferPointer(start: nil, count: 0) }
        guard let memory = unsafe self?.pointee.buffer(Int32(IN_AUDIO_DATA.rawValue)) else {
            throw EncoderFailure(code: AACENC_UNSUPPORTED_PARAMETER)
        }
        let count = min(Int(given), memory.count / 2)
        // In this interface, this memory contains 16-bit samples.
        return unsafe UnsafeBufferPointer(start: memory.baseAddress?.assumingMemoryBound(to: Int16.self), count: count)
    }

    /// Returns the ancillary data of a call, possibly none.
    fileprivate func ancillaryData(_ arguments: UnsafePointer<AACENC_InArgs>?) -> [UInt8] {
        guard let given = unsafe arguments?.pointee.numAncBytes, given > 0,
            let memory = unsafe self?.pointee.buffer(Int32(IN_ANCILLRY_DATA.rawValue))
        else { return [] }
        return unsafe Array(memory.prefix(Int(given)))
    }
}

extension AACENC_BufDesc {
    fileprivate func buffer(_ identifier: Int32) -> UnsafeMutableRawBufferPointer? {
        guard let identifiers = unsafe bufferIdentifiers, let sizes = unsafe bufSizes, let buffers = unsafe bufs else { return nil }
        for index in unsafe 0..<max(0, Int(numBufs)) where unsafe identifiers[index] == identifier {
            let size = unsafe sizes[index]
            guard unsafe size >= 0 && (buffers[index] != nil || size == 0) else { return nil }
            return unsafe UnsafeMutableRawBufferPointer(start: buffers[index], count: Int(size))
        }
        return nil
    }
}
