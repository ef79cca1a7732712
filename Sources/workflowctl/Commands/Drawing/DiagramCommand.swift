internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `diagram`: draws a session as a sequence diagram.
struct DiagramCommand: SessionOrFileCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draw a sequence diagram of a session.",
        discussion: """
            Shows the messages between payer, app, engine, PSP and bank, each with its \
            sequence number in the log. Sealed values are left out. PNG output requires rsvg-convert (librsvg). With --json, prints an object \
            with the format and the text of the diagram.

            Examples:
              workflowctl diagram SESSION
              workflowctl diagram SESSION --format svg -o case.svg
              workflowctl diagram SESSION -o case.png
              workflowctl log SESSION --json | workflowctl diagram -
            """
    )

    @OptionGroup var source: LogArguments

    @Option(
        help: ArgumentHelp(
            "mermaid, svg or png. Default: from the output file's extension, else mermaid.",
            valueName: "format"
        )
    )
    var format: DiagramFormat?

    @OptionGroup var output: OutputOption

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        _ = try source.chosen()
        try LogToShow.refuse(global)
        guard format != nil || !output.isFile || !DiagramFormat.isOther(output.output) else {
            throw .usage(
                "picture",
                "this file extension is not a diagram format",
                hint: "use .svg, .png or .mmd, or choose the format with --format"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let format = format ?? DiagramFormat(path: output.output) ?? .mermaid
        guard format != .png || !global.json else {
            throw .usage("picture", "PNG output cannot be combined with --json")
        }
        guard format != .png || output.isFile || !invocation.output.isTerminal else {
            throw .usage(
                "picture",
                "PNG output cannot be written to a terminal",
                hint: "write it to a file with -o FILE"
            )
        }
        let log = try await LogToShow.read(source, for: self, in: invocation)
        let diagram = SequenceDiagram(log)
        let clock = DisplayClock(offset: LocalTime.offset)
        let text: String
        switch format {
        case .mermaid: text = MermaidText.text(diagram)
        case .svg: text = SVGDrawing(diagram, by: clock).document
        case .png:
            let picture = SVGDrawing(diagram, by: clock)
            try output.write(
                try PNGPicture.bytes(of: picture, environment: invocation.environment),
                in: invocation
            )
            return .done
        }
        if global.json {
            let document = JSONDocument.text([
                "diagram": .string(text), "format": .string(format.rawValue),
            ])
            try output.write(Array((document + "\n").utf8), isJSON: true, in: invocation)
        } else {
            try output.write(Array(text.utf8), in: invocation)
        }
        return .done
    }
}

/// The format of a diagram.
enum DiagramFormat: String, CaseIterable, Sendable {
    /// The source text of a Mermaid diagram, which Markdown pages and issue trackers display.
    case mermaid
    /// An SVG document.
    case svg
    /// A PNG picture.
    case png

    /// Returns the format for the extension of a file's name.
    init?(path: String) {
        switch path.pieces(between: ".").last?.lowercased() {
        case "svg": self = .svg
        case "png": self = .png
        case "mmd", "mermaid": self = .mermaid
        default: return nil
        }
    }

    /// Whether a file's name has an extension for which there is no format.
    static func isOther(_ path: String) -> Bool {
        let ending = path.pieces(between: ".").last?.lowercased() ?? ""
        return ["pdf", "jpg", "jpeg", "gif", "webp", "htm", "html"].contains(ending)
    }
}

extension DiagramFormat: ExpressibleByArgument {}
