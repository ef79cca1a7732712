internal import Foundation

/// Reads what a helper is told, line by line, and ends the helper when nobody is there any more to
/// tell it anything.
enum InputReader {
    /// Calls with each line, on a thread of its own.
    static func start(_ take: @escaping @Sendable (String) -> Void) {
        Thread.detachNewThread {
            while let line = readLine() { take(line) }
            exit(0)
        }
    }
}
