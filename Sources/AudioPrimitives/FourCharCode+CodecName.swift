// SPDX-License-Identifier: Apache-2.0

extension FourCharCode {
    /// The usual name of the audio codec with this code in MP4, QuickTime or CAF, or the quoted code if unknown.
    package var codecName: String {
        switch String(decoding: bytes, as: UTF8.self) {
        case "aac ", "aach", "aacp", "aacl", "aace", "aacf", "aacg", "paac": "AAC"
        case "usac": "xHE-AAC"
        case "alac": "ALAC"
        case ".mp3", "ms\u{0}U": "MP3"
        case ".mp1": "MPEG layer 1"
        case ".mp2": "MPEG layer 2"
        case "mpga": "MPEG audio"
        case "ac-3": "AC-3"
        case "ec-3": "E-AC-3"
        case "ac-4": "AC-4"
        case "mlpa": "TrueHD"
        case "wvpk": "WavPack"
        case "TTA1": "True Audio"
        case "dtsc", "dtsh", "dtsl", "dtse": "DTS"
        case "Opus", "opus": "Opus"
        case "fLaC", "flac": "FLAC"
        case "ilbc": "iLBC"
        case "vorb": "Vorbis"
        case "samr": "AMR"
        case "sawb": "AMR-WB"
        case "ulaw": "µ-law"
        case "alaw": "A-law"
        case "ima4": "IMA ADPCM"
        case "mha1", "mhm1": "MPEG-H"
        case "lpcm", "sowt", "twos", "raw ", "in24", "in32", "fl32", "fl64", "ipcm", "fpcm": "PCM"
        case "enca": "encrypted"
        case "drms": "FairPlay"
        case "aavd": "Audible"
        case "iamf": "IAMF"
        default: formatTagName ?? description
        }
    }

    /// Whether the code stands for encrypted audio, whatever its codec.
    package var isEncrypted: Bool { ["enca", "drms", "aavd"].contains(String(decoding: bytes, as: UTF8.self)) }
}
