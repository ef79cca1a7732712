import Foundation
import TestSupport
import Testing

/// The check of documents against schemas, on which many other tests rely.
@Suite struct SchemaCheckTests {
    @Test func `a document that does not fit its schema is refused, also beside one that fits`()
        throws
    {
        #expect(try SchemaCheck.faults(of: #"["a-schema"]"#, against: "cli/schema") == [])
        for wrong in ["[7]", #"{"a":1}"#, "[\"a-schema\"]\n[7]", "no JSON", ""] {
            #expect(
                try !SchemaCheck.faults(of: wrong, against: "cli/schema").isEmpty,
                "\(wrong)"
            )
        }
        #expect(try !SchemaCheck.faults(of: "[]", against: "cli/no-such-schema").isEmpty)
        #expect(try SchemaCheck.faults(of: #"["a-schema"]"#, against: "cli/schema") == [])
    }

    @Test func `every check fails once the validator has ended`() throws {
        let ended = AnsweringProcess("sh", ["-c", "echo ready; read first; echo '[]'"])
        #expect(try ended.answer(to: Data("{}".utf8)) == Data("[]\n".utf8))
        for _ in 1...2 {
            #expect(throws: AnsweringProcess.Ended.self) {
                try ended.answer(to: Data("{}".utf8))
            }
        }
    }
}
