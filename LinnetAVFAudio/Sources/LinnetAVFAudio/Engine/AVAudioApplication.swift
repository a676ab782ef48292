// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The program's permission to record, which is always granted because this system does not ask.
public final class AVAudioApplication: NSObject, Sendable {
    /// A state of the permission.
    public enum RecordPermission: Int, Sendable {
        /// Not requested yet.
        case undetermined
        /// Denied by the user.
        case denied
        /// Granted by the user.
        case granted
    }

    /// The running program.
    public static let shared = AVAudioApplication()

    /// Always `granted`.
    public var recordPermission: RecordPermission { .granted }

    /// Returns true.
    public class func requestRecordPermission() async -> Bool { true }

    /// Calls `response` with true.
    public class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) { response(true) }
}
#endif
