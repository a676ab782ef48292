// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What stops an output from being written.
///
/// `code` is a number of `errno`.
public enum OutputError: Error, Hashable, Sendable {
    /// Something with this name exists, and overwriting was not asked for.
    case exists(path: String)
    /// The path names a folder.
    case isFolder(path: String)
    /// Input and output are the same file.
    case isInput(path: String)
    /// The file can't be made.
    case cannotCreate(path: String, code: Int32)
    /// The disk or the quota is full.
    case noSpace(path: String)
    /// Nobody reads the pipe any more.
    case readerGone(path: String)
    /// Writing stopped with another error of the system.
    case cannotWrite(path: String, code: Int32)
    /// The whole program is being ended, and new files would be left behind.
    case interrupted

    /// The error of a failed write.
    package init(writing path: String, code: Int32) {
        switch code {
        case ENOSPC, EDQUOT: self = .noSpace(path: path)
        case EPIPE: self = .readerGone(path: path)
        default: self = .cannotWrite(path: path, code: code)
        }
    }
}

extension OutputError: CustomStringConvertible {
    /// One line: what could not be written, why, and the way out where there is one.
    public var description: String {
        switch self {
        case .exists(let path): "\(path) exists already"
        case .isFolder(let path): "\(path) is a folder, not a file"
        case .isInput(let path): "\(path) is the input; choose another name for the output"
        case .cannotCreate(let path, let code): "can't make \(path): \(String(cString: strerror(code)))"
        case .noSpace(let path): "no space left for \(path); nothing was kept"
        case .readerGone(let path): "nobody reads \(path) any more"
        case .cannotWrite(let path, let code): "can't write \(path): \(String(cString: strerror(code)))"
        case .interrupted: "interrupted"
        }
    }
}
