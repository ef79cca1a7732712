import Foundation

/// The system resources that this process holds.
struct Footprint {
    /// Open file descriptors.
    var files: Int
    /// Threads.
    var threads: Int
    /// Resident memory in bytes, after the allocator has released what is free.
    var resident: Int

    /// Measures now.
    static func now() -> Footprint {
        giveBackFreeMemory()
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii))?
            .split(separator: " ")
        let pages = fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        return Footprint(
            files: count("/proc/self/fd"),
            threads: count("/proc/self/task"),
            resident: pages * Int(getpagesize())
        )
    }

    private static func count(_ directory: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
    }

    /// A function of the allocator that no module of the platform declares.
    private static func giveBackFreeMemory() {
        guard let trim = dlsym(nil, "malloc_trim") else { return }
        typealias Trim = @convention(c) (Int) -> Int32
        _ = unsafeBitCast(trim, to: Trim.self)(0)
    }
}

/// The straight line that best fits measured values.
struct LineFit {
    /// The increase of the values per unit of the other axis.
    var slope: Double

    /// Fits pairs, of which at least two must have different `x`.
    init(_ points: [(x: Double, y: Double)]) {
        let count = Double(points.count)
        let meanX = points.reduce(0) { $0 + $1.x } / count
        let meanY = points.reduce(0) { $0 + $1.y } / count
        let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
        let common = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
        slope = spread == 0 ? 0 : common / spread
    }
}
