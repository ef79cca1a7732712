internal import Foundation

/// Reads a helper's instructions line by line, and ends the helper at the end of its input.
enum InputReader {
    /// Calls a function with each line, on a thread of its own.
    static func start(_ take: @escaping @Sendable (String) -> Void) {
        Thread.detachNewThread {
            while let line = readLine() { take(line) }
            exit(0)
        }
    }
}
