internal import EventLog
internal import Inspection

/// The destination of a command's output: a terminal, a pipe or a file.
///
/// All output to standard output and standard error passes through sinks, which make it safe:
/// messages, logs and arguments contain text from outside, and a terminal obeys control characters
/// in it. Escape sequences are written only for ``StyledText/Piece/role`` and ``ScreenMove``, and
/// never copied from text.
struct Sink: Sendable {
    /// Whether it is a terminal, which a person reads.
    let isTerminal: Bool
    /// The width in columns, if it is known.
    let columns: Int?
    /// How text is styled.
    let style: Style
    /// Whether the reader has closed the destination.
    let isGone: @Sendable () -> Bool
    /// Writes bytes unchanged.
    private let put: @Sendable ([UInt8]) -> Void
    /// Whether each line of text is written as a JSON object.
    private(set) var isJSON = false

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

    /// Returns a sink like this one whose bytes go elsewhere, as to a pager.
    func passing(to put: @escaping @Sendable ([UInt8]) -> Void) -> Sink {
        Sink(isTerminal: isTerminal, columns: columns, style: style, isGone: isGone, put: put)
    }

    /// Returns a sink like this one that writes each line of text as a JSON object, and on which
    /// nothing is drawn.
    func asJSON() -> Sink {
        let plain = Style(isColored: false, isUnicode: style.isUnicode)
        var sink = Sink(isTerminal: false, columns: nil, style: plain, isGone: isGone, put: put)
        sink.isJSON = true
        return sink
    }

    /// Writes plain text.
    func write(_ words: String) {
        let text = Screen.visible(words)
        guard isJSON else { return put(Array(text.utf8)) }
        for line in text.pieces(between: "\n") { write(JSONMessage(line: line)) }
    }

    /// Writes a message as a JSON object on one line.
    func write(_ message: JSONMessage) {
        // The reader may be a terminal all the same.
        put(Array(Screen.escaped(json: message.line(at: Invocation.wallClock())).utf8))
    }

    /// Writes an error: as text, or as a JSON object.
    func write(_ failure: Failure) {
        guard isJSON else {
            let rest = String(wrapped("error:" + failure.tail).dropFirst("error:".count))
            return write(style.paint("error:", .bad) + rest + "\n")
        }
        write(JSONMessage(failure))
    }

    /// Returns a message with its lines wrapped to the width of the terminal.
    ///
    /// Commands in quotation marks stay on one line, so that they can be copied.
    func wrapped(_ message: String) -> String {
        guard isTerminal, !isJSON, let columns else { return message }
        let lines = message.pieces(between: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            guard String(line).cellCount > columns else { return String(line) }
            return Self.unbroken(line).reduce(into: [String]()) { lines, word in
                if let last = lines.last, last.cellCount + 1 + word.cellCount <= columns {
                    lines[lines.count - 1] += " " + word
                } else {
                    lines.append(word)
                }
            }
            .joined(separator: "\n")
        }
        .joined(separator: "\n")
    }

    /// The words of a line, with what is in quotation marks as one word.
    private static func unbroken(_ line: Substring) -> [String] {
        var (words, isQuoted): ([String], Bool) = ([], false)
        for piece in line.pieces(between: " ", omittingEmptySubsequences: false) {
            if isQuoted {
                words[words.count - 1] += " " + piece
            } else {
                words.append(String(piece))
            }
            let bare = piece.unicodeScalars.filter { !"(),;.:".unicodeScalars.contains($0) }
            let quote: Unicode.Scalar = "'"
            if !isQuoted, bare.first == quote { isQuoted = true }
            if isQuoted, bare.count > 1, bare.last == quote { isQuoted = false }
        }
        return words
    }

    /// Writes styled text.
    func write(_ text: StyledText) {
        guard !isJSON else { return write(text.words) }
        var written = ""
        for piece in text.pieces {
            let words = Screen.visible(piece.words)
            written += piece.role.map { "\u{1B}[\($0.code)m\(words)\u{1B}[0m" } ?? words
        }
        put(Array(written.utf8))
    }

    /// Draws on a terminal at positions of its screen.
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

    /// Writes a document for programs unchanged, except on a terminal, where control characters are
    /// escaped (JSON) or replaced (anything else).
    ///
    /// - Returns: False when something was changed.
    @discardableResult
    func write(document bytes: [UInt8], isJSON: Bool) -> Bool {
        guard isTerminal || self.isJSON else {
            put(bytes)
            return true
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let shown = Array((isJSON ? Screen.escaped(json: text) : Screen.visible(text)).utf8)
        put(shown)
        return shown == bytes
    }
}

/// An operation on a terminal's screen.
enum ScreenMove {
    case text(StyledText)
    /// Moves to the upper left corner.
    case home
    /// Moves to the beginning of the line.
    case lineStart
    /// Moves to the beginning of the next line.
    case nextLine
    case clearRestOfLine, clearBelow
    case showCursor, hideCursor
    /// Switches to another screen, so that the content of this one can be restored.
    case enterOtherScreen, leaveOtherScreen

    /// The escape sequence.
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
