// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
package import SystemFiles

/// An output file, pipe or device for containers and PCM.
///
/// With ``Visibility/whenCommitted``, bytes are written to a hidden file in the same directory. ``commit()`` renames it; otherwise it is
/// deleted when the object is released. Pipes, devices and standard output (`-`) cannot be renamed and are written directly. Use an output
/// from one thread at a time.
public final class OutputFile {
    /// When the file becomes visible under its final name.
    public enum Visibility: Hashable, Sendable {
        /// The file becomes visible when it is complete.
        case whenCommitted
        /// The file is visible from the start, for recordings that must survive a crash.
        case immediately
    }

    private let output: FileOutput

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard output.
    ///   - overwrites: Whether to replace an existing file.
    ///   - input: The input's path, which must be a different file, or `nil` for no check.
    ///   - visibility: When the file becomes visible under its final name.
    /// - Throws: ``AudioFileError`` if the file cannot be created.
    public convenience init(
        path: String, overwrites: Bool = false, input: String? = nil, visibility: Visibility = .whenCommitted
    ) throws(AudioFileError) {
        try self.init(path: path, overwrites: overwrites, inputs: input.map { [$0] } ?? [], visibility: visibility)
    }

    /// Creates an output that must be a different file than each of several inputs.
    package init(
        path: String, overwrites: Bool, inputs: [String], visibility: Visibility = .whenCommitted
    ) throws(AudioFileError) {
        do throws(SystemFileError) {
            output = try FileOutput(
                path: path, overwrites: overwrites, inputs: inputs,
                visibility: visibility == .immediately ? .immediately : .whenCommitted)
        } catch {
            throw AudioFileError(writing: path, error)
        }
    }

    /// The requested path; `standard output` for `-`.
    public var path: String { output.path }

    /// The path of the hidden file until ``commit()``, or `nil` for a pipe and with ``Visibility/immediately``.
    package var partialPath: String? { output.partialPath }

    /// The number of bytes appended so far.
    public var byteCount: Int { output.byteCount }

    /// The file being written.
    package var file: OpenFile { output.file }

    /// Appends bytes.
    ///
    /// - Throws: ``AudioFileError`` if not all bytes can be written.
    public func write(_ bytes: [UInt8]) throws(AudioFileError) {
        do throws(SystemFileError) { try output.write(bytes) } catch { throw AudioFileError(writing: path, error) }
    }

    /// Closes the output and renames the hidden file to its final name.
    ///
    /// - Throws: ``AudioFileError``; the hidden file is then deleted.
    public func commit() throws(AudioFileError) {
        do throws(SystemFileError) { try output.commit() } catch { throw AudioFileError(writing: path, error) }
    }

    /// Closes the output and deletes the file created for it.
    ///
    /// Does nothing after ``commit()``.
    ///
    /// With ``Visibility/immediately``, only this function deletes a newly created file. It remains if the object is released.
    package func discard() { output.discard() }

    /// Deletes the hidden files of all outputs.
    ///
    /// Afterwards no output can be created or committed.
    ///
    /// Call it just before an interrupted program ends, on any thread.
    package static func discardAllPartialFiles() { PartialFileRegistry.removeAll() }
}

/// Containers write their indexes over earlier bytes, which is not possible in pipes.
extension OutputFile: ByteSink {
    /// Whether earlier bytes can be replaced: true for regular files.
    public var canOverwrite: Bool { output.canOverwrite }

    /// Appends bytes.
    ///
    /// - Throws: ``/AudioContainers/ContainerError/outputFailed(code:)``.
    public func append(_ bytes: [UInt8]) throws(ContainerError) {
        do throws(AudioFileError) { try write(bytes) } catch { throw .outputFailed(code: error.systemCode) }
    }

    /// Replaces earlier bytes.
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
