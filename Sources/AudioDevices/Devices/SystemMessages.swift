// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
internal import CLinuxAudio
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The system's words for an `errno`, and the number.
func systemMessage(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text) + " (\(code))"
}

/// PulseAudio's words for a code; nil without its library.
func pulseMessage(_ code: Int32) -> String? {
    #if os(Linux)
    guard let functions = linnet_pulse_functions(), let text = functions.pointee.pa_strerror(code) else { return nil }
    return String(cString: text)
    #else
    return nil
    #endif
}

/// ALSA's words for a code; nil without its library.
func alsaMessage(_ code: Int32) -> String? {
    #if os(Linux)
    guard let functions = linnet_alsa_functions(), let text = functions.pointee.snd_strerror(code) else { return nil }
    return String(cString: text)
    #else
    return nil
    #endif
}
