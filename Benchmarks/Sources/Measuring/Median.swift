extension [Double] {
    /// The median of the values; NaN if there are none.
    package var median: Double {
        guard !isEmpty else { return .nan }
        let ordered = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2)
            ? (ordered[middle - 1] + ordered[middle]) / 2 : ordered[middle]
    }
}
