// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioPrimitives

/// The transformations of a track's frames (RFC 9559, 5.1.4.1.31).
struct ContentEncodings {
    /// The parts of a track, as bits of a transformation's scope.
    enum Part: Int {
        case frames = 1
        case codecPrivate = 2
    }

    private enum Transformation {
        /// The format of RFC 1950.
        case zlib
        /// The same first bytes of all frames, which are not stored.
        case headerStripping([UInt8])
        /// One that is not supported, with its name.
        case unsupported(FourCharCode)
    }

    /// The maximum number of transformations, and of bytes of a stripped header, so that decoding takes a bounded time.
    private static let (countLimit, headerByteLimit) = (8, 256)

    /// The transformations in the order of decoding, each with its scope.
    private var steps: [(order: Int, scope: Int, transformation: Transformation)] = []

    init() {}

    init(parsing body: ByteCursor) {
        var body = body
        while let (id, field) = body.nextElement() {
            if id == MatroskaID.contentEncoding, steps.count < Self.countLimit { add(field) }
        }
        steps.sort { $0.order > $1.order }
    }

    private mutating func add(_ body: ByteCursor) {
        var body = body
        var (order, scope, type) = (0, 1, 0)
        var compression: ByteCursor?
        while let (id, field) = body.nextElement() {
            switch id {
            case MatroskaID.encodingOrder: order = field.unsigned ?? 0
            case MatroskaID.encodingScope: scope = field.unsigned ?? 1
            case MatroskaID.encodingType: type = field.unsigned ?? 0
            case MatroskaID.compression: compression = field
            default: break
            }
        }
        var (algorithm, settings) = (0, [UInt8]())
        while let (id, field) = compression?.nextElement() {
            if id == MatroskaID.compressionAlgorithm { algorithm = field.unsigned ?? 0 }
            if id == MatroskaID.compressionSettings { settings = field.contents }
        }
        let transformation: Transformation =
            switch (type, algorithm) {
            case (0, 0): .zlib
            case (0, 1): .unsupported("bz2 ")
            case (0, 2): .unsupported("lzo ")
            case (0, 3) where settings.count <= Self.headerByteLimit: .headerStripping(settings)
            case (0, _): .unsupported("comp")
            default: .unsupported("enca")
            }
        steps.append((order, scope, transformation))
    }

    func isApplied(to part: Part) -> Bool { steps.contains { $0.scope & part.rawValue != 0 } }

    /// The code of a transformation that is not supported, if any; that of encryption is `enca`.
    var unsupported: FourCharCode? {
        for step in steps { if case .unsupported(let code) = step.transformation { return code } }
        return nil
    }

    /// Returns decoded bytes, or `nil` if they are damaged.
    func decode(_ bytes: [UInt8], _ part: Part = .codecPrivate) -> [UInt8]? {
        var bytes = bytes
        for step in steps where step.scope & part.rawValue != 0 {
            switch step.transformation {
            case .zlib:
                guard let inflated = Inflater.inflate(zlib: bytes) else { return nil }
                bytes = inflated
            case .headerStripping(let header): bytes = header + bytes
            case .unsupported: return nil
            }
        }
        return bytes
    }
}
#endif
