internal import CMeasure
internal import Glibc

/// Measurements of the machine and this process.
package enum Machine {
    /// Returns the seconds on a monotonic clock.
    package static func seconds() -> Double { clock_seconds(CLOCK_MONOTONIC) }

    /// Returns the processor seconds of this process, in user and kernel mode.
    package static func processorSeconds() -> Double { clock_seconds(CLOCK_PROCESS_CPUTIME_ID) }

    /// Returns the processor seconds of this thread.
    package static func threadSeconds() -> Double { clock_seconds(CLOCK_THREAD_CPUTIME_ID) }

    /// Returns the resident memory of this process, in bytes, after free memory was released.
    package static func residentBytes() -> Int {
        give_back_free_memory()
        let fields = text(of: "/proc/self/statm").split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(getpagesize())
    }

    /// Returns the number of open files of this process.
    package static func openFiles() -> Int { entries(of: "/proc/self/fd") }

    /// Returns the number of threads of this process.
    package static func threads() -> Int { entries(of: "/proc/self/task") }

    private static func entries(of directory: String) -> Int {
        guard let listing = opendir(directory) else { return 0 }
        defer { closedir(listing) }
        var count = 0
        while let entry = readdir(listing) {
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        return count
    }

    /// Returns how much of the last ten seconds some task had to wait for a processor, in percent.
    package static func processorPressure() -> Double {
        let field = text(of: "/proc/pressure/cpu").split(separator: " ")
            .first { $0.hasPrefix("avg10=") }
        return field.flatMap { Double($0.dropFirst(6)) } ?? .nan
    }

    /// Returns the load of the last minute.
    package static func load() -> Double {
        text(of: "/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } ?? .nan
    }

    /// The number of processors that this process may use.
    package static var processors: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

    /// Returns how long one small append with `fdatasync` takes in a directory: the median, in
    /// microseconds.
    package static func syncProbe(in directory: String, times: Int = 200) -> Double {
        let path = directory + "/probe"
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { return .nan }
        defer {
            close(file)
            unlink(path)
        }
        let bytes = [UInt8](repeating: 0x61, count: 350)
        var samples: [Double] = []
        for _ in 0..<times {
            let start = seconds()
            guard write(file, bytes, bytes.count) == bytes.count, fdatasync(file) == 0 else {
                return .nan
            }
            samples.append((seconds() - start) * 1e6)
        }
        return samples.median
    }

    /// Returns a small system file as text.
    private static func text(of path: String) -> String {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
