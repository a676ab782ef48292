// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AVFAudio
#endif

/// The permission of this program to record.
///
/// On Apple's systems the user gives it; elsewhere it is always granted. Capture asks by itself when it starts, so that a program needs this
/// only to ask earlier, or to explain a denial.
public enum RecordPermission: String, Hashable, Sendable, CaseIterable {
    /// The user has not been asked.
    case undetermined
    /// The user or an administrator has denied it: the system would deliver silence.
    case denied
    /// The user has granted it.
    case granted

    /// The current permission; any thread.
    public static var current: RecordPermission {
        #if canImport(Darwin)
        switch AVAudioApplication.shared.recordPermission {
        case .granted: .granted
        case .denied: .denied
        default: .undetermined
        }
        #else
        .granted
        #endif
    }

    /// Asks the user if that was not done, and returns the answer.
    ///
    /// On Apple's systems Info.plist must have `NSMicrophoneUsageDescription`: without it, the system ends an app that asks. A command that
    /// was started through SSH may wait for ever, because no one sees the question.
    public static func request() async -> RecordPermission {
        #if canImport(Darwin)
        await withCheckedContinuation { continuation in
            AVAudioApplication.requestRecordPermission { continuation.resume(returning: $0 ? .granted : .denied) }
        }
        #else
        .granted
        #endif
    }
}
