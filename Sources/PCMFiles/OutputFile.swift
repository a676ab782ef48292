// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
package import SystemFiles

/// An output file, pipe or device that containers and PCM are written to.
///
/// With ``Visibility/whenCommitted``, bytes go to a hidden file in the same directory, which ``commit()`` renames; without a commit it is
/// removed when the object is released. Pipes, devices and standard output (`-`) can't be renamed and are written directly.
/// An output belongs to one thread at a time.
public final class OutputFile {
    /// The time from which the file stands under its own name.
    public enum Visibility: Hashable, Sendable {
        /// The file appears when it is complete.
        case whenCommitted
        /// The file is there from the start, for recordings, which have to survive whatever ends the program.
        case immediately
    }

    private let output: FileOutput

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard output.
    ///   - overwrites: Whether an existing file is replaced.
    ///   - input: The path of the input, which must be another file; nil if there is none.
    ///   - visibility: The time from which the file stands under its own name.
    /// - Throws: ``AudioFileError`` if the file can't be created.
    public init(
        path: String, overwrites: Bool = false, input: String? = nil, visibility: Visibility = .whenCommitted
    ) throws(AudioFileError) {
        do throws(SystemFileError) {
            output = try FileOutput(
                path: path, overwrites: overwrites, input: input,
                visibility: visibility == .immediately ? .immediately : .whenCommitted)
        } catch {
            throw AudioFileError(writing: path, error)
        }
    }

    /// The path that was asked for; `standard output` for `-`.
    public var path: String { output.path }

    /// The descriptor of the file; it is closed by ``commit()``, ``discard()``, or when the object is released.
    package var descriptor: Int32 { output.file.descriptor }

    /// The path of the hidden file, until ``commit()`` gives it its name; nil for a pipe, and with ``Visibility/immediately``.
    package var partialPath: String? { output.partialPath }

    /// Bytes appended so far.
    public var byteCount: Int { output.byteCount }

    /// The file that bytes are written to.
    package var file: OpenFile { output.file }

    /// Appends bytes.
    ///
    /// - Throws: ``AudioFileError`` if not all bytes can be written.
    public func write(_ bytes: [UInt8]) throws(AudioFileError) {
        do throws(SystemFileError) { try output.write(bytes) } catch { throw AudioFileError(writing: path, error) }
    }

    /// Closes the output and gives it its name.
    ///
    /// - Throws: ``AudioFileError``; nothing is left of a hidden file then.
    public func commit() throws(AudioFileError) {
        do throws(SystemFileError) { try output.commit() } catch { throw AudioFileError(writing: path, error) }
    }

    /// Closes the output and removes the file that was created for it; does nothing after ``commit()``.
    ///
    /// With ``Visibility/immediately``, only this removes a file that wasn't there before: it stays when the object is released.
    package func discard() { output.discard() }

    /// Removes the hidden files of all outputs; from now on no output can be created or committed.
    ///
    /// For the last moments of a program that was interrupted. May be called on any thread.
    package static func discardAllPartialFiles() { PartialFileRegistry.removeAll() }
}

/// Containers write their indexes over bytes written earlier, which pipes don't allow.
extension OutputFile: ByteSink {
    /// Whether bytes written earlier can be replaced: true for regular files.
    public var canOverwrite: Bool { output.canOverwrite }

    /// Appends bytes.
    ///
    /// - Throws: ``/AudioContainers/ContainerError/outputFailed(code:)``.
    public func append(_ bytes: [UInt8]) throws(ContainerError) {
        do throws(AudioFileError) { try write(bytes) } catch { throw .outputFailed(code: error.systemCode) }
    }

    /// Replaces bytes that were appended earlier.
    ///
    /// - Throws: ``/AudioContainers/ContainerError/outputFailed(code:)``.
    public func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        do throws(SystemFileError) {
            try output.overwrite(bytes, at: offset)
        } catch {
            throw .outputFailed(code: AudioFileError(writing: path, error).systemCode)
        }
    }
}
