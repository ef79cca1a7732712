import Foundation
import PackagePlugin

/// Records the Swift packages in a program, with their versions in this build.
///
/// Only packages that are part of the program are named, not everything that was resolved with
/// them.
@main struct LinkedPackages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let owners = Self.owners(in: context.package)
        var versions: [String: String] = [:]
        for part in target.recursiveTargetDependencies {
            guard let package = owners[part.id], package.id != context.package.id else { continue }
            versions[package.id] = Self.version(of: package)
        }
        let folder = context.pluginWorkDirectoryURL.appendingPathComponent("Generated")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.write(
            Self.source(naming: versions),
            to: folder.appendingPathComponent("LinkedPackages.swift")
        )
        return [
            .prebuildCommand(
                displayName: "Naming the packages of \(target.name)",
                executable: URL(fileURLWithPath: "/bin/true"),
                arguments: [],
                outputFilesDirectory: folder
            )
        ]
    }

    /// Returns the package of each target.
    private static func owners(in root: Package) -> [Target.ID: Package] {
        var owners: [Target.ID: Package] = [:]
        var visited: Set<Package.ID> = []
        var waiting = [root]
        while let package = waiting.popLast() {
            guard visited.insert(package.id).inserted else { continue }
            for target in package.targets { owners[target.id] = package }
            waiting += package.dependencies.map(\.package)
        }
        return owners
    }

    private static func version(of package: Package) -> String {
        switch package.origin {
        case .repository(_, let version, _): version
        case .registry(_, let version): version
        case .root, .local: "local"
        @unknown default: "unknown"
        }
    }

    private static func source(naming versions: [String: String]) -> String {
        var lines = [
            "/// The Swift packages that this program is made of, by name.",
            "enum LinkedPackages {",
            "    static let versions: [(name: String, version: String)] = [",
        ]
        for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
            lines.append("        (\(name.debugDescription), \(version.debugDescription)),")
        }
        return (lines + ["    ]", "}", ""]).joined(separator: "\n")
    }

    /// Writes a file only if its content changes, so that nothing is recompiled needlessly.
    private static func write(_ text: String, to file: URL) throws {
        guard (try? String(contentsOf: file, encoding: .utf8)) != text else { return }
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}
