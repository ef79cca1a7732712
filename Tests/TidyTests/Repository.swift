import Foundation

/// The files of this repository, for the checks.
enum Repository {
    /// The directory with `Package.swift`.
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Folders without sources of this project.
    private static let skipped: Set<String> = [".build", ".git", ".swiftpm", "__pycache__"]

    /// All text files, sorted by their paths: read once, for all checks.
    private static let all: [TextFile] = {
        let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        // Links lead to files that are found in their own place, too.
        let start = root.path.count + 1
        var found: [String: TextFile] = [:]
        while let url = walk?.nextObject() as? URL {
            if skipped.contains(url.lastPathComponent) {
                walk?.skipDescendants()
                continue
            }
            guard let bytes = try? Data(contentsOf: url),
                let text = String(validating: bytes, as: UTF8.self)
            else { continue }
            let path = String(url.resolvingSymlinksInPath().path.dropFirst(start))
            found[path] = TextFile(path: path, text: text)
        }
        return found.values.sorted { $0.path < $1.path }
    }()

    /// Returns the files below a folder, sorted; their paths are relative to the root.
    static func files(below folder: String = "", endingIn ending: String = "") -> [TextFile] {
        let start = folder.isEmpty ? "" : folder + "/"
        return all.filter { $0.path.hasPrefix(start) && $0.path.hasSuffix(ending) }
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

    var lines: [Substring] { Lines(of: text).all }

    /// Returns the matches of a pattern, each with its line.
    func matches(of pattern: Regex<Substring>, in code: String? = nil) -> [Finding] {
        matches(of: pattern, in: zip(1..., Lines(of: code ?? text).all).map { ($0, $1) })
    }

    /// Returns the matches of a pattern, each with its line.
    ///
    /// A search for bytes is many times as fast as one for a pattern.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - words: Each match contains one of them; other lines are not examined.
    ///   - code: Text in place of the file's own.
    /// - Returns: The matches, in the order of their lines.
    func matches(
        of pattern: Regex<Substring>,
        near words: [String],
        in code: String? = nil
    ) -> [Finding] {
        let lines = Lines(of: code ?? text)
        return matches(of: pattern, in: lines.containing(words))
    }

    private func matches(
        of pattern: Regex<Substring>,
        in lines: [(number: Int, line: Substring)]
    ) -> [Finding] {
        lines.flatMap { number, line in
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
