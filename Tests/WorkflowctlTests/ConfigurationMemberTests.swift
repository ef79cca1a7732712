import ArgumentParser
import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

@testable import workflowctl

/// The members of a configuration file, one by one.
@Suite struct ConfigurationMemberTests {
    /// Members with a value other than the default; a dot separates an object from its member.
    private static let values: [String: String] = [
        "allowedHosts": #"["psp.example"]"#, "authorityFile": #""ca.pem""#,
        "pinnedKeys": #"["sha256//abc"]"#, "proxy": #""http://proxy.example:1""#,
        "hostsWithoutProxy": #"["inside.example"]"#, "callbackScheme": #""lampshop""#,
        "redirectHosts": #"["**.bank.example"]"#, "appSchemes": #"["lampswish"]"#,
        "client.userAgent": #""lamps/7""#, "client.integration": #""Lamps""#,
        "client.acceptedWallets": #"["LampPay"]"#, "client.screenHeight": "4711",
        "client.screenWidth": "4712", "client.screenColorDepth": "4713",
        "client.acceptHeader": #""text/lamp""#, "client.language": #""nn-NO""#,
        "client.timeZoneOffsetMinutes": "-47", "client.serviceName": #""LampService""#,
        "client.serviceVersion": #""4.7.11""#, "eventLogging.enabled": "true",
        "eventLogging.grace": #""47s""#, "limits.request": #""47s""#,
        "limits.cardRequest": #""47s""#, "limits.retries": #""47s""#,
        "limits.cardRetries": #""47s""#, "limits.session": #""47s""#, "limits.attempt": #""47s""#,
        "limits.threeDSMethod": #""47s""#, "limits.swishAttempt": #""47s""#, "limits.tries": "47",
        "limits.attempts": "47", "audit.recordReveal": "true",
        "audit.recordInterventions": "true", "audit.requireReason": "true",
        "audit.requireSecondPerson": "true",
        "retention.period": #""47d""#, "retention.completed": #""47d""#,
        "keys.command": #""cat lamp""#, "keys.file": #""lamp.key""#, "recovery.tries": "0",
        "recovery.pause": #""47s""#, "recovery.window": #""47s""#, "recovery.perSecond": "47",
        "recovery.sessions": "47",
        "webhooks":
            #"[{"name":"lamp","url":"https://lamp.example/","secretFile":"lamp"}]"#,
        "serve.listen": #""127.0.0.1:47""#, "serve.publicListen": #""127.0.0.1:48""#,
        "serve.tlsCertificate": #""lamp.pem""#,
        "serve.tlsKey": #""lamp.key""#, "serve.bodyBytes": "47", "serve.streams": "47",
        "serve.streamsOfCaller": "47", "serve.requestsOfDriver": "47",
        "serve.requestsOfReader": "47", "serve.requestsOfPayer": "47",
        "serve.requestsOfAddress": "47",
        "serve.ownSessions": "true",
        "serve.returnURL": #""https://lamp.example/pay/""#,
        "serve.androidPackages": #"["lamp.shop"]"#, "serve.appleSchemes": #"["lampshop"]"#,
        "serve.appleAppIDs": #"["LAMP123456.lamp.shop"]"#,
        "serve.trampolineURL": #""https://back.example/pay""#,
        "identity.trustedProxies": #"["10.0.0.0/8"]"#,
        "identity.roles": #"{"lamp":["viewer"]}"#, "identity.userHeader": #""Lamp-User""#,
        "identity.groupsHeader": #""Lamp-Groups""#, "identity.secretHeader": #""Lamp-Secret""#,
        "identity.secretFile": #""lamp.secret""#,
    ]

    /// Members that are not settings: objects, and files that are read before or beside everything
    /// else.
    private static let others: Set<String> = [
        "client", "eventLogging", "limits", "audit", "retention", "keys", "recovery", "serve",
        "identity",
        "store",
        "tokenFile", "headersFile", "problemsFile",
    ]

