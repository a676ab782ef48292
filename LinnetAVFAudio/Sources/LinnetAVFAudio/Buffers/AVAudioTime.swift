// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
public import Foundation

/// A time in samples, on the host clock, or both.
///
/// Host times are nanoseconds of the system's monotonic clock.
open class AVAudioTime: NSObject, @unchecked Sendable {
    /// The time stamp, with flags for its valid fields.
    public let audioTimeStamp: AudioTimeStamp

    /// The rate of ``sampleTime``, in hertz; 0 without a sample time.
    public let sampleRate: Double

    /// Creates a time from a time stamp.
    public init(audioTimeStamp: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
        self.audioTimeStamp = audioTimeStamp.pointee
        self.sampleRate = sampleRate
    }

    /// Creates a time on the host clock.
    public convenience init(hostTime: UInt64) { self.init(host: hostTime, sample: nil, sampleRate: 0) }

    /// Creates a time in samples.
    public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        self.init(host: nil, sample: sampleTime, sampleRate: sampleRate)
    }

    /// Creates a time in samples and on the host clock.
    public convenience init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        self.init(host: hostTime, sample: sampleTime, sampleRate: sampleRate)
    }

    /// Creates a time from the available values.
    convenience init(host: UInt64?, sample: AVAudioFramePosition?, sampleRate: Double) {
        var stamp = AudioTimeStamp()
        if let host {
            stamp.mHostTime = host
            stamp.mFlags.insert(.hostTimeValid)
        }
        if let sample {
            stamp.mSampleTime = Double(sample)
            stamp.mFlags.insert(.sampleTimeValid)
        }
        self.init(audioTimeStamp: &stamp, sampleRate: sampleRate)
    }

    /// Converts seconds to host time.
    public class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 { UInt64(clamping: seconds * 1e9) }

    /// Converts host time to seconds.
    public class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

    /// Whether ``hostTime`` is valid.
    public var isHostTimeValid: Bool { audioTimeStamp.mFlags.contains(.hostTimeValid) }

    /// The host time; `nil` if invalid.
    var validHostTime: UInt64? { isHostTimeValid ? hostTime : nil }

    /// The time on the host clock, in nanoseconds.
    public var hostTime: UInt64 { audioTimeStamp.mHostTime }

    /// Whether ``sampleTime`` is valid.
    public var isSampleTimeValid: Bool { audioTimeStamp.mFlags.contains(.sampleTimeValid) }

    /// The time in samples.
    public var sampleTime: AVAudioFramePosition { AVAudioFramePosition(clamping: audioTimeStamp.mSampleTime) }

    /// Returns this time with the missing field computed from a time that has both; `nil` if the anchor lacks one.
    ///
    /// - Parameter anchorTime: A time in samples and on the host clock.
    public func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
        if isHostTimeValid && isSampleTimeValid { return self }
        guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid, anchorTime.sampleRate > 0 else { return nil }
        let rate = anchorTime.sampleRate
        if isSampleTimeValid {
            let frames = (Double(sampleTime) - Double(anchorTime.sampleTime)) / (sampleRate > 0 ? sampleRate : rate)
            let host = Double(anchorTime.hostTime) + frames * 1e9
            return AVAudioTime(hostTime: UInt64(clamping: host), sampleTime: sampleTime, atRate: sampleRate)
        }
        guard isHostTimeValid else { return nil }
        let elapsed = (Double(hostTime) - Double(anchorTime.hostTime)) / 1e9
        let sample = AVAudioFramePosition(clamping: Double(anchorTime.sampleTime) + elapsed * rate)
        return AVAudioTime(hostTime: hostTime, sampleTime: sample, atRate: rate)
    }

    /// A description of the valid fields.
    open override var description: String {
        let sample = isSampleTimeValid ? "\(sampleTime)/\(sampleRate)" : "-"
        return "<AVAudioTime: \(isHostTimeValid ? "\(hostTime)" : "-") ns, \(sample)>"
    }
}

extension FixedWidthInteger {
    /// Creates the nearest integer; 0 for NaN.
    init(clamping number: Double) {
        let rounded = number.rounded()
        self = number.isNaN ? 0 : Self(exactly: rounded) ?? (rounded < 0 ? .min : .max)
    }
}
#endif
