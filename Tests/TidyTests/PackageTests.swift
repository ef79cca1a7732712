import Testing

/// What embedding payments builds: read from the manifest, which lists each target's dependencies.
@Suite struct PackageTests {
    @Test func `embedding Payments builds no HTTP server`() throws {
        let targets = try Self.targets(in: Repository.file("Package.swift").text)
        let built = try #require(Self.closure(of: "Payments", in: targets))
        #expect(built.targets.isSuperset(of: ["Adapters", "EventLog", "SwedbankPay", "Workflow"]))
        #expect(built.targets.isDisjoint(with: ["Sandbox", "MerchantBackend", "WorkflowTesting"]))
        #expect(
            built.packages == [
                "swift-crypto", "swift-distributed-tracing", "swift-http-types", "swift-log",
                "swift-metrics",
            ]
        )
    }

    @Test func `the sandbox shares no target with the engine that it tests`() throws {
        let targets = try Self.targets(in: Repository.file("Package.swift").text)
        #expect(Self.closure(of: "Sandbox", in: targets)?.targets == ["Sandbox"])
    }

    @Test func `every target enables the same features, and the compiler knows each`() throws {
        let manifest = try Repository.file("Package.swift").text
        let settings = Self.settings(in: manifest)
        #expect(settings.count > 35)
        for (target, name) in settings {
            let isSpecialised = [
                "EventLog", "Workflow", "SwedbankPay", "UVTransport", "EventStores",
            ]
            .contains(target)
            #expect(name == (isSpecialised ? "specialised" : "strict"), "\(target)")
        }
        let strict = Self.strictSettings(in: manifest)
        #expect(
            strict == [".swiftLanguageMode(.v6)"]
                + Self.known.map { ".enableUpcomingFeature(\"\($0)\")" }
                + [".treatAllWarnings(as: .error)"]
        )
        #expect(manifest.contains("let specialised =\n    strict + ["))
        // The benchmarks have a manifest of their own, and two targets in C.
        let benchmarks = try Repository.file("Benchmarks/Package.swift").text
        #expect(Self.strictSettings(in: benchmarks) == strict.dropLast())
        let measuring = Self.settings(in: benchmarks).filter { $0.value != "strict" }
        #expect(measuring == ["CBareClient": "", "CMeasure": ""])
    }

    @Test func `a target with other settings is found`() {
        let manifest = """
                    .target(name: "A", swiftSettings: strict),
                    .plugin(name: "P", capability: .buildTool()),
                    .target(
                        name: "B",
                        dependencies: [.product(name: "Crypto", package: "swift-crypto")]
                    ),
                    .testTarget(name: "C", dependencies: ["A"], swiftSettings: loose),
            """
        #expect(Self.settings(in: manifest) == ["A": "strict", "B": "", "C": "loose"])
    }

    @Test func `the Payments module has 10 to 14 public types`() {
        let files = Repository.files(below: "Sources/Payments", endingIn: ".swift")
        let types = files.flatMap {
            $0.matches(
                of: /^\s*public\s+(?:final\s+)?(?:struct|enum|class|actor|protocol)\s+\w+/,
                in: SwiftCode.only(of: $0.text)
            )
        }
        #expect((10...14).contains(types.count), "\(types)")
    }

    @Test func `an HTTP server in an indirect dependency is found`() throws {
        let manifest = """
            .target(name: "Payments", dependencies: ["Adapters"], swiftSettings: strict),
            .target(
                name: "Adapters",
                dependencies: ["Log", .product(name: "Crypto", package: "swift-crypto")],
                swiftSettings: strict
            ),
            .target(
                name: "Log",
                dependencies: [.product(name: "Hummingbird", package: "hummingbird")]
            ),
            .testTarget(name: "LogTests", dependencies: [.product(name: "A", package: "a")]),
            """
        let built = Self.closure(of: "Payments", in: Self.targets(in: manifest))
        #expect(built?.packages == ["hummingbird", "swift-crypto"])
        #expect(built?.targets == ["Adapters", "Log", "Payments"])
        #expect(Self.closure(of: "Else", in: Self.targets(in: manifest)) == nil)
    }

    /// The features that a target has to enable, as far as the compiler of these tests, which has
    /// the settings of every target, knows and enables them.
    private static let known: [String] = {
        var features: [String] = []
        #if hasFeature(ExistentialAny)
            features.append("ExistentialAny")
        #endif
        #if hasFeature(InternalImportsByDefault)
            features.append("InternalImportsByDefault")
        #endif
        #if hasFeature(MemberImportVisibility)
            features.append("MemberImportVisibility")
        #endif
        #if hasFeature(NonisolatedNonsendingByDefault)
            features.append("NonisolatedNonsendingByDefault")
        #endif
        return features
    }()

    /// Returns the name of each target's settings, empty for a target without any.
    private static func settings(in manifest: String) -> [String: String] {
        let start = /\.(target|executableTarget|testTarget|plugin|systemLibrary)\(\s*name: "(\w+)"/
        let matches = manifest.matches(of: start)
        let ends = matches.dropFirst().map(\.range.lowerBound) + [manifest.endIndex]
        var settings: [String: String] = [:]
        for (match, end) in zip(matches, ends)
        where match.1 != "plugin" && match.1 != "systemLibrary" {
            let name = manifest[match.range.lowerBound..<end].firstMatch(of: /swiftSettings: (\w+)/)
            settings[String(match.2)] = name.map { String($0.1) } ?? ""
        }
        return settings
    }

    /// Returns the settings that the manifest calls strict, which are written one a line.
    private static func strictSettings(in manifest: String) -> [String] {
        let list = /let strict: \[SwiftSetting\] = \[\n([^\]]*)\n\]/
        return (manifest.firstMatch(of: list)?.1.split(separator: "\n") ?? []).map {
            String($0.drop { $0 == " " }.dropLast())
        }
    }

    /// A target's direct dependencies: other targets, and packages.
    private struct Needs {
        var targets: Set<String> = []
        var packages: Set<String> = []
    }

    /// Returns the targets of a manifest by name, as far as others can depend on them.
    private static func targets(in manifest: String) -> [String: Needs] {
        var targets: [String: Needs] = [:]
        let pattern =
            /\.(?:target|executableTarget)\(\s*name: "(\w+)",\s*dependencies: \[((?:[^\[\]])*)\]/
        for match in manifest.matches(of: pattern) {
            let list = String(match.2)
            let products = /\.product\(name: "\w+", package: "([\w-]+)"\)/
            var needs = Needs(packages: Set(list.matches(of: products).map { String($0.1) }))
            let names = list.replacing(products, with: "").matches(of: /"(\w+)"/)
            needs.targets = Set(names.map { String($0.1) })
            targets[String(match.1)] = needs
        }
        return targets
    }

    /// Returns everything that is built for a target; `nil` when there is no such target.
    private static func closure(
        of name: String,
        in targets: [String: Needs]
    ) -> (targets: Set<String>, packages: Set<String>)? {
        guard targets[name] != nil else { return nil }
        var (found, packages, waiting) = (Set<String>(), Set<String>(), [name])
        while let next = waiting.popLast() {
            guard found.insert(next).inserted, let needs = targets[next] else { continue }
            packages.formUnion(needs.packages)
            waiting += needs.targets
        }
        return (found, packages)
    }
}
