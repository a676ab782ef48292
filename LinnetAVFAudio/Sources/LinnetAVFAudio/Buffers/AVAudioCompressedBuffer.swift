// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
internal import Foundation

/// Packets of a coding in memory.
open class AVAudioCompressedBuffer: AVAudioBuffer {
    /// The number of packets that the buffer has descriptions for.
    public let packetCapacity: AVAudioPacketCount

    /// The size of the largest packet in bytes, for which the memory was made.
    public let maximumPacketSize: Int

    /// The size of the memory in bytes.
    public let byteCapacity: UInt32

    /// The packets, one after the other.
    public let data: UnsafeMutableRawPointer

    /// The offset and the length of each packet in ``data``; nil for codings whose packets have a fixed size.
    public let packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

    /// The number of packets in the buffer, at most ``packetCapacity``.
    public var packetCount: AVAudioPacketCount = 0 {
        didSet { precondition(packetCount <= packetCapacity, "packetCount \(packetCount) is beyond the capacity, \(packetCapacity)") }
    }

    /// The number of valid bytes, at most ``byteCapacity``.
    public var byteLength: UInt32 = 0 {
        didSet {
            precondition(byteLength <= byteCapacity, "byteLength \(byteLength) is beyond the capacity, \(byteCapacity)")
            filledList[0].mDataByteSize = byteLength
        }
    }

    /// Creates a buffer without packets.
    ///
    /// - Parameters:
    ///   - format: A compressed format.
    ///   - packetCapacity: The number of packets to make room for.
    ///   - maximumPacketSize: The largest packet in bytes, such as ``AVAudioConverter/maximumOutputPacketSize``.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
        precondition(maximumPacketSize > 0, "the size of a packet is positive")
        let byteCount = UInt32(exactly: Int(packetCapacity) * maximumPacketSize)
        guard let byteCount else { preconditionFailure("\(packetCapacity) packets of \(maximumPacketSize) bytes exceed 32 bits") }
        self.packetCapacity = packetCapacity
        self.maximumPacketSize = maximumPacketSize
        byteCapacity = byteCount
        data = .allocate(byteCount: max(1, Int(byteCount)), alignment: 16)
        data.initializeMemory(as: UInt8.self, repeating: 0, count: Int(byteCount))
        let isFixed = format.streamDescription.pointee.mBytesPerPacket > 0
        packetDescriptions = isFixed ? nil : .allocate(capacity: max(1, Int(packetCapacity)))
        packetDescriptions?.initialize(repeating: AudioStreamPacketDescription(), count: max(1, Int(packetCapacity)))
        super.init(format: format, bufferCount: 1)
        setMemory(0, data, byteCount: Int(byteCount), channelCount: format.channelCount)
    }

    /// Creates a buffer without packets, for a format whose packets have a fixed size.
    public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
        let size = format.streamDescription.pointee.mBytesPerPacket
        precondition(size > 0, "packets of variable size need a maximum")
        self.init(format: format, packetCapacity: packetCapacity, maximumPacketSize: Int(size))
    }

    deinit {
        data.deallocate()
        packetDescriptions?.deallocate()
    }

    /// Appends a packet; returns false if there is no room for it.
    func append(_ payload: [UInt8], frameCount: Int) -> Bool {
        guard packetCount < packetCapacity, payload.count <= Int(byteCapacity - byteLength) else { return false }
        payload.withUnsafeBytes { (data + Int(byteLength)).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(data), byteCount: $0.count) }
        packetDescriptions?[Int(packetCount)] = AudioStreamPacketDescription(
            mStartOffset: Int64(byteLength), mVariableFramesInPacket: UInt32(frameCount), mDataByteSize: UInt32(payload.count))
        packetCount += 1
        byteLength += UInt32(payload.count)
        return true
    }

    /// The bytes of each packet; those that lie outside the memory are left out.
    var packets: [[UInt8]] {
        (0..<Int(packetCount)).compactMap { index in
            let fixed = Int(format.streamDescription.pointee.mBytesPerPacket)
            var first = packetDescriptions.map { Int($0[index].mStartOffset) } ?? index * fixed
            var count = packetDescriptions.map { Int($0[index].mDataByteSize) } ?? fixed
            // One packet without a description is all there is.
            if packetCount == 1 && count == 0 { (first, count) = (0, Int(byteLength)) }
            guard first >= 0, first <= Int(byteCapacity), count > 0, count <= Int(byteCapacity) - first else { return nil }
            return [UInt8](UnsafeRawBufferPointer(start: data + first, count: count))
        }
    }
}
#endif
