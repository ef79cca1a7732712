internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `diagram`: a session as a sequence diagram.
struct DiagramCommand: SessionOrFileCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draw a session as a sequence diagram.",
        discussion: """
            Payer, app, engine, PSP and bank side by side, and who told whom what, with its place in the log. Sealed \
            values are not in it, and secrets in text are masked. A picture (png) needs librsvg's rsvg-convert, and \
            no browser.

            With --json: an object with the format and the text of the diagram.

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
            "mermaid, svg or png. Default: as the output's name ends, else mermaid.",
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
                "a diagram is not written in the form that the file's name ends with",
                hint: "name it .svg, .png or .mmd, or say which with --format"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let format = format ?? DiagramFormat(path: output.output) ?? .mermaid
        guard format != .png || !global.json else {
            throw .usage("picture", "a picture (png) is not written as JSON")
        }
        guard format != .png || output.isFile || !invocation.output.isTerminal else {
            throw .usage(
                "picture",
                "a terminal shows no picture",
                hint: "give a file with -o, or send the output to one"
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

/// What a diagram is written as.
enum DiagramFormat: String, CaseIterable, Sendable {
    /// The language of Mermaid, which Markdown pages and tickets show.
    case mermaid
    /// A drawing that every browser shows.
    case svg
    /// A picture.
    case png

    /// The format that a file's name ends with.
    init?(path: String) {
        switch path.split(separator: ".").last?.lowercased() {
        case "svg": self = .svg
        case "png": self = .png
        case "mmd", "mermaid": self = .mermaid
        default: return nil
        }
    }

    /// Whether a file's name ends with a form that diagrams don't have.
    static func isOther(_ path: String) -> Bool {
        let ending = path.split(separator: ".").last?.lowercased() ?? ""
        return ["pdf", "jpg", "jpeg", "gif", "webp", "htm", "html"].contains(ending)
    }
}

extension DiagramFormat: ExpressibleByArgument {}
