// SPDX-License-Identifier: Apache-2.0

#if !os(Linux) && canImport(CommonCrypto)
/// The numbers of the packets of a source: which were seen, and how 16 bits continue (RFC 3711 3.3.1, 3.3.2).
struct SRTPReplayList {
    /// The kinds of numbers.
    enum State {
        /// A number of a packet that was not seen.
        case new
        /// A number of a packet that was seen.
        case seen
        /// A number that is too old to tell.
        case tooOld
    }

    /// The latest number with each remainder.
    private var latest: [Int]
    /// The highest number; -1 before the first packet.
    private(set) var highest = -1

    /// Creates an empty list.
    ///
    /// - Parameter window: The number of packets that are told apart.
    init(window: Int) { latest = Array(repeating: -1, count: window) }

    /// Returns the number that a sequence number of 16 bits stands for: the one that is nearest to the highest.
    func index(ofSequence sequence: Int) -> Int {
        guard highest >= 0 else { return sequence }
        let (rollOver, last) = (highest >> 16, highest & 0xffff)
        if last < 32_768 { return max(0, sequence - last > 32_768 ? rollOver - 1 : rollOver) << 16 | sequence }
        return (last - 32_768 > sequence ? rollOver + 1 : rollOver) << 16 | sequence
    }

    /// Returns the kind of a number.
    func state(of index: Int) -> State {
        if index + latest.count <= highest { return .tooOld }
        return latest[index % latest.count] == index ? .seen : .new
    }

    /// Notes that a packet was seen; its number has to be new.
    mutating func add(_ index: Int) {
        latest[index % latest.count] = index
        highest = max(highest, index)
    }
}
#endif
