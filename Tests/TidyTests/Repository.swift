import Foundation

/// The files of this repository, for the checks.
enum Repository {
    /// The directory with `Package.swift`.
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Folders without sources of this project.
    private static let skipped: Set<String> = [".build", ".git", ".swiftpm", "__pycache__"]

    /// Returns the files below a folder, sorted; their paths are relative to the root.
    static func files(below folder: String = "", endingIn ending: String = "") -> [TextFile] {
        let start = folder.isEmpty ? root : root.appendingPathComponent(folder)
        let walk = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
        var found: [TextFile] = []
        while let url = walk?.nextObject() as? URL {
            if skipped.contains(url.lastPathComponent) {
                walk?.skipDescendants()
                continue
            }
            guard url.path.hasSuffix(ending),
                let text = try? String(contentsOf: url, encoding: .utf8)
            else { continue }
            let path = url.resolvingSymlinksInPath().path.dropFirst(root.path.count + 1)
            found.append(TextFile(path: String(path), text: text))
        }
        return found.sorted { $0.path < $1.path }
    }

    /// Reads one file.
    static func file(_ path: String) throws -> TextFile {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        return TextFile(path: path, text: text)
    }

    /// Returns whether there is a file or folder at a path.
    static func exists(_ path: String) -> Bool {
        let url = root.appendingPathComponent(path).standardizedFileURL
        return FileManager.default.fileExists(atPath: url.path)
    }
}

/// A text file with its path.
struct TextFile {
    /// The path relative to the root of the repository.
    var path: String
    var text: String

    /// The name without its directories.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Returns the matches of a pattern, each with its line.
    func matches(of pattern: Regex<Substring>, in code: String? = nil) -> [Finding] {
        let lines = (code ?? text).split(separator: "\n", omittingEmptySubsequences: false)
        return zip(1..., lines).flatMap { number, line in
            line.matches(of: pattern.wordBoundaryKind(.simple)).map {
                Finding(path: path, line: number, what: String($0.output))
            }
        }
    }
}

/// A violation that a check has found.
struct Finding: CustomStringConvertible, Equatable {
    var path: String
    var line: Int
    var what: String

    var description: String { "\(path):\(line): \(what)" }
}
