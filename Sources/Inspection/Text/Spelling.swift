/// Finds the word that a person probably meant.
package enum Spelling {
    /// Returns the most similar name, unless none is similar.
    package static func nearest(to word: String, among names: [String]) -> String? {
        guard word.utf8.count <= 24 else { return nil }
        let distances = names.map { (name: $0, distance: distance(word.lowercased(), $0)) }
        // A short word must match more closely.
        let bound = max(1, min(3, word.count / 2))
        return distances.filter { $0.distance <= bound }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// Returns the number of letters to insert, delete, replace or swap with their neighbor.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left), Array(right))
        var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count { rows[i][0] = i }
        for j in 0...b.count { rows[0][j] = j }
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        for i in 1...a.count {
            for j in 1...b.count {
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                rows[i][j] = min(
                    rows[i - 1][j] + 1,
                    rows[i][j - 1] + 1,
                    rows[i - 1][j - 1] + cost
                )
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
                }
            }
        }
        return rows[a.count][b.count]
    }
}
