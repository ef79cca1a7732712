internal import Glibc

/// Completes arguments that are files.
enum FileCompletion {
    /// The maximum number of paths offered.
    static let limit = 200

    /// Returns the paths with this prefix; those of folders end in a slash.
    static func paths(_ beginning: String) -> [String] {
        let cut = beginning.unicodeScalars.lastIndex(of: "/")
            .map { beginning.unicodeScalars.index(after: $0) }
        let folder = cut.map { String(beginning[..<$0]) } ?? ""
        let name = cut.map { String(beginning[$0...]) } ?? beginning
        guard let entries = opendir(folder.isEmpty ? "." : folder) else { return [] }
        defer { closedir(entries) }
        var paths: [String] = []
        while paths.count < limit, let entry = readdir(entries) {
            let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
            let found = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard found.hasPrefix(name), !found.hasPrefix(".") || name.hasPrefix(".") else {
                continue
            }
            paths.append(folder + found + (isFolder ? "/" : ""))
        }
        return paths.sorted()
    }
}
