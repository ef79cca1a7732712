import Foundation
import Testing

@testable import EventLog
@testable import SwedbankPay

/// A log whose numbers have another form than in the bytes that were hashed.
@Suite struct NumberFormTests {
    private static let script = PythonScript.verifyChain

    @Test(arguments: ["1.0", "1e0", "1E0", "1.00000000000000000001", "10e-1", "1.0e+0"])
    func `a sequence number with a fraction or an exponent is refused`(form: String) async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let log = try await world.run("log", session, "--json").output
            let sound = try world.write(log, to: "sound.ndjson")
            #expect(try await world.run("verify", sound).status == 0)
            let other = log.replacing(#""seq":1,"#, with: "\"seq\":\(form),")
            #expect(other != log)
            let path = try world.write(other, to: "other.ndjson")
            let refused = try await world.run("verify", path)
            #expect(refused.status == 65, "\(refused.output)")
            let script = try await world.tool.shell("python3 \(Self.script) sound.ndjson")
            #expect(script.status == 0, "\(script.diagnostics)")
            let independent = try await world.tool.shell("python3 \(Self.script) other.ndjson")
            #expect(independent.status == 1)
        }
    }

    @Test func `exact parsing accepts only plain integers, and other parsing goes by the value`()
        throws
    {
        for text in ["1.0", "1e0", "1E2", "-0", "0.0", "-0.0", "[1, 2.0]", #"{"a": 1e1}"#] {
            #expect(throws: EventDecodingError.number, "\(text)") {
                try JSONValue(parsing: Array(text.utf8), exactNumbers: true)
            }
        }
        let sound = #"{"1.0": "1e0 \" -0 1.5", "a": [0, -10, 100, true, false, null]}"#
        _ = try JSONValue(parsing: Array(sound.utf8), exactNumbers: true)
        #expect(try JSONValue(parsing: Array("[1.0]".utf8)) == .array([.integer(1)]))
    }
}

/// The verifiers in other languages, which are beside the tests.
private enum PythonScript {
    static let verifyChain = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Tools/verify_chain.py").path()
}
