// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// What kind of stream or file something is.
public enum ContainerFormat: Hashable, Sendable {
    /// A file of PCM or of a lossless codec, which PCM libraries read.
    public enum PCMFile: String, Hashable, Sendable {
        /// RIFF or RF64 WAVE.
        case wave = "WAV"
        /// AIFF or AIFF-C.
        case aiff = "AIFF"
        /// FLAC.
        case flac = "FLAC"
        /// Ogg, whatever it carries.
        case ogg = "Ogg"
        /// Sun AU.
        case au = "AU"
        /// Sony Wave64.
        case wave64 = "W64"
    }

    /// AAC in frames with headers of their own.
    case adts
    /// AAC behind one header.
    case adif
    /// LATM in a LOAS sync stream.
    case loas
    /// MP4 and its kin; the brand tells M4A from 3GP and so on, `qt  ` is QuickTime.
    case mp4(brand: FourCharCode?)
    /// Core Audio Format; it can carry PCM too.
    case caf
    /// PCM, or a codec that PCM libraries read.
    case pcmFile(PCMFile)
    /// Matroska or WebM, which is not read here.
    case matroska
    /// MPEG transport stream, which is not read here.
    case transportStream
    /// MPEG layer 1 to 3, which is not read here.
    case mpegAudio
}
