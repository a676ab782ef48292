// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioDevices
internal import AudioMetadata
internal import AudioPrimitives
internal import DABPlus
internal import PCMFiles

/// A recording's bytes in a container; see ``Recorder/bytes(in:)``.
///
/// Keeps the recorder alive.
struct RecordedBytes: AsyncSequence, Sendable {
    let accessUnits: RecordedElements<AccessUnit>
    let format: AudioFileFormat

    /// Creates the iterator.
    ///
    /// Only one may be used.
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(accessUnits: accessUnits, format: format) }

    struct AsyncIterator: AsyncIteratorProtocol {
        private let recorder: Recorder
        private let format: AudioFileFormat
        private var accessUnits: RecordedElements<AccessUnit>.AsyncIterator
        private var writer: (any ContainerWriter<MemorySink>)?
        private var isFinished = false

        init(accessUnits: RecordedElements<AccessUnit>, format: AudioFileFormat) {
            recorder = accessUnits.recorder
            self.accessUnits = accessUnits.makeAsyncIterator()
            self.format = format
        }

        /// Returns the next bytes; `nil` after the end of the recording or after cancellation.
        ///
        /// - Throws: ``/AudioDevices/DeviceError`` if the recording cannot be started, was ended by an error, or does not fit the
        ///   container.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(DeviceError) -> [UInt8]? {
            guard let format = format.streamable else { throw .encoding(ContainerError.formatNotWritable(format)) }
            while !isFinished, let accessUnit = try await accessUnits.next(isolation: actor) {
                do throws(ContainerError) {
                    if writer == nil { writer = try makeWriter(format) }
                    try writer?.append(accessUnit)
                } catch {
                    throw .encoding(error)
                }
                if let bytes = writer?.sink.removeBytes(), !bytes.isEmpty { return bytes }
            }
            return try end()
        }

        private func makeWriter(_ format: AudioFileFormat) throws(ContainerError) -> (any ContainerWriter<MemorySink>)? {
            guard let recording = recorder.format else { return nil }
            var options = ContainerWriterOptions()
            options.tags.encoder = LinnetVersion.encoderTag
            options.priming = recording.primingFrames
            return try format.makeWriter(to: MemorySink(), recording.configuration, options: options, dab: nil)
        }

        /// Returns the container's trailing bytes once; `nil` without trailing bytes.
        private mutating func end() throws(DeviceError) -> [UInt8]? {
            guard !isFinished else { return nil }
            isFinished = true
            let gaplessInfo = recorder.summary.gaplessInfo
            do { try writer?.finish(gaplessInfo) } catch { throw .encoding(error) }
            guard let bytes = writer?.sink.removeBytes(), !bytes.isEmpty else { return nil }
            return bytes
        }
    }
}
