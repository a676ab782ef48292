// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioContainers
internal import AudioFiles
internal import CLinnetAudioTypes
internal import Foundation
internal import PCMFiles

extension NSError {
    /// The domain of the module's errors.
    static let avfaudioDomain = "com.apple.coreaudio.avfaudio"

    /// Creates an error of the module.
    ///
    /// - Parameters:
    ///   - code: Core Audio's status for the reason.
    ///   - text: A one-line description.
    ///   - underlying: The typed error that caused this one.
    convenience init(avfaudio code: OSStatus, _ text: String, underlying: (any Error)? = nil) {
        var information: [String: Any] = [NSLocalizedDescriptionKey: text]
        if let underlying { information[NSUnderlyingErrorKey] = underlying }
        self.init(domain: Self.avfaudioDomain, code: Int(code), userInfo: information)
    }

    /// Converts any error to an error of the module.
    convenience init(avfaudio error: any Error) {
        if let error = error as? AudioFileError {
            self.init(avfaudio: error.status, error.description, underlying: error)
        } else if let error = error as? ContainerError {
            self.init(avfaudio: kAudioFileUnsupportedDataFormatError, error.description, underlying: error)
        } else {
            let other = error as NSError
            if other.domain == Self.avfaudioDomain {
                self.init(domain: other.domain, code: other.code, userInfo: other.userInfo)
            } else {
                self.init(avfaudio: kAudioConverterErr_FormatNotSupported, String(describing: error), underlying: error)
            }
        }
    }

    /// Runs `body` and converts its errors.
    static func asAVFAudio<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw NSError(avfaudio: error) }
    }
}

extension AudioFileError {
    /// Core Audio's status for the reason.
    fileprivate var status: OSStatus {
        switch code {
        case .cannotOpen(let systemCode): openStatus(systemCode)
        case .cannotRead, .inputIsDirectory, .outputExists, .cannotWrite, .noSpace, .brokenPipe, .outputIsDirectory:
            kAudioFileUnspecifiedError
        case .unsupportedInput: kAudioFileUnsupportedFileTypeError
        case .noAccessUnits, .damagedInput: kAudioFileInvalidFileError
        case .cannotCreate(let systemCode): openStatus(systemCode)
        case .unknownExtension: kAudioFileUnsupportedFileTypeError
        case .emptyRange: kAudioFilePositionError
        case .notSeekable: kAudioFilePositionError
        default: kAudioFileUnsupportedDataFormatError
        }
    }
}

/// Returns the status for a failure to open or create a file.
///
/// As in Core Audio, a missing file has the unspecified status.
private func openStatus(_ systemCode: Int32) -> OSStatus {
    systemCode == EACCES || systemCode == EPERM ? kAudioFilePermissionsError : kAudioFileUnspecifiedError
}
#endif
