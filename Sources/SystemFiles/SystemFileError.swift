// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Errors of file input and output.
///
/// `code` is a value of `errno`. Callers add the path when they convert the error.
package enum SystemFileError: Error, Hashable, Sendable {
    case cannotOpen(code: Int32)
    /// The path names a directory.
    case isDirectory
    /// A read failed.
    case cannotRead(code: Int32)
    case notSeekable
    case cannotCreate(code: Int32)
    /// The file exists, and overwriting was not requested.
    case exists
    /// The output is the same file as the input.
    case isInput
    /// A write failed.
    case cannotWrite(code: Int32)
    /// ``PartialFileRegistry/removeAll()`` was called. No output can be created or committed any more.
    case interrupted

    /// The `errno` value that caused the error, or the closest one.
    package var systemCode: Int32 {
        switch self {
        case .cannotOpen(let code), .cannotRead(let code), .cannotCreate(let code), .cannotWrite(let code): code
        case .isDirectory: EISDIR
        case .notSeekable: ESPIPE
        case .exists, .isInput: EEXIST
        case .interrupted: EINTR
        }
    }

    /// The `errno` value for ``interrupted``.
    package static var interruptedCode: Int32 { EINTR }

    /// Returns the system's description of an `errno` value.
    package static func text(ofCode code: Int32) -> String { String(cString: strerror(code)) }
}
