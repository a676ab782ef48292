// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import AudioContainers
internal import AudioConversion
internal import AudioDevices
public import AudioPrimitives
internal import CoreAudioTypes
public import CoreMedia

extension CodecConfiguration {
    /// Creates a configuration from a Core Media description; `nil` for PCM and unsupported codecs.
    ///
    /// Runs on a model of Core Audio only; see Documentation/Internals/Apple.md.
    public init?(_ description: CMAudioFormatDescription) {
        guard let stream = CMAudioFormatDescriptionGetStreamBasicDescription(description)?.pointee else { return nil }
        var size = 0
        let memory = CMAudioFormatDescriptionGetMagicCookie(description, sizeOut: &size)
        let cookie = Array(UnsafeRawBufferPointer(start: memory, count: memory == nil ? 0 : size))
        do {
            try self.init(
                magicCookie: cookie, formatID: FourCharCode(rawValue: stream.mFormatID), bytesPerPacket: Int(stream.mBytesPerPacket))
        } catch {
            return nil
        }
    }

    /// Returns the Core Media description of an AAC stream, with its magic cookie.
    ///
    /// Runs on a model of Core Audio only; see Documentation/Internals/Apple.md.
    ///
    /// - Returns: `nil` for other codecs, if the channel count or frame length is unknown, and if Core Media rejects the description.
    public func cmFormatDescription() -> CMAudioFormatDescription? {
        guard case .aac = self, let channelCount, let framesPerUnit else { return nil }
        let stream = streamDescription(sampleRate: sampleRate, channelCount: channelCount, framesPerPacket: framesPerUnit)
        return stream.cmFormatDescription(magicCookie: magicCookie ?? [])
    }

    /// Returns AAC access units as one sample buffer, for AVSampleBufferAudioRenderer or AVAssetWriter.
    ///
    /// The buffer starts at the first access unit's time, so priming precedes the audio. An app that writes a file must set the trim
    /// attachments itself.
    ///
    /// Runs on a model of Core Audio only; see Documentation/Internals/Apple.md.
    ///
    /// - Parameter accessUnits: At least one access unit; they must be consecutive.
    /// - Returns: `nil` for an empty array, for other codecs, and if Core Media rejects the data.
    public func cmSampleBuffer(_ accessUnits: [AccessUnit]) -> CMSampleBuffer? {
        guard let first = accessUnits.first, let format = cmFormatDescription() else { return nil }
        var bytes: [UInt8] = []
        var packets: [AudioStreamPacketDescription] = []
        for accessUnit in accessUnits {
            packets.append(
                AudioStreamPacketDescription(
                    mStartOffset: Int64(bytes.count), mVariableFramesInPacket: 0, mDataByteSize: UInt32(accessUnit.payload.count)))
            bytes += accessUnit.payload
        }
        return CMSampleBuffer.ready(bytes, format, sampleCount: accessUnits.count, at: first.presentationTime, packets: packets)
    }
}

extension AccessUnit {
    /// Returns the access units of a compressed sample buffer, for example from AVAssetReader without decoding.
    ///
    /// Times count sample frames at the stream's rate. ``/AudioContainers/CodecConfiguration/init(_:)`` creates the configuration.
    ///
    /// Runs on a model of Core Audio only; see Documentation/Internals/Apple.md.
    ///
    /// - Returns: `nil` for PCM, for packets of unknown duration, for a time of more than 2^62 sample frames, and if the data is not ready.
    public static func units(of sampleBuffer: CMSampleBuffer) -> [AccessUnit]? {
        guard let description = CMSampleBufferGetFormatDescription(sampleBuffer),
            let stream = CMAudioFormatDescriptionGetStreamBasicDescription(description)?.pointee, stream.mFramesPerPacket > 1,
            let rate = Int32(exactly: stream.mSampleRate), rate > 0, let data = CMSampleBufferGetDataBuffer(sampleBuffer),
            let start = MediaTime(CMSampleBufferGetPresentationTimeStamp(sampleBuffer))
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: CMBlockBufferGetDataLength(data))
        let status = bytes.withUnsafeMutableBytes { all in
            guard let base = all.baseAddress else { return noErr }
            return CMBlockBufferCopyDataBytes(data, atOffset: 0, dataLength: all.count, destination: base)
        }
        guard status == noErr, let ranges = packetRanges(of: sampleBuffer, byteCount: bytes.count) else { return nil }
        // Separates whole seconds, so that no clock time overflows.
        let (seconds, rest) = start.value.quotientAndRemainder(dividingBy: Int64(start.timescale))
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: Int64(rate))
        guard !overflow, whole.magnitude < 1 << 62 else { return nil }
        let first = whole + rest * Int64(rate) / Int64(start.timescale)
        return ranges.enumerated().map { index, range in
            AccessUnit(
                payload: Array(bytes[range]),
                presentationTime: MediaTime(value: first + Int64(index) * Int64(stream.mFramesPerPacket), timescale: rate),
                duration: Int(stream.mFramesPerPacket))
        }
    }

    /// Returns the byte ranges of a sample buffer's packets; `nil` if they are unknown or out of bounds.
    private static func packetRanges(of sampleBuffer: CMSampleBuffer, byteCount: Int) -> [Range<Int>]? {
        let count = CMSampleBufferGetNumSamples(sampleBuffer)
        var size = 0
        let stride = MemoryLayout<AudioStreamPacketDescription>.stride
        var status = CMSampleBufferGetAudioStreamPacketDescriptions(
            sampleBuffer, packetDescriptionsSize: 0, packetDescriptionsOut: nil, packetDescriptionsSizeNeededOut: &size)
        guard status == noErr, size >= count * stride else { return count == 1 && byteCount > 0 ? [0..<byteCount] : nil }
        var packets = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: size / stride)
        status = packets.withUnsafeMutableBufferPointer {
            CMSampleBufferGetAudioStreamPacketDescriptions(
                sampleBuffer, packetDescriptionsSize: size, packetDescriptionsOut: $0.baseAddress, packetDescriptionsSizeNeededOut: nil)
        }
        guard status == noErr else { return nil }
        var ranges: [Range<Int>] = []
        for packet in packets.prefix(count) {
            let (start, length) = (Int(packet.mStartOffset), Int(packet.mDataByteSize))
            guard (0...byteCount).contains(start), length <= byteCount - start else { return nil }
            ranges.append(start..<start + length)
        }
        return ranges
    }
}
#endif
