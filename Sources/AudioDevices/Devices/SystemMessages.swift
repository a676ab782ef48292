// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

#if os(Linux)
internal import CLinuxAudio
#endif

/// Texts of the system and its audio libraries for their error codes.
enum SystemMessages {
    /// Returns the text of an `errno` value, followed by the value.
    static func text(errno code: Int32) -> String {
        // Android's header says that it is never nil.
        let text: UnsafeMutablePointer<CChar>? = strerror(code)
        return (text.map { String(cString: $0) } ?? "error") + " (\(code))"
    }

    /// Returns the text of a PulseAudio error code; nil if the library isn't available.
    static func text(pulse code: Int32) -> String? {
        #if os(Linux)
        guard let functions = linnet_pulse_functions(), let text = functions.pointee.pa_strerror(code) else { return nil }
        return String(cString: text)
        #else
        return nil
        #endif
    }

    /// Returns the text of an ALSA error code; nil if the library isn't available.
    static func text(alsa code: Int32) -> String? {
        #if os(Linux)
        guard let functions = linnet_alsa_functions(), let text = functions.pointee.snd_strerror(code) else { return nil }
        return String(cString: text)
        #else
        return nil
        #endif
    }
}
