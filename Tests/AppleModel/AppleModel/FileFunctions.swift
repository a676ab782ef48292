// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AudioToolbox

/// Opens a file, whose format is detected from its contents; the callbacks are called until it is closed.
@_cdecl("AudioFileOpenWithCallbacks")
func fileOpen(
    _ context: UnsafeMutableRawPointer, _ read: AudioFile_ReadProc, _ write: AudioFile_WriteProc?, _ getSize: AudioFile_GetSizeProc,
    _ setSize: AudioFile_SetSizeProc?, _ hint: UInt32, _ result: UnsafeMutablePointer<OpaquePointer?>
) -> OSStatus {
    let bytes = ModelFileBytes(context: context, read: read, write: write, getSize: getSize, setSize: setSize)
    if write != nil || setSize != nil { machine.violate("a file open for reading has write callbacks") }
    // [U] The system may detect formats after a tag; Linnet passes only the audio data.
    var front: [UInt8] = [0, 0, 0]
    _ = bytes.read(at: 0, 3, into: &front)
    if front == Array("ID3".utf8) { machine.violate("a file is opened with a tag before its format") }
    guard let engine = SndfileEngine(bytes), let format = engine.format else { return kAudioFileUnsupportedFileTypeError }
    result.pointee = machine.files.add(ModelFile(bytes, type: format.type, format: format.description, reader: engine))
    return noErr
}

/// Creates a file: truncates it and writes the header.
@_cdecl("AudioFileInitializeWithCallbacks")
func fileInitialize(
    _ context: UnsafeMutableRawPointer, _ read: AudioFile_ReadProc, _ write: AudioFile_WriteProc, _ getSize: AudioFile_GetSizeProc,
    _ setSize: AudioFile_SetSizeProc, _ type: UInt32, _ format: UnsafePointer<AudioStreamBasicDescription>, _ flags: UInt32,
    _ result: UnsafeMutablePointer<OpaquePointer?>
) -> OSStatus {
    let bytes = ModelFileBytes(context: context, read: read, write: write, getSize: getSize, setSize: setSize)
    let description = format.pointee
    guard type == kAudioFileFLACType else { return kAudioFileUnsupportedFileTypeError }
    // The size fields of a compressed format are 0 (AudioStreamBasicDescription); 16 to 24 bits are known from practice.
    guard description.mFormatID == kAudioFormatFLAC, description.mBytesPerFrame == 0, description.mBytesPerPacket == 0,
        description.mBitsPerChannel == 0, 1...3 ~= description.mFormatFlags, 1...8 ~= description.mChannelsPerFrame,
        1...655_350 ~= description.mSampleRate
    else { return kAudioFileUnsupportedDataFormatError }
    guard setSize(context, 0) == noErr else { return kAudioFileUnspecifiedError }
    let status = bytes.write(Array("fLaC".utf8) + [UInt8](repeating: 0, count: 38), at: 0)
    guard status == noErr else { return status }
    if getSize(context) != 42 { machine.violate("the file's bytes differ from the written bytes") }
    result.pointee = machine.files.add(ModelFile(bytes, type: type, format: description, reader: nil))
    return noErr
}

/// Closes a file that is no longer in use.
@_cdecl("AudioFileClose")
func fileClose(_ handle: OpaquePointer) -> OSStatus {
    guard machine.files.file(handle, "AudioFileClose") != nil else { return kAudio_ParamError }
    // [A] The client keeps the file open until it has disposed of the extended file.
    if machine.files.extended.values.contains(where: { $0.fileHandle == handle }) {
        machine.violate("AudioFileClose before the extended file was disposed of")
    }
    machine.files.files[UInt(bitPattern: handle)] = nil
    return noErr
}

@_cdecl("AudioFileGetProperty")
func fileGet(_ handle: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutableRawPointer) -> OSStatus
{
    guard let file = machine.files.file(handle, "AudioFileGetProperty") else { return kAudio_ParamError }
    guard property == kAudioFilePropertyFileFormat else { return 0x7074_793F }
    guard size.pointee == 4 else {
        machine.violate("a file property with the wrong size")
        return FileStatus.badSize
    }
    data.storeBytes(of: file.type, as: UInt32.self)
    return noErr
}

