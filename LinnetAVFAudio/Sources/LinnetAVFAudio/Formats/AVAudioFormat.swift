// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
public import Foundation
internal import Synchronization

/// The format of audio in a buffer, file or stream.
open class AVAudioFormat: NSObject, @unchecked Sendable {
    private let storage: UnsafeMutablePointer<AudioStreamBasicDescription>
    private let cookie = Mutex<Data?>(nil)

    /// The channel layout.
    ///
    /// Never `nil` for more than two channels.
    public let channelLayout: AVAudioChannelLayout?

    /// Creates a format without validation.
    init(unchecked description: AudioStreamBasicDescription, channelLayout: AVAudioChannelLayout?) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: description)
        self.channelLayout = channelLayout
    }

    deinit { storage.deallocate() }

    /// Creates a format from a description; `nil` for more than two channels, which require a layout.
    public convenience init?(streamDescription: UnsafePointer<AudioStreamBasicDescription>) {
        self.init(streamDescription: streamDescription, channelLayout: nil)
    }

    /// Creates a format from a description and a layout.
    ///
    /// - Parameters:
    ///   - streamDescription: The stream format. Its sample format determines ``commonFormat``.
    ///   - channelLayout: The channel layout, required for more than two channels.
    public init?(streamDescription: UnsafePointer<AudioStreamBasicDescription>, channelLayout: AVAudioChannelLayout?) {
        let description = streamDescription.pointee
        let count = description.mChannelsPerFrame
        guard count > 0, count <= 2 || channelLayout != nil, channelLayout.map({ $0.channelCount == count }) ?? true else { return nil }
        storage = .allocate(capacity: 1)
        storage.initialize(to: description)
        self.channelLayout = channelLayout
    }

    /// Creates the standard format, deinterleaved 32-bit floating point; `nil` for more than two channels.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// Creates the standard format, deinterleaved 32-bit floating point.
    public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
    }

    /// Creates a PCM format; `nil` for more than two channels and for ``AVAudioCommonFormat/otherFormat``.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
    ) {
        guard (1...2).contains(channels), format != .otherFormat else { return nil }
        self.init(
            unchecked: AudioStreamBasicDescription(format, sampleRate: sampleRate, channelCount: channels, isInterleaved: interleaved),
            channelLayout: nil)
    }

    /// Creates a PCM format.
    public convenience init(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool, channelLayout layout: AVAudioChannelLayout
    ) {
        self.init(
            unchecked: AudioStreamBasicDescription(
                format, sampleRate: sampleRate, channelCount: layout.channelCount, isInterleaved: interleaved),
            channelLayout: layout)
    }

    // MARK: Properties

    /// The stream description, valid as long as this object exists.
    public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { UnsafePointer(storage) }

    /// The sample rate, in hertz.
    public var sampleRate: Double { storage.pointee.mSampleRate }

    /// The channel count.
    public var channelCount: AVAudioChannelCount { storage.pointee.mChannelsPerFrame }

    /// The sample format in memory.
    public var commonFormat: AVAudioCommonFormat { AVAudioCommonFormat(storage.pointee) }

    /// Whether samples are interleaved.
    ///
    /// For mono, as in the description.
    public var isInterleaved: Bool {
        storage.pointee.mFormatID != kAudioFormatLinearPCM || storage.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
    }

    /// Whether this is the standard format, deinterleaved 32-bit floating point.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

    /// The magic cookie of a compressed format, which a decoder needs.
    public var magicCookie: Data? {
        get { cookie.withLock { $0 } }
        set { cookie.withLock { $0 = newValue } }
    }

    /// The format as a settings dictionary.
    public var settings: [String: Any] {
        let description = storage.pointee
        var result: [String: Any] = [
            AVFormatIDKey: NSNumber(value: description.mFormatID), AVSampleRateKey: NSNumber(value: description.mSampleRate),
            AVNumberOfChannelsKey: NSNumber(value: description.mChannelsPerFrame),
        ]
        if description.mFormatID == kAudioFormatLinearPCM {
            let flags = description.mFormatFlags
            result[AVLinearPCMBitDepthKey] = NSNumber(value: description.mBitsPerChannel)
            result[AVLinearPCMIsFloatKey] = NSNumber(value: flags & kAudioFormatFlagIsFloat != 0)
            result[AVLinearPCMIsBigEndianKey] = NSNumber(value: flags & kAudioFormatFlagIsBigEndian != 0)
            result[AVLinearPCMIsNonInterleaved] = NSNumber(value: flags & kAudioFormatFlagIsNonInterleaved != 0)
        }
        if let channelLayout { result[AVChannelLayoutKey] = channelLayout.data }
        return result
    }

    /// Compares sample rate, codec, sample format and channels.
    ///
    /// Mono and stereo are equal with and without their layout.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        return other === self || storage.pointee.isSame(as: other.storage.pointee) && effectiveLayoutTag == other.effectiveLayoutTag
    }

    /// Whether buffers of this format are valid for another one: the formats are equal, or differ only in whether mono is called
    /// interleaved.
    func hasMemoryLayout(of other: AVAudioFormat) -> Bool {
        if self == other { return true }
        var (mine, theirs) = (storage.pointee, other.storage.pointee)
        guard mine.mChannelsPerFrame == 1, mine.isLinearPCM else { return false }
        mine.mFormatFlags |= kAudioFormatFlagIsNonInterleaved
        theirs.mFormatFlags |= kAudioFormatFlagIsNonInterleaved
        return mine.isSame(as: theirs)
    }

    /// The tag of the layout, or the default tag for mono and stereo.
    private var effectiveLayoutTag: AudioChannelLayoutTag {
        if let channelLayout { return channelLayout.layoutTag }
        return channelCount == 1 ? kAudioChannelLayoutTag_Mono : channelCount == 2 ? kAudioChannelLayoutTag_Stereo : 0
    }

    /// A hash value that equal formats share.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(sampleRate)
        hasher.combine(storage.pointee.mFormatID)
        hasher.combine(channelCount)
        return hasher.finalize()
    }

    /// The channel count, sample rate and sample format.
    open override var description: String {
        let samples =
            switch commonFormat {
            case .pcmFormatFloat32: "Float32"
            case .pcmFormatFloat64: "Float64"
            case .pcmFormatInt16: "Int16"
            case .pcmFormatInt32: "Int32"
            case .otherFormat: storage.pointee.formatName
            }
        let order = commonFormat == .otherFormat ? "" : isInterleaved ? ", interleaved" : ", deinterleaved"
        return
            "<AVAudioFormat: \(channelCount) ch, \(Int(exactly: sampleRate).map(String.init) ?? String(sampleRate)) Hz, \(samples)\(order)>"
    }
}
#endif
