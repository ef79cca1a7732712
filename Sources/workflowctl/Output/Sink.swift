internal import Inspection

/// Where a command writes: a terminal, or something else.
///
/// All that the program writes to standard output and standard error passes here, and here alone it is made harmless:
/// words, logs and arguments come from outside, and a terminal obeys the control characters in them. Escape sequences are
/// written from ``StyledText/Piece/role`` and ``ScreenMove`` only, never recognised in text.
struct Sink: Sendable {
    /// Whether a person looks at it.
    let isTerminal: Bool
    /// The width in columns, when it is known.
    let columns: Int?
    /// How text is coloured on its way there.
    let style: Style
    /// Whether nobody reads any more.
    let isGone: @Sendable () -> Bool
    /// Takes bytes as they are.
    private let put: @Sendable ([UInt8]) -> Void

    init(
        isTerminal: Bool,
        columns: Int?,
        style: Style,
        isGone: @escaping @Sendable () -> Bool = { false },
        put: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.style = style
        self.isGone = isGone
        self.put = put
    }

    /// A sink like this one, whose bytes somebody else takes: a pager.
    func passing(to put: @escaping @Sendable ([UInt8]) -> Void) -> Sink {
        Sink(isTerminal: isTerminal, columns: columns, style: style, isGone: isGone, put: put)
    }

    /// Writes words.
    func write(_ words: String) { put(Array(Screen.visible(words).utf8)) }

    /// Writes words in their colours.
    func write(_ text: StyledText) {
        var written = ""
        for piece in text.pieces {
            let words = Screen.visible(piece.words)
            written += piece.role.map { "\u{1B}[\($0.code)m\(words)\u{1B}[0m" } ?? words
        }
        put(Array(written.utf8))
    }

    /// Writes on a terminal at places of its screen.
    func draw(_ moves: [ScreenMove]) {
        var written = ""
        for move in moves {
            if case .text(let text) = move {
                put(Array(written.utf8))
                written = ""
                write(text)
            } else {
                written += move.sequence
            }
        }
        put(Array(written.utf8))
    }

    /// Writes a document for programs: byte for byte, except on a terminal, where characters that could steer it are
    /// escaped (JSON) or replaced (anything else).
    ///
    /// - Returns: False when something was written otherwise than it is.
    @discardableResult
    func write(document bytes: [UInt8], isJSON: Bool) -> Bool {
        guard isTerminal else {
            put(bytes)
            return true
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let shown = Array((isJSON ? Screen.escaped(json: text) : Screen.visible(text)).utf8)
        put(shown)
        return shown == bytes
    }
}

/// What a program does to a terminal's screen besides writing words.
enum ScreenMove {
    case text(StyledText)
    /// To the upper left corner.
    case home
    /// To the beginning of the line.
    case lineStart
    /// To the beginning of the next line.
    case nextLine
    case clearRestOfLine, clearBelow
    case showCursor, hideCursor
    /// To another screen, so that what stands on this one comes back.
    case enterOtherScreen, leaveOtherScreen

    /// What terminals understand.
    fileprivate var sequence: String {
        switch self {
        case .text: ""
        case .home: "\u{1B}[H"
        case .lineStart: "\r"
        case .nextLine: "\r\n"
        case .clearRestOfLine: "\u{1B}[K"
        case .clearBelow: "\u{1B}[J"
        case .showCursor: "\u{1B}[?25h"
        case .hideCursor: "\u{1B}[?25l"
        case .enterOtherScreen: "\u{1B}[?1049h"
        case .leaveOtherScreen: "\u{1B}[?1049l"
        }
    }
}
