import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import workflowctl

/// What a configuration file may say, member by member.
@Suite struct ConfigurationMemberTests {
    /// Members with a value that is not the default; a dot stands between an object and its member.
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
        "retention.period": #""47d""#, "retention.completed": #""47d""#,
        "keys.command": #""cat lamp""#, "keys.file": #""lamp.key""#,
    ]

    /// Members that are no setting of their own: objects, and files that are asked for before or beside all else.
    private static let others: Set<String> = [
        "client", "eventLogging", "limits", "audit", "retention", "keys", "store", "tokenFile",
        "headersFile", "problemsFile",
    ]

    private func text(_ configuration: Configuration) -> String {
        var text = ""
        dump(configuration, to: &text)
        return text
    }

    @Test(arguments: values.keys.sorted())
    func `every member counts, also over a common part`(member: String) throws {
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
        // A part that says nothing of it takes nothing back.
        let read = text(configuration)
        try ConfigurationReader().read([], into: &configuration)
        #expect(text(configuration) == read)
    }

    @Test func `no member is forgotten here`() throws {
        let root = URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent()
        let tested = Set(
            Self.values.keys.flatMap { $0.split(separator: ".").map(String.init) }
        )
        for file in ["ConfigurationReader", "ConfigurationReader+Policies"] {
            let path = "Sources/workflowctl/Configuration/\(file).swift"
            let source = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            let members = source.matches(of: /case ("[A-Za-z]+"(?:, "[A-Za-z]+")*):/).flatMap {
                $0.1.split(separator: ", ").map { String($0.dropFirst().dropLast()) }
            }
            #expect(!members.isEmpty)
            for member in members {
                #expect(tested.contains(member) || Self.others.contains(member), "\(member)")
            }
        }
    }
}
