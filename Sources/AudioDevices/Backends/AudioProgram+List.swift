// SPDX-License-Identifier: Apache-2.0

extension AudioProgram {
    /// Returns the programs that play audio now, sorted by name.
    ///
    /// Blocks. On Linux it includes programs that have paused a stream.
    ///
    /// - Parameter backend: The audio system; `nil` for the one that can list programs.
    /// - Throws: ``DeviceError/programAudioUnsupported(_:)`` if the system has no such list, or ``DeviceError`` if it is not available.
    package static func playing(_ backend: (any CaptureBackend)? = nil) throws(DeviceError) -> [AudioProgram] {
        #if os(Linux)
        let backend = backend ?? PulseCaptureBackend()
        guard let server = backend as? PulseCaptureBackend else { throw .programAudioUnsupported(backend.kind) }
        return try server.programs().sorted { ($0.name, $0.processID ?? 0) < ($1.name, $1.processID ?? 0) }
        #elseif os(macOS)
        CoreAudioDevices.programs().filter(\.isPlaying).map { program in
            AudioProgram(
                id: PlayedAudio.program(program.name).id, name: program.name, processID: Int(program.process), outputs: [], isCorked: false)
        }.sorted { ($0.name, $0.processID ?? 0) < ($1.name, $1.processID ?? 0) }
        #else
        throw .noBackend([])
        #endif
    }
}
