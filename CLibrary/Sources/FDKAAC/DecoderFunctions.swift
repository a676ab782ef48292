// SPDX-License-Identifier: Apache-2.0

public import CFDKAAC

/// Creates a decoder.
///
/// Returns null for unsupported transports.
@c @implementation
public func aacDecoder_Open(_ transport: TRANSPORT_TYPE, _ layers: UInt32) -> OpaquePointer? {
    guard layers <= 1, let format = Transport.Format(rawValue: transport.rawValue) else { return nil }
    return unsafe Handle.make(FDKDecoder(format))
}

/// Destroys a decoder.
@c @implementation
public func aacDecoder_Close(_ decoder: OpaquePointer?) { unsafe Handle.destroy(decoder, FDKDecoder.self) }

/// Sets the configuration of a stream.
@c @implementation
public func aacDecoder_ConfigRaw(
    _ decoder: OpaquePointer?, _ configuration: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ length: UnsafePointer<UInt32>?
) -> AAC_DECODER_ERROR {
    guard let handle: FDKDecoder = unsafe Handle.object(decoder) else { return AAC_DEC_INVALID_HANDLE }
    guard let configuration = unsafe configuration, let length = unsafe length,
        let bytes = unsafe Array(UnsafePointer(configuration.pointee), count: Int(length.pointee))
    else { return AAC_DEC_UNSUPPORTED_FORMAT }
    return handle.configure(bytes)
}

/// Rejects MP4 boxes, which no AAC stream needs.
@c @implementation
public func aacDecoder_RawISOBMFFData(_ decoder: OpaquePointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ length: UInt32)
    -> AAC_DECODER_ERROR
{
    unsafe decoder == nil ? AAC_DEC_INVALID_HANDLE : AAC_DEC_UNSUPPORTED_FORMAT
}

/// Appends input bytes.
@c @implementation
public func aacDecoder_Fill(
    _ decoder: OpaquePointer?, _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ size: UnsafePointer<UInt32>?,
    _ bytesValid: UnsafeMutablePointer<UInt32>?
) -> AAC_DECODER_ERROR {
    guard let handle: FDKDecoder = unsafe Handle.object(decoder) else { return AAC_DEC_INVALID_HANDLE }
    guard let buffer = unsafe buffer, let size = unsafe size, let bytesValid = unsafe bytesValid else { return AAC_DEC_UNKNOWN }
    // The remaining bytes are at the end of the buffer.
    let (total, left) = unsafe (size.pointee, min(bytesValid.pointee, size.pointee))
    let count = min(Int(left), handle.queue.space)
    guard count > 0 else { return AAC_DEC_OK }
    guard let start = unsafe buffer.pointee else { return AAC_DEC_UNKNOWN }
    unsafe handle.queue.append(UnsafeBufferPointer(start: start + Int(total - left), count: count))
    unsafe bytesValid.pointee = left - UInt32(count)
    return AAC_DEC_OK
}

/// Decodes an access unit.
@c @implementation
public func aacDecoder_DecodeFrame(
    _ decoder: OpaquePointer?, _ samples: UnsafeMutablePointer<Int16>?, _ capacity: Int32, _ flags: UInt32
) -> AAC_DECODER_ERROR {
    guard let handle: FDKDecoder = unsafe Handle.object(decoder) else { return AAC_DEC_INVALID_HANDLE }
    guard let samples = unsafe samples, capacity >= 0 else { return AAC_DEC_OUTPUT_BUFFER_TOO_SMALL }
    // The caller guarantees this capacity.
    return unsafe handle.decode(into: UnsafeMutableBufferPointer(start: samples, count: Int(capacity)), flags: flags)
}

/// Returns the stream information; null for a null handle.
@c @implementation
public func aacDecoder_GetStreamInfo(_ decoder: OpaquePointer?) -> UnsafeMutablePointer<CStreamInfo>? {
    guard let handle: FDKDecoder = unsafe Handle.object(decoder) else { return nil }
    return unsafe handle.information.pointer
}

/// Sets a parameter.
@c @implementation
public func aacDecoder_SetParam(_ decoder: OpaquePointer?, _ parameter: AACDEC_PARAM, _ value: Int32) -> AAC_DECODER_ERROR {
    guard let handle: FDKDecoder = unsafe Handle.object(decoder) else { return AAC_DEC_INVALID_HANDLE }
    return handle.set(parameter, value)
}

/// Returns the number of bytes that can be appended now.
@c @implementation
public func aacDecoder_GetFreeBytes(_ decoder: OpaquePointer?, _ count: UnsafeMutablePointer<UInt32>?) -> AAC_DECODER_ERROR {
    guard let handle: FDKDecoder = unsafe Handle.object(decoder) else { return AAC_DEC_INVALID_HANDLE }
    guard let count = unsafe count else { return AAC_DEC_UNKNOWN }
    unsafe count.pointee = UInt32(handle.queue.space)
    return AAC_DEC_OK
}

/// Accepts a buffer for ancillary data, which is never used.
@c @implementation
public func aacDecoder_AncDataInit(_ decoder: OpaquePointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> AAC_DECODER_ERROR {
    unsafe decoder == nil ? AAC_DEC_INVALID_HANDLE : AAC_DEC_OK
}

/// Returns an ancillary data element: always none.
@c @implementation
public func aacDecoder_AncDataGet(
    _ decoder: OpaquePointer?, _ index: Int32, _ data: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
    _ size: UnsafeMutablePointer<Int32>?
) -> AAC_DECODER_ERROR {
    guard unsafe decoder != nil else { return AAC_DEC_INVALID_HANDLE }
    guard let data = unsafe data, let size = unsafe size, index >= 0 else { return AAC_DEC_ANC_DATA_ERROR }
    unsafe data.pointee = nil
    unsafe size.pointee = 0
    return AAC_DEC_OK
}
