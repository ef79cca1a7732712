internal import Foundation

/// Reads a helper's input line by line, and ends the helper when the input ends.
enum InputReader {
    /// Calls a closure with each line, on a thread of its own.
    static func start(_ take: @escaping @Sendable (String) -> Void) {
        Thread.detachNewThread {
            while let line = readLine() { take(line) }
            exit(0)
        }
    }
}
