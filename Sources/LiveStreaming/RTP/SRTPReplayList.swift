// SPDX-License-Identifier: Apache-2.0

#if !os(Linux) && canImport(CommonCrypto)
/// A source's replay list, and the extension of its 16-bit sequence numbers (RFC 3711 3.3.1, 3.3.2).
struct SRTPReplayList {
    /// Whether a packet index has been seen.
    enum State {
        case new
        case seen
        /// Before the window, so unknown.
        case tooOld
    }

    /// The latest index for each remainder modulo the window.
    private var latest: [Int]
    /// The highest index; -1 before the first packet.
    private(set) var highest = -1

    init(window: Int) { latest = Array(repeating: -1, count: window) }

    /// Extends a 16-bit sequence number to the packet index closest to the highest one.
    func index(ofSequence sequence: Int) -> Int {
        guard highest >= 0 else { return sequence }
        let (rollOver, last) = (highest >> 16, highest & 0xffff)
        if last < 32_768 { return max(0, sequence - last > 32_768 ? rollOver - 1 : rollOver) << 16 | sequence }
        return (last - 32_768 > sequence ? rollOver + 1 : rollOver) << 16 | sequence
    }

    func state(of index: Int) -> State {
        if index + latest.count <= highest { return .tooOld }
        return latest[index % latest.count] == index ? .seen : .new
    }

    /// Records a new packet index.
    mutating func add(_ index: Int) {
        latest[index % latest.count] = index
        highest = max(highest, index)
    }
}
#endif
