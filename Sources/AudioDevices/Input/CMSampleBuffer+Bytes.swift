// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
package import AudioPrimitives
package import CoreAudio
package import CoreMedia

extension StreamDescription {
    /// Returns the Core Media description; `nil` if Core Media rejects the format.
    ///
    /// - Parameter magicCookie: The codec configuration; empty for PCM.
    package func cmFormatDescription(magicCookie: [UInt8]) -> CMAudioFormatDescription? {
        var description: CMAudioFormatDescription?
        let stream = audioStreamBasicDescription
        let status = magicCookie.withUnsafeBytes { cookie in
            withUnsafePointer(to: stream) {
                CMAudioFormatDescriptionCreate(
                    allocator: nil, asbd: $0, layoutSize: 0, layout: nil, magicCookieSize: cookie.count,
                    magicCookie: cookie.isEmpty ? nil : cookie.baseAddress, extensions: nil, formatDescriptionOut: &description)
            }
        }
        return status == noErr ? description : nil
    }
}

extension CMSampleBuffer {
    /// Creates a sample buffer with a copy of the bytes; `nil` if Core Media rejects it.
    ///
    /// - Parameters:
    ///   - sampleCount: The number of PCM frames or of packets.
    ///   - time: The first sample's presentation time.
    ///   - packets: The positions of the packets in the bytes; empty for PCM.
    package static func ready(
        _ bytes: [UInt8], _ format: CMAudioFormatDescription, sampleCount: Int, at time: MediaTime,
        packets: [AudioStreamPacketDescription] = []
    ) -> CMSampleBuffer? {
        guard sampleCount > 0, !bytes.isEmpty else { return nil }
        var block: CMBlockBuffer?
        var status = CMBlockBufferCreateWithMemoryBlock(
            allocator: nil, memoryBlock: nil, blockLength: bytes.count, blockAllocator: nil, customBlockSource: nil, offsetToData: 0,
            dataLength: bytes.count, flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
        guard status == noErr, let block else { return nil }
        status = bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return noErr }
            return CMBlockBufferReplaceDataBytes(with: base, blockBuffer: block, offsetIntoDestination: 0, dataLength: all.count)
        }
        guard status == noErr else { return nil }
        var result: CMSampleBuffer?
        status = packets.withUnsafeBufferPointer {
            CMAudioSampleBufferCreateReadyWithPacketDescriptions(
                allocator: nil, dataBuffer: block, formatDescription: format, sampleCount: sampleCount, presentationTimeStamp: time.cmTime,
                packetDescriptions: $0.isEmpty ? nil : $0.baseAddress, sampleBufferOut: &result)
        }
        return status == noErr ? result : nil
    }

    /// Calls a closure with the buffers, which are valid only until it returns.
    ///
    /// - Returns: The closure's result; `nil` if the data is not ready.
    func withAudioBuffers<Result>(_ body: (UnsafeMutableAudioBufferListPointer) -> Result) -> Result? {
        var size = 0
        // The first call returns the size of the list.
        guard
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                self, bufferListSizeNeededOut: &size, bufferListOut: nil, bufferListSize: 0, blockBufferAllocator: nil,
                blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil) == noErr,
            size >= MemoryLayout<AudioBufferList>.size
        else { return nil }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<AudioBufferList>.alignment)
        defer { memory.deallocate() }
        let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
        var block: CMBlockBuffer?
        guard
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                self, bufferListSizeNeededOut: nil, bufferListOut: list, bufferListSize: size, blockBufferAllocator: nil,
                blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: &block) == noErr
        else { return nil }
        return withExtendedLifetime(block) { body(UnsafeMutableAudioBufferListPointer(list)) }
    }
}
#endif
