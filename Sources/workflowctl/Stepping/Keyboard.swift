internal import Adapters
internal import Glibc
internal import Inspection

/// A terminal that delivers keys one by one, while the user steps through a log.
///
/// Its settings are restored when this ends, also when the process is suspended or asked to end.
///
/// - Note: Isolation: one thread; one at a time in a process.
final class Keyboard {
    /// A key that the user pressed.
    enum Key: Hashable {
        case forward, back, first, last, pageForward, pageBack, scrollDown, scrollUp
        case enter, erase, leave, interrupt
        /// Shows the keys; shows unchanged snapshots one by one; wraps long values.
        case help, unfold, wrap
        case digit(Character)
        /// The size changed, or another process used the terminal: everything must be redrawn.
        case redraw
        /// A key without a meaning.
        case other
    }

    /// How long to wait for a key before checking whether the command should end.
    static let patienceMilliseconds: Int32 = 100

    private let terminal: Int32
    private let isOwn: Bool
    private let before: termios
    private let show: ([ScreenMove]) -> Void

    /// The ends of the pipe for signals, because a signal handler may do little more than write.
    nonisolated(unsafe) private static var bell: (read: Int32, write: Int32) = (-1, -1)
    // Unsafe: written before the handlers are set and after they are removed, by the thread that
    // has the keyboard.

    private static let signals = [SIGTSTP, SIGCONT, SIGWINCH]

    /// Opens the terminal of standard input, or else the controlling terminal of the process.
    ///
    /// Returns `nil` when there is no terminal. `show` writes to the screen.
    init?(standardInput: Int32?, show: @escaping ([ScreenMove]) -> Void) {
        let given = standardInput.flatMap { isatty($0) == 1 ? $0 : nil }
        terminal = given ?? open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        isOwn = given == nil
        self.show = show
        let known = Self.settings(of: terminal)
        let ends = known == nil ? nil : ChildProcess.pipeEnds()
        guard let known, let ends else {
            if isOwn, terminal >= 0 { close(terminal) }
            return nil
        }
        before = known
        for end in [ends.read, ends.write] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        Self.bell = ends
        Self.listen()
        claimTerminal()
    }

    /// Returns a terminal's settings; `nil` when it is not a terminal.
    private static func settings(of terminal: Int32) -> termios? {
        guard terminal >= 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: termios.self, capacity: 1) { place in
            guard let settings = place.baseAddress, tcgetattr(terminal, settings) == 0 else {
                return nil
            }
            return settings.pointee
        }
    }

    /// Restores the terminal.
    func end() {
        releaseTerminal()
        for number in Self.signals { signal(number, SIG_DFL) }
        close(Self.bell.read)
        close(Self.bell.write)
        Self.bell = (-1, -1)
        if isOwn { close(terminal) }
    }

    /// Returns the next key; `nil` when none was pressed for a while.
    func next() -> Key? {
        var waiting = [
            pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
            pollfd(fd: Self.bell.read, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waiting, 2, Self.patienceMilliseconds) > 0 else { return nil }
        if waiting[1].revents != 0, let key = answerSignal() { return key }
        guard waiting[0].revents != 0 else { return nil }
        guard let byte = byte() else { return .leave }
        return key(byte)
    }

    private func key(_ byte: UInt8) -> Key {
        switch byte {
        case 0x03: return .interrupt
        case 0x04: return .leave
        case 0x1A:
            stop()
            return .redraw
        case 0x0C: return .redraw
        case 0x0D, 0x0A: return .enter
        case 0x08, 0x7F: return .erase
        case 0x1B: return escape()
        default: break
        }
        switch Character(UnicodeScalar(byte)) {
        case "l", "n", " ": return .forward
        case "h", "p", "b": return .back
        case "g": return .first
        case "G": return .last
        case "f": return .pageForward
        case "u": return .pageBack
        case "j": return .scrollDown
        case "k": return .scrollUp
        case "?": return .help
        case "e": return .unfold
        case "w": return .wrap
        case "q", "Q": return .leave
        case let digit where digit.isASCII && digit.isNumber: return .digit(digit)
        default: return .other
        }
    }

    /// Returns the key with an escape sequence.
    private func escape() -> Key {
        guard let second = byte(waiting: true) else { return .other }
        guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return .other }
        var parameter = ""
        while let next = byte(waiting: true) {
            switch next {
            case UInt8(ascii: "A"): return .scrollUp
            case UInt8(ascii: "B"): return .scrollDown
            case UInt8(ascii: "C"): return .forward
            case UInt8(ascii: "D"): return .back
            case UInt8(ascii: "H"): return .first
            case UInt8(ascii: "F"): return .last
            case UInt8(ascii: "~"):
                switch parameter {
                case "1", "7": return .first
                case "4", "8": return .last
                case "5": return .pageBack
                case "6": return .pageForward
                default: return .other
                }
            case 0x30...0x3B where parameter.utf8.count < 8:
                parameter.unicodeScalars.append(UnicodeScalar(next))
            default: return .other
            }
        }
        return .other
    }

    /// Reads a byte.
    ///
    /// `isWaiting` says whether it may still arrive, as the rest of a sequence does over a slow
    /// line.
    private func byte(waiting isWaiting: Bool = false) -> UInt8? {
        if isWaiting {
            var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Self.patienceMilliseconds) > 0 else { return nil }
        }
        var byte: UInt8 = 0
        var count = read(terminal, &byte, 1)
        while count < 0, errno == EINTR { count = read(terminal, &byte, 1) }
        return count == 1 ? byte : nil
    }
}

/// Using the terminal, and returning it.
extension Keyboard {
    private func claimTerminal() {
        readSingleKeys()
        show([.enterOtherScreen, .hideCursor])
    }

    private func readSingleKeys() {
        var raw = before
        cfmakeraw(&raw)
        tcsetattr(terminal, TCSADRAIN, &raw)
    }

    private func releaseTerminal() {
        show([.showCursor, .leaveOtherScreen])
        var state = before
        tcsetattr(terminal, TCSADRAIN, &state)
    }

    private static func listen() {
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for number in signals {
            sigaddset(&wanted, number)
            signal(number) { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Keyboard.bell.write, &byte, 1)
                errno = saved
            }
        }
        // The parent process may have left them blocked.
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }

    /// Stops the process as a shell expects it; returns when it is continued.
    private func stop() {
        releaseTerminal()
        signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        Self.listen()
        claimTerminal()
    }

    private func answerSignal() -> Key? {
        var numbers = [UInt8](repeating: 0, count: 64)
        let count = read(Self.bell.read, &numbers, numbers.count)
        guard count > 0 else { return nil }
        let seen = Set(numbers.prefix(count).map { Int32($0) })
        if seen.contains(SIGTSTP) {
            stop()
        } else if seen.contains(SIGCONT) {
            // The process was stopped without a request: the shell may have changed the terminal's
            // settings.
            readSingleKeys()
            show([.hideCursor])
        }
        return .redraw
    }
}
