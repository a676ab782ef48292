// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
public import Foundation

/// The channel layout of a format.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
    /// The bytes of the layout, including all descriptions.
    private let storage: UnsafeMutableRawPointer
    private let byteCount: Int

    /// Creates the layout of a tag.
    ///
    /// - Parameter layoutTag: A tag that contains the channel count. Tags that refer to descriptions or a bitmap return `nil`.
    public convenience init?(layoutTag: AudioChannelLayoutTag) {
        switch layoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions, kAudioChannelLayoutTag_UseChannelBitmap: return nil
        default: break
        }
        guard layoutTag & 0xFFFF > 0 else { return nil }
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = layoutTag
        self.init(layout: &layout)
    }

    /// Copies a layout.
    ///
    /// - Parameter layout: A layout with as many descriptions as its count.
    public init(layout: UnsafePointer<AudioChannelLayout>) {
        let extra = max(0, Int(layout.pointee.mNumberChannelDescriptions) - 1)
        byteCount = MemoryLayout<AudioChannelLayout>.size + extra * MemoryLayout<AudioChannelDescription>.stride
        storage = .allocate(byteCount: byteCount, alignment: MemoryLayout<AudioChannelLayout>.alignment)
        storage.copyMemory(from: layout, byteCount: byteCount)
    }

    deinit { storage.deallocate() }

    /// The layout, valid as long as this object exists.
    public var layout: UnsafePointer<AudioChannelLayout> {
        UnsafePointer(storage.assumingMemoryBound(to: AudioChannelLayout.self))
    }

    /// The tag of the layout.
    public var layoutTag: AudioChannelLayoutTag { layout.pointee.mChannelLayoutTag }

    /// The channel count.
    public var channelCount: AVAudioChannelCount {
        switch layoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: layout.pointee.mNumberChannelDescriptions
        case kAudioChannelLayoutTag_UseChannelBitmap: AVAudioChannelCount(layout.pointee.mChannelBitmap.rawValue.nonzeroBitCount)
        default: layoutTag & 0xFFFF
        }
    }

    /// The bytes of the layout, for a settings dictionary.
    var data: Data { Data(bytes: storage, count: byteCount) }

    /// Creates a layout from the bytes of a settings dictionary; `nil` if there are too few.
    convenience init?(data: Data) {
        let size = MemoryLayout<AudioChannelLayout>.size
        let aligned = UnsafeMutableRawPointer.allocate(
            byteCount: max(data.count, size), alignment: MemoryLayout<AudioChannelLayout>.alignment)
        defer { aligned.deallocate() }
        // A layout without descriptions may omit the space of one.
        guard data.count >= size - MemoryLayout<AudioChannelDescription>.size else { return nil }
        aligned.initializeMemory(as: UInt8.self, repeating: 0, count: max(data.count, size))
        data.copyBytes(to: UnsafeMutableRawBufferPointer(start: aligned, count: data.count))
        let layout = aligned.assumingMemoryBound(to: AudioChannelLayout.self)
        let extra = max(0, Int(layout.pointee.mNumberChannelDescriptions) - 1)
        guard extra == 0 || data.count >= size + extra * MemoryLayout<AudioChannelDescription>.stride else { return nil }
        self.init(layout: layout)
    }

    /// Compares tag, bitmap and descriptions.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioChannelLayout else { return false }
        if layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions, layoutTag != kAudioChannelLayoutTag_UseChannelBitmap {
            return layoutTag == other.layoutTag
        }
        return data == other.data
    }

    /// A hash value that equal layouts share.
    open override var hash: Int { Int(layoutTag) }

    /// The tag and the channel count.
    open override var description: String { "<AVAudioChannelLayout: tag 0x\(String(layoutTag, radix: 16)), \(channelCount) ch>" }
}
#endif
