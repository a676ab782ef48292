// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Errors thrown by file input and output.
///
/// `code` is a value of the system's `errno`. The path belongs to the error that the caller makes of it.
package enum SystemFileError: Error, Hashable, Sendable {
    /// The file can't be opened.
    case cannotOpen(code: Int32)
    /// The path names a directory.
    case isDirectory
    /// Reading failed.
    case cannotRead(code: Int32)
    /// The file can only be read or written forwards.
    case notSeekable
    /// The file can't be created.
    case cannotCreate(code: Int32)
    /// A file with this name exists, and overwriting was not requested.
    case exists
    /// The output is the same file as the input.
    case isInput
    /// Writing failed.
    case cannotWrite(code: Int32)
    /// ``PartialFileRegistry/removeAll()`` was called: no output can be created or committed any more.
    case interrupted

    /// The value of `errno` that caused the error, or the closest one.
    package var systemCode: Int32 {
        switch self {
        case .cannotOpen(let code), .cannotRead(let code), .cannotCreate(let code), .cannotWrite(let code): code
        case .isDirectory: EISDIR
        case .notSeekable: ESPIPE
        case .exists, .isInput: EEXIST
        case .interrupted: EINTR
        }
    }

    /// The value of `errno` that stands for ``interrupted``.
    package static var interruptedCode: Int32 { EINTR }

    /// Returns the system's text for a value of `errno`.
    package static func text(ofCode code: Int32) -> String { String(cString: strerror(code)) }
}
