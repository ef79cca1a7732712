import Foundation
import TestSupport
import Testing

/// The scripts with which a release is built and checked.
@Suite struct ReleaseScriptTests {
    private static let root = URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent()
    private static let scripts = root.appendingPathComponent("scripts").path
    private static let hardened = "-fPIE -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack"

    @Test func `check-hardening refuses a program that is not hardened and names what it lacks`()
        async throws
    {
        try await World.with { world in
            _ = try world.write("int main(void) { return 0; }\n", to: "main.c")
            let cases = [
                (Self.hardened, nil),
                (Self.hardened + " -Wl,-rpath,/opt/elsewhere", "RUNPATH"),
                (Self.hardened + " -Wl,-z,norelro", "no RELRO"),
                ("-fPIE -pie -Wl,-z,relro -Wl,-z,lazy", "no BIND_NOW"),
                ("-no-pie -Wl,-z,relro -Wl,-z,now", "no PIE"),
                (Self.hardened + " -Wl,-z,execstack", "stack can be run"),
            ]
            for (options, lack) in cases {
                let built = try await world.tool.shell("cc main.c -o program \(options)")
                try #require(built.status == 0, "\(options): \(built.diagnostics)")
                let checked = try await world.tool.shell("\(Self.scripts)/check-hardening program")
                #expect(checked.status == (lack == nil ? 0 : 1), "\(options)")
                guard let lack else { continue }
                #expect(checked.diagnostics.contains(lack), "\(options): \(checked.diagnostics)")
                #expect(!checked.output.contains("hardened"))
            }
        }
    }

    @Test func `check-reproducible names the sections in which two builds differ`() async throws {
        try await World.with { world in
            let compare = "\(Self.scripts)/check-reproducible compare $PWD/one $PWD/other"
            for (number, name) in [(1, "one"), (1, "other")] {
                _ = try world.write("int number = \(number); int main() {}\n", to: "\(name).c")
                let built = try await world.tool.shell("cc -x c - -o \(name) < \(name).c")
                try #require(built.status == 0, "\(built.diagnostics)")
            }
            let same = try await world.tool.shell(compare)
            #expect(same.status == 0 && same.output.contains("the same, byte by byte"))
            let third = "echo 'int number = 2; int main() {}' | cc -x c - -o other"
            #expect(try await world.tool.shell(third).status == 0)
            let differing = try await world.tool.shell(compare)
            #expect(differing.status == 1)
            #expect(differing.diagnostics.contains("  differs: .data\n"))
            #expect(!differing.diagnostics.contains("  differs: .text\n"))
        }
    }

    @Test func `a release is not built from packages other than the recorded ones`() async throws {
        try await World.with { world in
            let recorded = try String(
                contentsOfFile: Self.scripts + "/dependencies.txt",
                encoding: .utf8
            )
            // In place of the compiler: resolves what is recorded, with one revision changed.
            _ = try world.write(
                """
                import json, pathlib, sys
                words = sys.argv[1:]
                folder = pathlib.Path(words[words.index("--scratch-path") + 1])
                packages = [line.split(" ") for line in pathlib.Path("\(Self.scripts)/dependencies.txt")
                    .read_text().splitlines()]
                if (folder / "changed").exists(): packages[3][2] = "0" * 40
                (folder / "workspace-state.json").write_text(json.dumps({"object": {"dependencies": [
                    {"packageRef": {"identity": name, "location": place},
                     "state": {"checkoutState": {"version": version, "revision": revision}}}
                    for name, version, revision, place in packages]}}))
                if words[0] == "build": sys.exit("it builds")
                """,
                to: "swift.py"
            )
            try FileManager.default.createDirectory(
                atPath: world.folder + "/bin",
                withIntermediateDirectories: true
            )
            let swift = try world.write(
                "#!/bin/sh\nexec python3 \(world.folder)/swift.py \"$@\"\n",
                to: "bin/swift"
            )
            chmod(swift, 0o755)
            let build =
                "mkdir -p build; PATH=$PWD/bin:$PATH \(Self.scripts)/build-release $PWD/build"
            let good = try await world.tool.shell(build)
            #expect(good.status != 0 && good.diagnostics.contains("it builds"), "\(good)")
            _ = try await world.tool.shell("touch build/changed")
            let changed = try await world.tool.shell(build)
            #expect(changed.status == 1 && !changed.diagnostics.contains("it builds"))
            let name = recorded.split(separator: "\n")[3].prefix { $0 != " " }
            #expect(changed.diagnostics.contains("resolved: \(name) "), "\(changed)")
        }
    }

