import Foundation
import PackagePlugin

/// Puts the JSON Schemas, the scenarios of a training store and the explanations of errors into a
/// program, so that it has them wherever it is installed.
@main struct EmbeddedText: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let output = context.pluginWorkDirectoryURL.appendingPathComponent("EmbeddedText.swift")
        let sources = ["Schemas", "Scenarios", "Documentation/errors.json"].map {
            context.package.directoryURL.appendingPathComponent($0)
        }
        return [
            .buildCommand(
                displayName: "Embedding schemas, scenarios and errors in \(target.name)",
                executable: try context.tool(named: "embed-text").url,
                arguments: sources.map(\.path) + [output.path],
                inputFiles: sources.flatMap(Self.contents),
                outputFiles: [output]
            )
        ]
    }

    /// Returns a file, or a folder with everything in it.
    private static func contents(of folder: URL) -> [URL] {
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return [folder] + (walk?.compactMap { $0 as? URL } ?? [])
    }
}
