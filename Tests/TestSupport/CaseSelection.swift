// SPDX-License-Identifier: Apache-2.0

extension Collection {
    /// The cases to run of many similar, expensive ones: all, or one in `LINNET_CASE_SHARE`.
    ///
    /// `LINNET_SEED` selects them. The gate selects different cases for each commit; nightly runs use all.
    public var selectedCases: [Element] {
        let all = Array(self)
        guard RandomDamage.caseShare > 1 else { return all }
        var random = RandomDamage.generator(all.count)
        let selectedCount = (all.count + RandomDamage.caseShare - 1) / RandomDamage.caseShare
        return all.indices.shuffled(using: &random).prefix(selectedCount).sorted().map { all[$0] }
    }
}

/// Returns the pairs to run of many similar, expensive ones, like ``Swift/Collection/selectedCases``.
public func selectedCases<First, Second>(
    _ first: some Collection<First>, _ second: some Collection<Second>
) -> [(First, Second)] {
    first.flatMap { element in second.map { (element, $0) } }.selectedCases
}
