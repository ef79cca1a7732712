internal import Adapters
internal import EventLog
internal import Glibc
internal import Inspection

/// Converts a drawing to a picture with librsvg's `rsvg-convert`; no browser is needed.
enum PNGPicture {
    /// The time limit of the conversion.
    static let timeLimit = Duration.seconds(60)
    /// The maximum size of a picture: 64 MiB.
    static let byteLimit = 64 << 20
    /// The maximum width and height of the library in pixels.
    static let sideLimit = 32_000
    private static let program = "rsvg-convert"

    /// Returns the picture, at twice the size of the drawing where possible, so that text stays
    /// sharp.
    static func bytes(
        of drawing: SVGDrawing,
        environment: [String: String]
    ) throws(Failure) -> [UInt8] {
        guard let path = path(in: environment) else {
            throw Failure(
                .unavailable,
                "diagram.no-renderer",
                "\(program), which PNG output requires, was not found",
                hint: "install it with 'apt-get install librsvg2-bin', or use --format svg"
            )
        }
        let side = max(drawing.size.width, drawing.size.height)
        guard side <= sideLimit else {
            throw failed("the diagram is too long for a PNG image")
        }
        let picture = ChildProcess.output(
            of: [path, "--format", "png", "--zoom", 2 * side <= sideLimit ? "2" : "1"],
            input: Array(drawing.document.utf8),
            environment: environment,
            outputLimit: byteLimit,
            timeLimit: timeLimit
        )
        guard let picture, picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
            throw failed("\(program) produced no output")
        }
        return picture
    }

    private static func path(in environment: [String: String]) -> String? {
        (environment["PATH"] ?? "").pieces(between: ":").map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }

    private static func failed(_ reason: String) -> Failure {
        Failure(
            .unavailable,
            "diagram.not-rendered",
            "the PNG image could not be created: \(reason)",
            hint: "use --format svg, which every browser can display"
        )
    }
}
