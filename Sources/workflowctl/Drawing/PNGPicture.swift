internal import Glibc
internal import Inspection

/// Converts a drawing to a PNG picture with librsvg's `rsvg-convert`; no browser is required.
enum PNGPicture {
    /// The time limit.
    static let timeLimit = Duration.seconds(60)
    /// The maximum size of a picture: 64 MiB.
    static let byteLimit = 64 << 20
    /// The maximum width and height of the library in pixels.
    static let sideLimit = 32_000
    private static let program = "rsvg-convert"

    /// Renders the picture at twice its size, where that is possible, so that text stays sharp.
    static func bytes(
        of drawing: SVGDrawing,
        environment: [String: String]
    ) throws(Failure) -> [UInt8] {
        guard let path = path(in: environment) else {
            throw Failure(
                .unavailable,
                "diagram.no-renderer",
                "there is no \(program) to make a picture with",
                hint: "apt-get install librsvg2-bin, or take --format svg"
            )
        }
        let side = max(drawing.size.width, drawing.size.height)
        guard side <= sideLimit else {
            throw failed("the drawing is longer than a picture can be")
        }
        let picture = ChildProcess.run(
            [path, "--format", "png", "--zoom", 2 * side <= sideLimit ? "2" : "1"],
            input: Array(drawing.document.utf8),
            environment: environment,
            outputLimit: byteLimit,
            timeLimit: timeLimit
        )
        guard let picture, picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
            throw failed("\(program) made none")
        }
        return picture
    }

    private static func path(in environment: [String: String]) -> String? {
        (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }

    private static func failed(_ reason: String) -> Failure {
        Failure(
            .unavailable,
            "diagram.not-rendered",
            "the picture could not be made: \(reason)",
            hint: "take --format svg, which every browser shows"
        )
    }
}
