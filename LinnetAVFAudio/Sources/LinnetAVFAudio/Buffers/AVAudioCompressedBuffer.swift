// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
internal import Foundation

/// Encoded packets in memory.
open class AVAudioCompressedBuffer: AVAudioBuffer {
    /// The maximum number of packets.
    public let packetCapacity: AVAudioPacketCount

    /// The maximum packet size, in bytes, that the memory was allocated for.
    public let maximumPacketSize: Int

    /// The size of the memory, in bytes.
    public let byteCapacity: UInt32

    /// The consecutive packets.
    public let data: UnsafeMutableRawPointer

    /// The offset and length of each packet in ``data``; `nil` for codecs with packets of fixed size.
    public let packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

    /// The number of packets in the buffer, at most ``packetCapacity``.
    public var packetCount: AVAudioPacketCount = 0 {
        didSet { precondition(packetCount <= packetCapacity, "packetCount \(packetCount) exceeds the capacity, \(packetCapacity)") }
    }

    /// The number of valid bytes, at most ``byteCapacity``.
    public var byteLength: UInt32 = 0 {
        didSet {
            precondition(byteLength <= byteCapacity, "byteLength \(byteLength) exceeds the capacity, \(byteCapacity)")
            filledList[0].mDataByteSize = byteLength
        }
    }

    /// Creates an empty buffer.
    ///
    /// - Parameters:
    ///   - format: A compressed format.
    ///   - packetCapacity: The maximum number of packets.
    ///   - maximumPacketSize: The maximum packet size in bytes, such as ``AVAudioConverter/maximumOutputPacketSize``.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
        precondition(maximumPacketSize > 0, "the packet size must be positive")
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

    /// Creates an empty buffer for a format with packets of fixed size.
    public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
        let size = format.streamDescription.pointee.mBytesPerPacket
        precondition(size > 0, "packets of variable size require a maximum size")
        self.init(format: format, packetCapacity: packetCapacity, maximumPacketSize: Int(size))
    }

    deinit {
        data.deallocate()
        packetDescriptions?.deallocate()
    }

    /// Appends a packet.
    ///
    /// Returns whether it fits.
    func append(_ payload: [UInt8], frameCount: Int) -> Bool {
        guard packetCount < packetCapacity, payload.count <= Int(byteCapacity - byteLength) else { return false }
        payload.withUnsafeBytes { (data + Int(byteLength)).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(data), byteCount: $0.count) }
        packetDescriptions?[Int(packetCount)] = AudioStreamPacketDescription(
            mStartOffset: Int64(byteLength), mVariableFramesInPacket: UInt32(frameCount), mDataByteSize: UInt32(payload.count))
        packetCount += 1
        byteLength += UInt32(payload.count)
        return true
    }

    /// The bytes of each packet.
    ///
    /// Omits packets outside the memory.
    var packets: [[UInt8]] {
        (0..<Int(packetCount)).compactMap { index in
            let fixed = Int(format.streamDescription.pointee.mBytesPerPacket)
            var first = packetDescriptions.map { Int($0[index].mStartOffset) } ?? index * fixed
            var count = packetDescriptions.map { Int($0[index].mDataByteSize) } ?? fixed
            // A single packet without description spans all bytes.
            if packetCount == 1 && count == 0 { (first, count) = (0, Int(byteLength)) }
            guard first >= 0, first <= Int(byteCapacity), count > 0, count <= Int(byteCapacity) - first else { return nil }
            return [UInt8](UnsafeRawBufferPointer(start: data + first, count: count))
        }
    }
}
#endif
