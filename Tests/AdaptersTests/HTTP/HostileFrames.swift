/// Frames that a client must reject.
enum HostileFrames {
    typealias Frame = FrameServer.Frame

    /// Frames that are sent once, and frames that are repeated.
    static let endless: [(String, [Frame], [Frame])] = [
        ("pings", [], [Frame(kind: .ping, stream: 0, payload: [UInt8](repeating: 1, count: 8))]),
        ("settings", [], [Frame(kind: .settings, stream: 0)]),
        ("empty data", [.status()], [.body("", isLast: false)]),
        ("unknown", [], [Frame(kind: .unheardOf, payload: [UInt8](repeating: 0, count: 16_000))]),
        (
            "body", [.status()],
            [Frame(kind: .data, payload: [UInt8](repeating: 0x20, count: 16_384))]
        ),
        // Header lines `x: yyy…` in a block that never ends.
        (
            "headers", [Frame(kind: .headers, payload: [0x88])],
            [
                Frame(
                    kind: .continuation,
                    payload: (0..<150).flatMap { _ in
                        [0x00, 1, UInt8(ascii: "x"), 100] + [UInt8](repeating: 0x79, count: 100)
                    }
                )
            ]
        ),
    ]

    /// `content-length` with a value; the name is in the static table of HPACK.
    private static func length(_ value: String) -> [UInt8] {
        [0x0F, 0x0D, UInt8(value.utf8.count)] + Array(value.utf8)
    }

    static let malformed: [(String, [Frame])] = [
        ("data before headers", [.body("ok")]),
        ("a body longer than said", [.status(Frame.endOfHeaders, length("1")), .body("four")]),
        ("a body shorter than said", [.status(Frame.endOfHeaders, length("9")), .body("four")]),
        (
            "headers that no table explains",
            [Frame(kind: .headers, flags: 5, payload: [UInt8](repeating: 0xFF, count: 40))]
        ),
        (
            "headers that refer to nothing",
            [Frame(kind: .headers, flags: 5, payload: [0x88, 0xFE])]
        ),
        (
            "a frame longer than allowed",
            [Frame(kind: .data, payload: [UInt8](repeating: 1, count: 9), length: 0xFF_FFFF)]
        ),
        ("settings of a wrong length", [Frame(kind: .settings, stream: 0, payload: [0, 1, 0])]),
        ("settings on a stream", [Frame(kind: .settings, stream: 1)]),
        ("a ping of a wrong length", [Frame(kind: .ping, stream: 0, payload: [1, 2, 3])]),
        ("an uninvited continuation", [Frame(kind: .continuation, flags: 4, payload: [0x88])]),
        (
            "a window that overflows",
            [Frame(kind: .windowUpdate, stream: 0, payload: [0x7F, 0xFF, 0xFF, 0xFF])]
        ),
        ("a window that grows by nothing", [Frame(kind: .windowUpdate, payload: [0, 0, 0, 0])]),
        (
            "a promise that was not allowed",
            [Frame(kind: .pushPromise, flags: 4, payload: [0, 0, 0, 2, 0x82])]
        ),
        (
            "no status at all",
            [Frame(kind: .headers, flags: 4, payload: length("2")), .body("ok")]
        ),
        (
            "a status that is none",
            [Frame(kind: .headers, flags: 4, payload: [0x08, 3] + Array("abc".utf8)), .body("ok")]
        ),
        ("half a frame", [Frame(kind: .headers, flags: 5, payload: [0x88], length: 9)]),
        (
            "padding longer than the frame",
            [.status(), Frame(kind: .data, flags: 9, payload: [200, 1])]
        ),
        (
            "a name in capitals",
            [
                Frame(
                    kind: .headers,
                    flags: 4,
                    payload: [0x88, 0x00, 1, UInt8(ascii: "X"), 1, 0x79]
                ), .body("ok"),
            ]
        ),
    ]
}
