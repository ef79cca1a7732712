package import Adapters

/// Runs work on a loop, and waits for it.
package func onLoop<Value: Sendable>(
    _ loop: UVLoop,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await loop.spawnThrowing { try await body() }.value
}

/// Runs work a number of times concurrently on a loop, and waits for all.
package func concurrently(
    _ count: Int,
    on loop: UVLoop,
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
    try await onLoop(loop) {
        let tasks = (0..<count).map { number in
            loop.spawnThrowing { try await body(number) }
        }
        for task in tasks { try await task.value }
    }
}

/// Distributes pieces of work among a number of workers on a loop.
package func sharing(
    _ pieces: Int,
    among workers: Int,
    on loop: UVLoop,
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
    let counter = Counter()
    try await concurrently(min(workers, pieces), on: loop) { _ in
        while true {
            let piece = counter.next()
            guard piece < pieces else { return }
            try await body(piece)
        }
    }
}

/// Returns the numbers from 0.
package final class Counter: Sendable {
    private let value: SharedValue<Int>

    package init() { value = SharedValue(0) }

    /// Returns the next number.
    package func next() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}