/// Wraps a file; permitted once per file.
@_cdecl("ExtAudioFileWrapAudioFileID")
func extendedWrap(_ handle: OpaquePointer, _ isForWriting: Bool, _ result: UnsafeMutablePointer<OpaquePointer?>) -> OSStatus {
    guard let file = machine.files.file(handle, "ExtAudioFileWrapAudioFileID") else { return kAudio_ParamError }
    if file.isWrapped || isForWriting != (file.reader == nil) { machine.violate("a file is wrapped twice or for the wrong direction") }
    file.isWrapped = true
    result.pointee = machine.files.handle()
    machine.files.extended[UInt(bitPattern: result.pointee)] = ModelExtendedFile(file, handle)
    return noErr
}

/// Disposes of an extended file and encodes the remaining samples.
@_cdecl("ExtAudioFileDispose")
func extendedDispose(_ handle: OpaquePointer) -> OSStatus {
    guard let extended = machine.files.extended(handle, "ExtAudioFileDispose") else { return kAudio_ParamError }
    machine.files.extended[UInt(bitPattern: handle)] = nil
    let file = extended.file
    _ = machine.files.file(extended.fileHandle, "ExtAudioFileDispose")
    guard file.reader == nil else { return noErr }
    let bitCount = file.format.mFormatFlags == kAppleLosslessFormatFlag_16BitSourceData ? 16 : 24
    let encoded = FLACEngine.file(
        extended.written.map { $0 >> Int32(32 - bitCount) }, bitCount: bitCount, sampleRate: Int(file.format.mSampleRate),
        channelCount: Int(file.format.mChannelsPerFrame))
    let status = file.bytes.write(encoded, at: 0)
    guard status == noErr else { return status }
    return file.bytes.setSize?(file.bytes.context, Int64(encoded.count)) ?? kAudioFileUnspecifiedError
}

@_cdecl("ExtAudioFileGetProperty")
func extendedGet(
    _ handle: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutableRawPointer
) -> OSStatus {
    guard let extended = machine.files.extended(handle, "ExtAudioFileGetProperty") else { return kAudio_ParamError }
    let wanted: Int
    switch property {
    case kExtAudioFileProperty_FileDataFormat: wanted = MemoryLayout<AudioStreamBasicDescription>.size
    case kExtAudioFileProperty_FileLengthFrames: wanted = 8
    default: return -66561
    }
    guard size.pointee == wanted else {
        machine.violate("an extended file property with the wrong size")
        return FileStatus.badPropertySize
    }
    if property == kExtAudioFileProperty_FileDataFormat {
        data.storeBytes(of: extended.file.format, as: AudioStreamBasicDescription.self)
    } else {
        data.storeBytes(of: extended.file.reader?.frameCount ?? 0, as: Int64.self)
    }
    return noErr
}

/// Sets the client format, which must be consistent linear PCM and precede the first frame.
@_cdecl("ExtAudioFileSetProperty")
func extendedSet(_ handle: OpaquePointer, _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer) -> OSStatus {
    guard let extended = machine.files.extended(handle, "ExtAudioFileSetProperty") else { return kAudio_ParamError }
    guard property == kExtAudioFileProperty_ClientDataFormat else { return -66561 }
    guard size == MemoryLayout<AudioStreamBasicDescription>.size else {
        machine.violate("an extended file property with the wrong size")
        return FileStatus.badPropertySize
    }
    let format = data.loadUnaligned(as: AudioStreamBasicDescription.self)
    guard format.mFormatID == kAudioFormatLinearPCM else { return FileStatus.clientFormatIsNoPCM }
    let bytesPerFrame = format.mChannelsPerFrame * format.mBitsPerChannel / 8
    if format.mBytesPerFrame != bytesPerFrame || format.mBytesPerPacket != bytesPerFrame || format.mFramesPerPacket != 1
        || format.mFormatFlags & kAudioFormatFlagIsPacked == 0
    {
        machine.violate("the client format is inconsistent")
    }
    if format.mSampleRate != extended.file.format.mSampleRate || format.mChannelsPerFrame != extended.file.format.mChannelsPerFrame {
        machine.violate("the client format's rate or channel count differs from the file's")
    }
    if extended.position > 0 || !extended.written.isEmpty { return FileStatus.order }
    extended.client = format
    return noErr
}

/// Seeks to an exact frame; files open for reading only.
@_cdecl("ExtAudioFileSeek")
func extendedSeek(_ handle: OpaquePointer, _ frame: Int64) -> OSStatus {
    guard let extended = machine.files.extended(handle, "ExtAudioFileSeek") else { return kAudio_ParamError }
    guard let reader = extended.file.reader else {
        machine.violate("ExtAudioFileSeek in a file open for writing")
        return FileStatus.invalidSeek
    }
    guard reader.seek(toFrame: frame) else { return FileStatus.invalidSeek }
    extended.position = Int(frame)
    return noErr
}
#endif