    private func text(_ configuration: Configuration) -> String {
        var text = ""
        dump(configuration, to: &text)
        return text
    }

    @Test(arguments: values.keys.sorted())
    func `every member takes effect, and a section without it does not reset it`(
        member: String
    ) throws {
        let value = try #require(Self.values[member])
        let names = member.split(separator: ".").map(String.init)
        let json =
            names.count == 1
            ? "{\"\(names[0])\":\(value)}" : "{\"\(names[0])\":{\"\(names[1])\":\(value)}}"
        guard case .object(let section) = try JSONValue(parsing: Array(json.utf8)) else {
            Issue.record("\(json)")
            return
        }
        var configuration = Configuration()
        let defaults = text(configuration)
        try ConfigurationReader().read([], into: &configuration)
        #expect(text(configuration) == defaults)
        try ConfigurationReader().read(section, into: &configuration)
        #expect(text(configuration) != defaults, "\(member) is ignored")
        // A profile without the member does not reset it.
        let read = text(configuration)
        try ConfigurationReader().read([], into: &configuration)
        #expect(text(configuration) == read)
    }

    @Test func `every member that the configuration reader accepts is tested`() throws {
        let root = URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent()
        let tested = Set(
            Self.values.keys.flatMap { $0.split(separator: ".").map(String.init) }
        )
        for file in [
            "ConfigurationReader", "ConfigurationReader+Policies", "ServeConfiguration",
            "IdentityConfiguration",
        ] {
            let path = "Sources/workflowctl/Configuration/\(file).swift"
            let source = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            let members = source.matches(of: /case ("[A-Za-z]+"(?:, "[A-Za-z]+")*):/).flatMap {
                $0.1.split(separator: ", ").map { String($0.dropFirst().dropLast()) }
            }
            #expect(!members.isEmpty)
            for member in members {
                #expect(ConfigurationReader.members.contains(member) || tested.contains(member))
                #expect(tested.contains(member) || Self.others.contains(member), "\(member)")
            }
        }
    }

    /// Returns the members that the schema allows, as paths.
    private static func schemaMembers() throws -> Set<String> {
        let text = try String(
            contentsOfFile: SchemaCheck.folder + "/configuration.schema.json",
            encoding: .utf8
        )
        guard case .object(let properties)? = try JSONValue(parsing: Array(text.utf8))["properties"]
        else { return [] }
        return Set(
            properties.flatMap { member -> [String] in
                guard member.name != "profiles", member.name != "$schema" else { return [] }
                guard case .object(let inner)? = member.value["properties"] else {
                    return [member.name]
                }
                return inner.map { "\(member.name).\($0.name)" }
            }
        )
    }

    @Test func `schema, parser and 'config show' know the same members`() async throws {
        let schema = try Self.schemaMembers()
        let outcomes = ["canceled", "failed", "expired"].map { "retention.\($0)" }
        let files = ["store", "tokenFile", "headersFile", "problemsFile"]
        #expect(schema == Set(Self.values.keys).union(outcomes).union(files))
        try await World.with { world in
            let shown = try await world.run("config", "show", "--json")
            try await SchemaCheck.expect(shown.output, fits: "cli/config-show", in: world)
            let members = try shown.json["settings"].list.compactMap { $0["member"].text }
            #expect(Set(members) == schema && members.count == schema.count)
        }
    }

