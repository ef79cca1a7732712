import Foundation
import PackagePlugin

/// Puts the JSON Schemas and the scenarios of a training store into a program, so that it has them
/// wherever it is installed.
@main struct EmbeddedText: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let output = context.pluginWorkDirectoryURL.appendingPathComponent("EmbeddedText.swift")
        let folders = ["Schemas", "Scenarios"].map {
            context.package.directoryURL.appendingPathComponent($0)
        }
        return [
            .buildCommand(
                displayName: "Embedding schemas and scenarios in \(target.name)",
                executable: try context.tool(named: "embed-text").url,
                arguments: folders.map(\.path) + [output.path],
                inputFiles: folders.flatMap(Self.contents),
                outputFiles: [output]
            )
        ]
    }

    /// Returns everything in a folder.
    private static func contents(of folder: URL) -> [URL] {
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return [folder] + (walk?.compactMap { $0 as? URL } ?? [])
    }
}
