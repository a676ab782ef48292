// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PCMFiles

/// The JSON form in which warnings are stored along with encoded segments.
extension PCMFileWarning {
    var json: JSONValue {
        switch self {
        case .endsEarly(let path, let declared, let found):
            .array([.string("endsEarly"), .string(path), .integer(declared), .integer(found)])
        case .continues(let path, let declared, let found):
            .array([.string("continues"), .string(path), .integer(declared), .integer(found)])
        case .damaged(let path, let accessUnits, let bytes):
            .array([.string("damaged"), .string(path), .integer(accessUnits), .integer(bytes)])
        case .skipped(let path, let bytes): .array([.string("skipped"), .string(path), .integer(bytes)])
        case .missing(let path, let frames): .array([.string("missing"), .string(path), .integer(frames)])
        case .unfinished(let path, let isCutOff): .array([.string("unfinished"), .string(path), .integer(isCutOff ? 1 : 0)])
        case .empty(let path): .array([.string("empty"), .string(path), .integer(0)])
        case .formatChange(let path, let parts, let sampleRate, let channelCount):
            .array([.string("formatChange"), .string(path)] + [parts, sampleRate, channelCount].map { .integer($0) })
        case .converted(let path, let parts, let sampleRate, let channelCount):
            .array([.string("converted"), .string(path)] + [parts, sampleRate, channelCount].map { .integer($0) })
        case .silenced(let path, let loss, let sampleRate):
            .array(
                [.string("silenced"), .string(path)]
                    + [loss.frameCount, loss.partCount, loss.firstFrame, sampleRate].map { .integer($0) })
        }
    }

    /// Parses a warning, or returns `nil` if the value is not one.
    init?(json: JSONValue) {
        guard let parts = json.elements, parts.count >= 3, let path = parts[1].text, let first = parts[2].storedCount else { return nil }
        if parts.count == 3 {
            switch parts[0].text {
            case "skipped": self = .skipped(path: path, byteCount: first)
            case "missing": self = .missing(path: path, frameCount: first)
            case "unfinished": self = .unfinished(path: path, isCutOff: first == 1)
            case "empty": self = .empty(path: path)
            default: return nil
            }
            return
        }
        guard let second = parts[3].storedCount else { return nil }
        switch (parts[0].text, parts.count) {
        case ("endsEarly", 4): self = .endsEarly(path: path, declaredFrames: first, foundFrames: second)
        case ("continues", 4): self = .continues(path: path, declaredFrames: first, foundFrames: second)
        case ("damaged", 4): self = .damaged(path: path, unitCount: first, byteCount: second)
        case ("formatChange", 5):
            guard let channelCount = parts[4].storedCount else { return nil }
            self = .formatChange(path: path, partCount: first, sampleRate: second, channelCount: channelCount)
        case ("converted", 5):
            guard let channelCount = parts[4].storedCount else { return nil }
            self = .converted(path: path, partCount: first, sampleRate: second, channelCount: channelCount)
        case ("silenced", 6):
            guard let frame = parts[4].storedCount, let sampleRate = parts[5].storedCount, sampleRate > 0 else { return nil }
            self = .silenced(path: path, loss: PCMLoss(frameCount: first, partCount: second, firstFrame: frame), sampleRate: sampleRate)
        default: return nil
        }
    }
}

extension JSONValue {
    /// A stored count of frames or bytes, or `nil` for other values and for numbers whose sums could overflow.
    var storedCount: Int? { integer.flatMap { (0..<1 << 48).contains($0) ? $0 : nil } }
}