    @Test func `the bill of materials names every package and library of the program`()
        async throws
    {
        try await World.with { world in
            let made = try await world.tool.shell(
                "\(Self.scripts)/dependencies sbom \(Tool.path) 1.2.3"
            )
            #expect(made.status == 0, "\(made.diagnostics)")
            let bill = try made.json
            #expect(bill["bomFormat"].text == "CycloneDX" && bill["specVersion"].text == "1.5")
            #expect(bill["metadata"]["component"]["version"].text == "1.2.3")
            let components = bill["components"].list
            for component in components {
                let name = component["name"].text ?? ""
                #expect(!name.isEmpty && component["type"].text == "library")
                #expect(component["bom-ref"].text?.contains(":") == true, "\(name)")
            }
            let named = Set(components.compactMap { $0["name"].text })
            let manifest = try String(
                contentsOf: Self.root.appendingPathComponent("Package.swift"),
                encoding: .utf8
            )
            let addresses = manifest.matches(of: /url: "https:\/\/[^"]*\/([^"\/]+)"/)
            #expect(addresses.count > 7)
            for address in addresses { #expect(named.contains(String(address.1)), "\(address.1)") }
            let told = try await world.tool.run(["--version", "--verbose", "--json"])
            for package in try told.json["packages"].list {
                let found = components.first { $0["name"].text == package["name"].text }
                #expect(found?["version"].text == package["version"].text)
                #expect(found?["purl"].text?.hasPrefix("pkg:swift/") == true)
            }
            let sonames = components.compactMap { $0["properties"][0]["value"].text }
            for library in ["libuv", "libcurl", "libsqlite3", "libpq", "libz", "libzstd"] {
                #expect(sonames.contains { $0.hasPrefix(library + ".so") }, "\(library)")
            }
            #expect(bill["dependencies"][0]["dependsOn"].list.count == components.count)
        }
    }

    private static let hasSystemd = FileManager.default.isExecutableFile(
        atPath: "/usr/bin/systemd-analyze"
    )

    @Test(
        .feature("S-17"),
        .threat("T-55"),
        .enabled(if: hasSystemd, "systemd judges the units, and is not installed")
    )
    func `systemd accepts the units without a warning and rates their services as hardened`()
        async throws
    {
        try await World.with { world in
            // The program's path does not matter here; that its arguments exist does.
            let prepared = try await world.tool.shell(
                "mkdir units && cp \(Self.scripts)/debian/systemd/* units/ && sed -i 's|/usr/bin/workflowctl|\(Tool.path)|' units/*"
            )
            try #require(prepared.status == 0, "\(prepared.diagnostics)")
            let verified = try await world.tool.shell("systemd-analyze verify --man=no units/*")
            #expect(verified.status == 0 && verified.diagnostics.isEmpty, "\(verified.diagnostics)")
            let units = try FileManager.default.contentsOfDirectory(atPath: world.folder + "/units")
            let services = units.filter { $0.hasSuffix(".service") }
            #expect(services.count == 6)
            for service in services {
                let judged = try await world.tool.shell(
                    "systemd-analyze security --no-pager --offline=true --threshold=20 ./units/\(service)"
                )
                #expect(judged.status == 0, "\(service): \(judged.output.suffix(200))")
                // Each has a file for a role of its own, which is read last.
                let name = service.dropFirst("workflowctl-".count).dropLast(".service".count)
                let text = try String(
                    contentsOfFile: world.folder + "/units/" + service,
                    encoding: .utf8
                )
                #expect(
                    text.matches(of: /EnvironmentFile=-(.*)/).map { String($0.1) } == [
                        "/etc/workflowctl/environment", "/etc/workflowctl/\(name).environment",
                    ]
                )
            }
            // A unit without its protection is refused, or the threshold would be meaningless.
            let weak = try await world.tool.shell(
                "sed '/^Protect/d;/^SystemCall/d' units/workflowctl-serve.service >units/weak.service; "
                    + "systemd-analyze security --no-pager --offline=true --threshold=20 ./units/weak.service"
            )
            #expect(weak.status != 0)
            // The others run a command that ends, and no shell.
            let others = ["publish", "metrics", "index", "serve"].map {
                "workflowctl-\($0).service"
            }
            for service in services where !others.contains(service) {
                let text = try String(
                    contentsOfFile: world.folder + "/units/" + service,
                    encoding: .utf8
                )
                let line = try #require(text.firstMatch(of: /ExecStart=\S+ (.*)/)?.1)
                let arguments = line.replacing("/etc/workflowctl/config.json", with: "config.json")
                _ = try world.write(
                    #"{"store":"sqlite:service.db","retention":{"period":"90d"}}"#,
                    to: "config.json"
                )
                _ = try await world.run("store", "init", store: "service.db")
                let done = try await world.tool.shell(
                    "env -u WORKFLOWCTL_STORE workflowctl \(arguments)"
                )
                #expect(done.status == 0, "\(service): \(done.diagnostics)")
            }
        }
    }

    @Test func `the metrics unit replaces a file that others can read, or removes it`() async throws
    {
        try await World.with { world in
            let unit = try String(
                contentsOfFile: "\(Self.scripts)/debian/systemd/workflowctl-metrics.service",
                encoding: .utf8
            )
            _ = try world.write(#"{"store":"sqlite:service.db"}"#, to: "config.json")
            _ = try await world.run("store", "init", store: "service.db")
            _ = try await world.tool.shell(
                "mkdir run node-exporter; echo old >node-exporter/a.prom"
            )
            // The commands of the unit, in other directories and without the rights of root.
            func run(_ kind: Regex<(Substring, Substring)>, _ variables: String) async throws {
                for match in unit.matches(of: kind) {
                    let command = match.1
                        .replacing("/usr/bin/workflowctl", with: Tool.path)
                        .replacing("/etc/workflowctl/config.json", with: "config.json")
                        .replacing("/run/workflowctl-metrics", with: "run")
                        .replacing("${WORKFLOWCTL_METRICS_TO}", with: "node-exporter")
                    let done = try await world.tool.shell(
                        "umask 077; env -u WORKFLOWCTL_STORE \(variables) \(command)"
                    )
                    #expect(done.status == 0, "\(command): \(done.diagnostics)")
                }
            }
            try await run(/ExecStart(?:Post)?=\+?(.*)/, "")
            let path = world.folder + "/node-exporter/workflowctl.prom"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("\npayment_workflow_overdue_seconds 0\n"), "\(text)")
            #expect(try world.mode(of: path) == 0o644)
            let told = "WORKFLOWCTL_METRICS_TO=node-exporter SERVICE_RESULT="
            try await run(/ExecStopPost=\+(.*)/, told + "success")
            #expect(FileManager.default.fileExists(atPath: path))
            try await run(/ExecStopPost=\+(.*)/, told + "exit-code")
            let left = try await world.tool.shell("ls -A run node-exporter")
            #expect(left.output == "node-exporter:\na.prom\n\nrun:\n", "\(left.output)")
        }
    }

    @Test func `the configuration of the package can be used`() async throws {
        try await World.with { world in
            let path = "\(Self.scripts)/debian/config.json"
            let checked = try await world.run("config", "check", path)
            #expect(checked.status == 0, "\(checked.diagnostics)")
            let text = try String(contentsOfFile: path, encoding: .utf8).replacing("\n", with: " ")
            try await SchemaCheck.expect(text, fits: "configuration", in: world)
        }
    }
}
