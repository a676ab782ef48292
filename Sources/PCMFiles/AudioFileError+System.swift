// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
internal import AudioPrimitives
package import SystemFiles
internal import SystemLibrary

// Converts system and container errors to errors of a file.
extension AudioFileError {
    /// Creates the error of a failed input operation.
    package init(reading path: String, _ error: SystemFileError) {
        let code: Code =
            switch error {
            case .cannotOpen(let code): .cannotOpen(systemCode: code)
            case .isDirectory: .inputIsDirectory
            case .cannotRead(let code): .cannotRead(systemCode: code)
            case .notSeekable: .notSeekable
            case .exists, .isInput, .interrupted: .cancelled
            case .cannotCreate(let code), .cannotWrite(let code): .cannotWrite(systemCode: code)
            }
        self.init(code, path: path)
    }

    /// Creates the error of a failed output operation.
    package init(writing path: String, _ error: SystemFileError) {
        switch error {
        case .exists: self.init(.outputExists, path: path)
        case .isDirectory: self.init(.outputIsDirectory, path: path)
        case .isInput: self.init(.outputIsInput, path: path)
        case .interrupted: self.init(.interrupted, path: path)
        case .notSeekable: self.init(.notSeekable, path: path)
        case .cannotCreate(let code), .cannotOpen(let code):
            self.init(Self.diskCode(code) ?? .cannotCreate(systemCode: code), path: path)
        case .cannotWrite(let code), .cannotRead(let code):
            self.init(Self.diskCode(code) ?? .cannotWrite(systemCode: code), path: path)
        }
    }

    /// Returns the dedicated code of an `errno` value, if any.
    private static func diskCode(_ systemCode: Int32) -> Code? {
        switch systemCode {
        case ENOSPC, EDQUOT: .noSpace
        case EPIPE: .brokenPipe
        default: nil
        }
    }

    package init(reading path: String, _ error: ContainerError) {
        switch error {
        case .inputFailed(let code): self.init(.cannotRead(systemCode: code), path: path)
        case .unsupportedCodec(let found): self.init(.unsupportedCodec(found), path: path, underlying: error)
        case .unsupportedMultiplex, .unsupportedObjectType, .codec(.unsupportedObjectType), .codec(.unsupportedMappingFamily):
            self.init(.unsupportedStream, path: path, underlying: error)
        default: self.init(.damagedInput, path: path, underlying: error)
        }
    }

    package init(writing path: String, _ error: ContainerError) {
        guard case .outputFailed(let code) = error else {
            self.init(.unsupportedContainer, path: PathName.outputName(path), underlying: error)
            return
        }
        self.init(writing: PathName.outputName(path), .cannotWrite(code: code))
    }

    /// Creates the error of a failed operation on a PCM input or output.
    init(_ error: SystemFileError, path: String) {
        switch error {
        case .cannotOpen, .isDirectory, .cannotRead, .notSeekable: self.init(reading: path, error)
        case .isInput: self.init(.outputExists, path: path)
        case .interrupted: self.init(.cannotWrite(systemCode: SystemFileError.interruptedCode), path: path)
        case .exists, .cannotCreate, .cannotWrite: self.init(writing: path, error)
        }
    }

    /// Runs `body` and converts its errors.
    package static func naming<Value>(_ path: String, _ body: () throws -> Value) throws(AudioFileError) -> Value {
        do {
            return try body()
        } catch let error as AudioFileError {
            throw error
        } catch let error as SystemFileError {
            throw AudioFileError(error, path: path)
        } catch {
            throw AudioFileError(.unexpected, path: path, underlying: error)
        }
    }

    /// Returns the error with `path`, unless it has one.
    package func named(_ path: String) -> AudioFileError {
        self.path.isEmpty ? AudioFileError(code, path: path, underlying: underlyingError) : self
    }

    package var isLibraryMissing: Bool { if case .libraryMissing = code { true } else { false } }

    /// The `errno` value of a failed write, for a container's sink.
    package var systemCode: Int32 {
        switch code {
        case .noSpace: ENOSPC
        case .brokenPipe: EPIPE
        case .cannotWrite(let code), .cannotCreate(let code): code
        default: EIO
        }
    }
}
