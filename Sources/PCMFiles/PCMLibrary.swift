// SPDX-License-Identifier: Apache-2.0

/// A library that is loaded on first use, on Linux only.
///
/// Apple platforms have system frameworks instead.
public enum PCMLibrary: String, Hashable, Sendable {
    /// Reads Ogg Vorbis, AU, compressed WAV, AIFF and CAF, and more.
    case sndfile = "libsndfile"
    /// Reads and writes FLAC.
    case flac = "libFLAC"
    /// Reads MP3.
    case mpg123 = "libmpg123"

    /// The Debian package that contains it.
    package var package: String {
        switch self {
        case .sndfile: "libsndfile1"
        case .flac: "libflac12"
        case .mpg123: "libmpg123-0"
        }
    }
}
