/// Work on many things at the same time, on all processors.
enum Together {
    /// Does the same for each of some things at once; what comes of it is in their order.
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
