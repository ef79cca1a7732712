import LogFixtures
import SwedbankPay
import Testing

@testable import Inspection

/// Diagrams in Mermaid's language.
@Suite struct MermaidTests {
    @Test(arguments: GoldenLogs.names)
    func `mermaid source follows the grammar`(name: String) throws {
        let diagram = SequenceDiagram(try GoldenLogs.log(in: GoldenLogs.text(name)))
        let grammar = try #require(MermaidGrammar(MermaidText.text(diagram)))
        #expect(grammar.title == diagram.title)
        #expect(grammar.statements.count == diagram.steps.count)
    }

    @Test func `text from the PSP is escaped in Mermaid source and adds no statements`() throws {
        let diagram = SequenceDiagram(try GoldenLogs.log(in: GoldenLogs.hostileText()))
        let source = MermaidText.text(diagram)
        let grammar = try #require(MermaidGrammar(source), "\(source)")
        #expect(grammar.statements.count == diagram.steps.count)
        #expect(grammar.title == diagram.title && grammar.title.contains("<script>"))
        #expect(!source.contains("<") && !source.contains("%%") && !source.contains("`"))
        // A special character that is not escaped is detected.
        #expect(MermaidGrammar(source.replacing("#60;", with: "<")) == nil)
        #expect(MermaidGrammar(source.replacing("payer->>engine", with: "thief->>engine")) == nil)
    }
}
