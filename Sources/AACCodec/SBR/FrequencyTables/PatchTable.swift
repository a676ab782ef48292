// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The parts of the high band and the low subbands they are copies of (ISO/IEC 14496-3:2009, 4.6.18.6.3, Figure 4.48).
struct PatchTable: Sendable {
    /// The most patches a valid header leads to.
    static let maximumCount = 5

    /// The number of patches.
    private(set) var count = 0
    private var starts: [6 of UInt8] = .init(repeating: 0)
    private var widths: [6 of UInt8] = .init(repeating: 0)
    private var targets: [6 of UInt8] = .init(repeating: 0)

    /// The first subband that a patch copies, `patchStartSubband`.
    func start(of patch: Int) -> Int { Int(starts[patch]) }
    /// The number of subbands of a patch, `patchNumSubbands`.
    func width(of patch: Int) -> Int { Int(widths[patch]) }
    /// The first subband that a patch fills.
    func target(of patch: Int) -> Int { Int(targets[patch]) }

    /// The subbands that any patch copies, all below 32.
    var sources: Range<Int> {
        var first = 32
        var end = 1
        for patch in 0..<count {
            first = min(first, start(of: patch))
            end = max(end, start(of: patch) + width(of: patch))
        }
        return min(first, 31)..<min(max(end, first + 1), 32)
    }

    /// The end of the high band, also where no patch reaches it.
    let top: Int

    /// Builds the patches; nil where the rules lead nowhere.
    init?(master: BandBoundaries, startSubband: Int, crossover: Int, top: Int, rate: Int) {
        self.top = top
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
        guard count > 0, count <= Self.maximumCount else { return nil }
    }

    /// Not inlined, as in ``BandBoundaries/append(_:)``.
    @inline(never)
    private mutating func append(start: Int, width: Int, target: Int) -> Bool {
        guard start >= 1 else { return false }
        starts[count] = UInt8(start)
        widths[count] = UInt8(width)
        targets[count] = UInt8(target)
        count += 1
        return true
    }

    /// Whether an inner boundary between two patches, or the start of the first, lies at `subband`.
    func hasBoundary(at subband: Int) -> Bool {
        if subband == top { return true }
        for patch in 0..<count where target(of: patch) == subband { return true }
        return false
    }
}
