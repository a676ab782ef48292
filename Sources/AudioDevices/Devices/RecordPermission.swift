// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AVFAudio
#endif

/// This program's permission to record.
///
/// On Apple systems the user grants it; elsewhere it is always granted. A starting capture requests it automatically, so a program needs
/// this type only to request it earlier or to explain a denial.
public enum RecordPermission: String, Hashable, Sendable, CaseIterable {
    /// The user has not been asked.
    case undetermined
    /// Denied by the user or an administrator. The system would deliver silence.
    case denied
    /// Granted by the user.
    case granted

    /// The current permission.
    ///
    /// Safe on any thread.
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

    /// Asks the user if necessary, and returns the answer.
    ///
    /// On Apple systems Info.plist must contain `NSMicrophoneUsageDescription`, otherwise the system terminates the app. A command started
    /// through SSH may wait forever, because no user sees the prompt.
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
