internal import Adapters
internal import CExpat
internal import CZlib
internal import CZstd
internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay

/// The versions of everything in this program and of its libraries: `--version --verbose`.
///
/// They show whether a library's vulnerability concerns an installation.
struct VersionReport {
    /// A library or package in one version.
    struct Part: Equatable {
        var name: String
        /// Its version, as it reports it itself.
        var version: String
    }

    /// The shared libraries that were loaded when the program started, in the order of their names.
    let libraries: [Part]
    /// The Swift packages in the program, in the order of their names.
    let packages: [Part]
    /// The path of the bill of materials, where there is one.
    let billOfMaterials: String?

    /// Asks the libraries of this process for their versions.
    init() {
        let named =
            CurlTransport.libraryVersions + [UVLoop.libraryVersion]
            + StoreKinds.all.map { $0.libraryVersion }
        libraries =
            (named.map(Self.part) + [
                Self.part(
                    String(cString: XML_ExpatVersion()).rewriting("expat_", as: "expat/")
                ),
                Part(name: "zlib", version: String(cString: zlibVersion())),
                Part(name: "zstd", version: String(cString: ZSTD_versionString())),
                Self.part(Self.libcVersion()),
            ]).sorted { $0.name.lowercased() < $1.name.lowercased() }
        packages = LinkedPackages.versions.map { Part(name: $0.name, version: $0.version) }
        billOfMaterials = Self.billOfMaterials(of: Self.programPath())
    }

    /// Returns whether the arguments request more than the version.
    static func isWanted(by arguments: [String]) -> Bool {
        arguments.contains("--verbose") || arguments.contains("-v")
    }

    /// The report for a person; it begins with the output of `--version` alone.
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

    /// The report as JSON.
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
            "storeSchema": .integer(Int64(StoreKinds.ofFiles.schema)),
            "storeSchemas": .object(
                StoreKinds.all.map { .init($0.name, .integer(Int64($0.schema))) }
            ),
            "libraries": list(libraries), "packages": list(packages),
            "billOfMaterials": JSONValue(billOfMaterials),
        ]
    }

    /// Splits a name and a version at the slash between them.
    private static func part(_ text: String) -> Part {
        let words = text.pieces(between: "/", maxSplits: 1)
        return Part(name: String(words[0]), version: words.dropFirst().first.map(String.init) ?? "")
    }

    /// Returns the version of the C library, as it reports it: `glibc 2.36`.
    private static func libcVersion() -> String {
        var text = [CChar](repeating: 0, count: 64)
        guard confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return "libc/" }
        let words = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return String(decoding: words, as: UTF8.self).rewriting(" ", as: "/")
    }

    // MARK: Bill of materials

    /// Returns its path: as a package installs it, or beside a program that was built.
    static func billOfMaterials(of program: String) -> String? {
        guard let slash = program.unicodeScalars.lastIndex(of: "/") else { return nil }
        let folder = program[..<slash]
        let parent = folder[..<(folder.unicodeScalars.lastIndex(of: "/") ?? folder.startIndex)]
        return ["\(parent)/share/doc/workflowctl/sbom.cdx.json", "\(folder)/sbom.cdx.json"]
            .first { access($0, R_OK) == 0 }
    }

    /// Returns the file that this process runs.
    private static func programPath() -> String {
        guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments[0] }
        defer { free(path) }
        return String(cString: path)
    }
}
