internal import Adapters
internal import CZlib
internal import CZstd
internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay

/// Everything that this program is made of and runs with: `--version --verbose`.
///
/// For whoever has to know whether a flaw of a library concerns an installation.
struct VersionReport {
    /// A library or package in one version.
    struct Part: Equatable {
        /// What it is called.
        var name: String
        /// Its version, as it says it itself.
        var version: String
    }

    /// The shared libraries, as they were found when the program started, in the order of their names.
    let libraries: [Part]
    /// The Swift packages that are in the program, in the order of their names.
    let packages: [Part]
    /// The file of the bill of materials, where there is one.
    let billOfMaterials: String?

    /// Asks the libraries of this process.
    init() {
        let named =
            CurlTransport.libraryVersions + [
                UVLoop.libraryVersion, SQLiteEventStore.libraryVersion, PostgreSQLLibrary.version,
            ]
        libraries =
            (named.map(Self.part) + [
                Part(name: "zlib", version: String(cString: zlibVersion())),
                Part(name: "zstd", version: String(cString: ZSTD_versionString())),
                Self.part(Self.libcVersion()),
            ]).sorted { $0.name.lowercased() < $1.name.lowercased() }
        packages = LinkedPackages.versions.map { Part(name: $0.name, version: $0.version) }
        billOfMaterials = Self.billOfMaterials(of: Self.programPath())
    }

    /// Whether somebody asks for more than the version.
    static func isWanted(by arguments: [String]) -> Bool {
        arguments.contains("--verbose") || arguments.contains("-v")
    }

    /// As a person reads it; it begins with what `--version` alone prints.
    var text: String {
        let width = (libraries + packages).map(\.name.count).max() ?? 0
        func list(_ parts: [Part]) -> [String] {
            parts.map { part in
                let gap = String(repeating: " ", count: width - part.name.count)
                return "  \(part.name)\(gap)  \(part.version)"
            }
        }
        let place = billOfMaterials ?? "none next to this program; the Debian package includes one"
        return
            ([BuildFacts.text, "libraries:"] + list(libraries)
            + ["Swift packages:"] + list(packages)
            + ["bill of materials: \(Screen.safe(place[...]))"]).joined(separator: "\n")
    }

    /// As a program reads it.
    var json: JSONValue {
        func list(_ parts: [Part]) -> JSONValue {
            .array(
                parts.map {
                    [
                        "name": .string($0.name), "version": .string($0.version),
                    ]
                }
            )
        }
        return [
            "version": .string(Build.version), "build": .string(BuildFacts.mode),
            "compiler": .string(BuildFacts.compiler),
            "platform": .string(BuildFacts.platform),
            "storeSchema": .integer(Int64(SQLiteEventStore.currentSchemaVersion)),
            "libraries": list(libraries), "packages": list(packages),
            "billOfMaterials": JSONValue(billOfMaterials),
        ]
    }

    /// A name and a version that stand on both sides of a slash.
    private static func part(_ text: String) -> Part {
        let words = text.split(separator: "/", maxSplits: 1)
        return Part(name: String(words[0]), version: words.dropFirst().first.map(String.init) ?? "")
    }

    /// The C library, as it names itself: `glibc 2.36`.
    private static func libcVersion() -> String {
        var text = [CChar](repeating: 0, count: 64)
        guard confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return "libc/" }
        let words = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return String(decoding: words, as: UTF8.self).replacing(" ", with: "/")
    }

    // MARK: Bill of materials

    /// Where it is: as a package installs it, or beside a program that was built.
    static func billOfMaterials(of program: String) -> String? {
        guard let slash = program.lastIndex(of: "/") else { return nil }
        let folder = program[..<slash]
        let parent = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
        return ["\(parent)/share/doc/workflowctl/sbom.cdx.json", "\(folder)/sbom.cdx.json"]
            .first { access($0, R_OK) == 0 }
    }

    /// The file that this process runs.
    private static func programPath() -> String {
        guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments[0] }
        defer { free(path) }
        return String(cString: path)
    }
}
