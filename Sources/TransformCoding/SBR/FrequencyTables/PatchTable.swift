// SPDX-License-Identifier: Apache-2.0

/// The patches: ranges of high subbands that are copied from low subbands (ISO/IEC 14496-3:2009, 4.6.18.6.3, Figure 4.48).
package struct PatchTable: Equatable, Sendable {
    /// The maximum number of patches in AAC (ISO/IEC 14496-3:2009, 4.6.18.3.6), which encoders must observe.
    ///
    /// Streams with 6, as enhanced SBR permits, are in use, and other decoders accept them.
    package static let standardCount = 5

    /// `numPatches`, at most 6.
    package private(set) var count = 0
    /// `patchStartSubband`.
    private var starts = SIMD8<UInt8>(repeating: 0)
    /// `patchNumSubbands`.
    private var widths = SIMD8<UInt8>(repeating: 0)
    /// The first subband that each patch fills.
    private var targets = SIMD8<UInt8>(repeating: 0)

    /// Returns `patchStartSubband`, the first source subband of a patch.
    package func start(of patch: Int) -> Int { Int(starts[patch]) }
    /// Returns `patchNumSubbands`, the number of subbands of a patch.
    package func width(of patch: Int) -> Int { Int(widths[patch]) }
    /// Returns the first subband that a patch fills.
    package func target(of patch: Int) -> Int { Int(targets[patch]) }

    /// The range of subbands that patches copy, all below 32.
    package var sources: Range<Int> {
        var first = 32
        var end = 1
        for patch in 0..<count {
            first = min(first, start(of: patch))
            end = max(end, start(of: patch) + width(of: patch))
        }
        return min(first, 31)..<min(max(end, first + 1), 32)
    }

    /// `kx` + `M`, the end of the high band, even if no patch reaches it.
    package let top: Int

    /// Creates a table without patches, as a placeholder.
    package init() { top = 0 }

    /// Creates the ranges of the harmonic transposer.
    ///
    /// Limiter bands need only their boundaries (ISO/IEC 23003-3, 7.5).
    ///
    /// - Parameters:
    ///   - targets: The first subbands of at most 6 ranges.
    ///   - top: `kx` + `M`.
    package init(targets: SIMD8<UInt8>, count: Int, top: Int) {
        self.targets = targets
        self.count = count
        self.top = top
    }

    /// Builds the patches with the flow chart of Figure 4.48; `nil` if it does not terminate or violates a limit.
    ///
    /// - Parameters:
    ///   - startSubband: `k0`.
    ///   - crossover: `kx`.
    ///   - top: `kx` + `M`.
    ///   - rate: The SBR sample rate, in hertz.
    package init?(master: BandBoundaries, startSubband: Int, crossover: Int, top: Int, rate: Int) {
        self.top = top
        // goalSb = NINT(2.048e6 / fs).
        let goal = (2 * 2_048_000 + rate) / (2 * rate)
        var limit = master.count
        if goal < top {
            limit = 0
            while limit < master.count && master[limit] < goal { limit += 1 }
        }
        var middle = startSubband
        var upper = crossover
        var boundary = -1
        var rounds = 0
        while boundary != top {
            rounds += 1
            guard rounds <= 64 else { return nil }
            var index = limit
            var odd = 0
            repeat {
                guard index >= 0 else { return nil }
                boundary = master[index]
                odd = (boundary - 2 + startSubband) & 1
                index -= 1
            } while boundary > startSubband - 1 + middle - odd

            let width = max(boundary - upper, 0)
            if width > 0 {
                guard count < 6, append(start: startSubband - odd - width, width: width, target: upper) else { return nil }
                upper = boundary
                middle = boundary
            } else {
                middle = crossover
            }
            if master[limit] - boundary < 3 { limit = master.count }
        }
        if count > 1 && widths[count - 1] < 3 { count -= 1 }
        guard count > 0 else { return nil }
    }

    /// Appends a patch.
    ///
    /// Not inlined for the same reason as ``BandBoundaries/append(_:)``.
    ///
    /// - Returns: Whether its source is within the low band.
    @inline(never)
    private mutating func append(start: Int, width: Int, target: Int) -> Bool {
        guard start >= 1 else { return false }
        starts[count] = UInt8(start)
        widths[count] = UInt8(width)
        targets[count] = UInt8(target)
        count += 1
        return true
    }

    /// Returns whether a patch, or the range above the last patch, starts or ends at `subband`.
    package func hasBoundary(at subband: Int) -> Bool {
        if subband == top { return true }
        for patch in 0..<count where target(of: patch) == subband { return true }
        return false
    }
}
