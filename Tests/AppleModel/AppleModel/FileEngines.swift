// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AudioToolbox
import CPCMLibraries
import Glibc

/// A file that libsndfile reads through callbacks.
final class SndfileEngine {
    private let bytes: ModelFileBytes
    private let library: UnsafePointer<LinnetSndfileFunctions>
    private var handle: OpaquePointer?
    private var info = SF_INFO()
    private var offset: Int64 = 0
    var frameCount: Int64 { info.frames }

    /// Opens a file, or returns `nil` if the library does not support its format.
    init?(_ bytes: ModelFileBytes) {
        self.bytes = bytes
        guard let library = linnet_sndfile_functions() else { fatalError("the model needs libsndfile") }
        self.library = library
        var callbacks = SF_VIRTUAL_IO(
            get_filelen: { SndfileEngine.engine($0).byteCount }, seek: { SndfileEngine.engine($2).seek($0, $1) },
            read: { SndfileEngine.engine($2).read($0, $1) }, write: nil, tell: { SndfileEngine.engine($0).offset })
        handle = library.pointee.sf_open_virtual(&callbacks, Int32(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
        guard handle != nil else { return nil }
    }

    deinit { if let handle { _ = library.pointee.sf_close(handle) } }

    private static func engine(_ context: UnsafeMutableRawPointer?) -> SndfileEngine {
        guard let context else { fatalError("libsndfile passes its context") }
        return Unmanaged.fromOpaque(context).takeUnretainedValue()
    }
    private var byteCount: Int64 { bytes.getSize(bytes.context) }
    private func seek(_ distance: Int64, _ origin: Int32) -> Int64 {
        offset = distance + (origin == SEEK_SET ? 0 : origin == SEEK_CUR ? offset : byteCount)
        return offset
    }
    private func read(_ target: UnsafeMutableRawPointer?, _ count: Int64) -> Int64 {
        let found = target.flatMap { bytes.read(at: offset, Int(count), into: $0) } ?? 0
        offset += Int64(found)
        return Int64(found)
    }

    /// The file's format as Core Audio describes it, or `nil` if the model lacks the format.
    var format: (type: AudioFileTypeID, description: AudioStreamBasicDescription)? {
        var description = AudioStreamBasicDescription()
        description.mSampleRate = Double(info.samplerate)
        description.mChannelsPerFrame = UInt32(info.channels)
        let width: UInt32 =
            switch Int(info.format) & Int(SF_FORMAT_SUBMASK) {
            case Int(SF_FORMAT_PCM_S8): 1
            case Int(SF_FORMAT_PCM_16): 2
            case Int(SF_FORMAT_PCM_24): 3
            case Int(SF_FORMAT_ULAW): 0
            default: 4
            }
        switch Int(info.format) & Int(SF_FORMAT_TYPEMASK) {
        case Int(SF_FORMAT_FLAC):
            description.mFormatID = kAudioFormatFLAC
            description.mFormatFlags =
                width == 3 ? kAppleLosslessFormatFlag_24BitSourceData : kAppleLosslessFormatFlag_16BitSourceData
            description.mFramesPerPacket = 4608
            return (kAudioFileFLACType, description)
        case Int(SF_FORMAT_AU):
            description.mFormatID = width == 0 ? kAudioFormatULaw : kAudioFormatLinearPCM
            description.mFormatFlags = kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
            description.mBytesPerFrame = max(1, width) * description.mChannelsPerFrame
            description.mBytesPerPacket = description.mBytesPerFrame
            description.mFramesPerPacket = 1
            description.mBitsPerChannel = 8 * max(1, width)
            return (kAudioFileNextType, description)
        default: return nil
        }
    }

    /// Reads frames as integers in the high bits.
    func frames(_ count: Int) -> [Int32] {
        var samples = [Int32](repeating: 0, count: count * Int(info.channels))
        let found = Int(library.pointee.sf_readf_int(handle, &samples, Int64(count)))
        return Array(samples.prefix(found * Int(info.channels)))
    }

    /// Seeks to a frame; returns `false` if it does not exist.
    func seek(toFrame frame: Int64) -> Bool { library.pointee.sf_seek(handle, frame, SEEK_SET) == frame }
}

/// Encodes FLAC with libFLAC.
public enum FLACEngine {
    /// The encoder's output.
    private final class Output { var bytes: [UInt8] = [] }

    /// Encodes a FLAC file.
    ///
    /// - Parameters:
    ///   - samples: Interleaved integers.
    ///   - bitCount: The bits per sample.
    public static func file(_ samples: [Int32], bitCount: Int, sampleRate: Int, channelCount: Int) -> [UInt8] {
        guard let library = linnet_flac_functions(), let encoder = library.pointee.FLAC__stream_encoder_new() else {
            fatalError("the model needs libFLAC")
        }
        let frameCount = samples.count / channelCount
        let output = Output()
        _ = library.pointee.FLAC__stream_encoder_set_channels(encoder, UInt32(channelCount))
        _ = library.pointee.FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(bitCount))
        _ = library.pointee.FLAC__stream_encoder_set_sample_rate(encoder, UInt32(sampleRate))
        _ = library.pointee.FLAC__stream_encoder_set_total_samples_estimate(encoder, UInt64(frameCount))
        let status = library.pointee.FLAC__stream_encoder_init_stream(
            encoder,
            { _, bytes, count, _, _, context in
                guard let context else { return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR }
                Unmanaged<Output>.fromOpaque(context).takeUnretainedValue().bytes += UnsafeBufferPointer(start: bytes, count: count)
                return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
            }, nil, nil, nil, Unmanaged.passUnretained(output).toOpaque())
        if status != FLAC__STREAM_ENCODER_INIT_STATUS_OK { fatalError("libFLAC refuses the format") }
        _ = library.pointee.FLAC__stream_encoder_process_interleaved(encoder, samples, UInt32(frameCount))
        _ = library.pointee.FLAC__stream_encoder_finish(encoder)
        library.pointee.FLAC__stream_encoder_delete(encoder)
        return output.bytes
    }
}
#endif
