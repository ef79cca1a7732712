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
