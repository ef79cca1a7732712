/// Concurrent work on many elements, on all processors.
enum Together {
    /// Applies a function to elements concurrently, and returns the results in the elements' order.
    static func map<Thing: Sendable, Value: Sendable>(
        _ things: [Thing],
        _ work: @escaping @Sendable (Thing) async -> Value
    ) async -> [(Thing, Value)] {
        await withTaskGroup(of: (Int, Value).self) { group in
            for (index, thing) in things.enumerated() {
                // Not on the loop, which the stores need.
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    (index, await work(thing))
                }
            }
            var values: [Int: Value] = [:]
            for await (index, value) in group { values[index] = value }
            return things.enumerated().compactMap { index, thing in
                values[index].map { (thing, $0) }
            }
        }
    }
}
