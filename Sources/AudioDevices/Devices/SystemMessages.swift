// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

#if os(Linux)
internal import CLinuxAudio
#endif

/// Error texts of the system and its audio libraries.
enum SystemMessages {
    /// Returns the text of an `errno` value, followed by the value.
    static func text(errno code: Int32) -> String {
        // Android's header declares it as never nil.
        let text: UnsafeMutablePointer<CChar>? = strerror(code)
        return (text.map { String(cString: $0) } ?? "error") + " (\(code))"
    }

    /// Returns the text of a backend library's error code, if available.
    static func text(_ code: Int32, of backend: AudioBackendKind) -> String? {
        #if os(Linux)
        let isALSA = backend == .alsa
        let text = isALSA ? linnet_alsa_functions()?.pointee.snd_strerror(code) : linnet_pulse_functions()?.pointee.pa_strerror(code)
        return text.flatMap { $0 }.map { String(cString: $0) }
        #else
        return nil
        #endif
    }
}
