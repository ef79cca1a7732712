extension Unicode.Scalar {
    /// Whether a terminal would interpret this character instead of showing it: move the cursor,
    /// change its title or colors, write from right to left, or hide it.
    ///
    /// These are Unicode's controls (C0, C1, DEL), formats (bidirectional controls, zero width,
    /// byte order mark, tags) and separators of lines and paragraphs.
    package var steersScreens: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
