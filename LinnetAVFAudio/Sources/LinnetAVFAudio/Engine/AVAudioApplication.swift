// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The program's permission to record, which this system doesn't ask for: it is always granted.
public final class AVAudioApplication: NSObject, Sendable {
    /// An answer to the question for permission.
    public enum RecordPermission: Int, Sendable {
        /// Not asked yet.
        case undetermined
        /// Refused.
        case denied
        /// Given.
        case granted
    }

    /// The program.
    public static let shared = AVAudioApplication()

    /// Granted.
    public var recordPermission: RecordPermission { .granted }

    /// Returns true.
    public class func requestRecordPermission() async -> Bool { true }

    /// Calls a function with true.
    public class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) { response(true) }
}
#endif