    /// Values of all types, some of which are valid for some members.
    private static let candidates = [
        "null", "true", "false", "0", "1", "-1", "47", "1000001", "1.5", #""""#, #""text""#,
        #""two words""#, #""two\nlines""#, #""a\u007fb""#, "[]", "{}", #"[""]"#, #"["text"]"#,
        "[1]",
        #"["https"]"#, #"["swish","lamp+x"]"#, #"["*.bank.example"]"#, #"["***.x"]"#, #"["a..b"]"#,
        #"["a_b-c.d"]"#, #"{"nonsense":1}"#, #""10s""#, #""0s""#, #""00h0s""#, #""2h30m""#,
        #""30m2h""#,
        #""5min""#, #""1m""#, #""1d1ms""#, #""500ms""#, #""90d""#, #""1 d""#, #""10""#, #""0""#,
        #""javascript""#,
        #""lampshop""#, #""9lamp""#, #""127.0.0.1:47""#, #""sqlite:x.db""#, #"{"period":"90d"}"#,
        #"{"tries":0}"#,
        #"{"command":"a","file":"b"}"#, #"{"command":"a"}"#, #"{"enabled":1}"#,
        #"["10.0.0.0/8"]"#, #"["::1"]"#, #"["300.1.1.1"]"#, #"{"a":["viewer"]}"#, #"{"a":["x"]}"#,
        #"{"a":[]}"#, #"{"":["viewer"]}"#,
    ]

    /// Every known and unknown member with every value, at the top level and in a profile.
    private static func documents() throws -> [String] {
        var members = try schemaMembers().union([
            "$schema", "nonsense", "client.nonsense", "limits.x",
        ])
        members.formUnion(["recovery.x", "keys.x", "audit.x", "retention.x", "eventLogging.x"])
        members.formUnion(["client", "limits", "keys", "retention", "profiles", "recovery"])
        // The content of a file is not known before it is read.
        members.remove("problemsFile")
        var documents: [String] = []
        for member in members.sorted() {
            let names = member.split(separator: ".").map(String.init)
            for value in candidates {
                let said = names.count == 1 ? value : "{\"\(names[1])\":\(value)}"
                documents.append("{\"\(names[0])\":\(said)}")
                documents.append("{\"profiles\":{\"live\":{\"\(names[0])\":\(said)}}}")
            }
        }
        for name in ["live", "a.b-c_9", "", "two words", "ä", String(repeating: "x", count: 65)] {
            documents.append("{\"profiles\":{\"\(name)\":{}}}")
        }
        return documents
    }

    @Test(.tags(.repeatedThoroughly))
    func `the schema accepts and refuses the same files as the parser`() async throws {
        try await World.with { world in
            let all = try Self.documents()
            // In the fast tier every fifth: other values for each member, at both levels.
            let step = Tier.isThorough ? 1 : 5
            let documents = stride(from: 0, to: all.count, by: step).map { all[$0] }
            _ = try world.write(documents.joined(separator: "\n") + "\n", to: "documents.ndjson")
            let script = """
                import json, jsonschema, sys
                schema = json.load(open("\(SchemaCheck.folder)/configuration.schema.json"))
                jsonschema.Draft202012Validator.check_schema(schema)
                validator = jsonschema.Draft202012Validator(schema)
                for line in open("documents.ndjson"):
                    print("yes" if validator.is_valid(json.loads(line)) else "no")
                """
            let path = try world.write(script, to: "judge.py")
            let judged = try await world.tool.shell("python3 \(path)")
            let verdicts = judged.output.split(separator: "\n").map { $0 == "yes" }
            try #require(verdicts.count == documents.count, "\(judged.diagnostics)")
            let options = try GlobalOptions.parse(["--config", world.folder + "/config.json"])
            var (taken, differing) = (0, [String]())
            for (document, verdict) in zip(documents, verdicts) {
                _ = try world.write(document, to: "config.json")
                let isTaken: Bool
                do {
                    try ConfigurationFile.read(options, environment: [:]).check()
                    isTaken = true
                } catch {
                    isTaken = false
                }
                if isTaken { taken += 1 }
                // A schema cannot express whether a text names a store.
                if isTaken != verdict, !document.contains("\"store\"") {
                    differing.append("\(document): the schema says \(verdict ? "yes" : "no")")
                }
            }
            #expect(differing == [])
            #expect(taken > 200 / step && taken < documents.count / 2)
        }
    }
}
