/// A picture of a terminal that follows the viewer's light or dark scheme.
enum TerminalPicture {
    private static let style = """
        .w{fill:#fbfbfc;stroke:#d0d4d9}text{font:14px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;\
        fill:#24292f;white-space:pre}.b{font-weight:700}.d{fill:#6b7280}.r{fill:#b42318}.g{fill:#1a7f37}\
        .m{fill:#8250df}.c{fill:#0969a2}@media(prefers-color-scheme:dark){.w{fill:#161b22;stroke:#30363d}\
        text{fill:#e6edf3}.d{fill:#8b949e}.r{fill:#ff7b72}.g{fill:#56d364}.m{fill:#d2a8ff}.c{fill:#79c0ff}}
        """
    private static let classes = [
        "1": "b", "2": "d", "31": "r", "32": "g", "35": "m", "36": "c",
    ]

    /// Returns the picture of a text with the terminal's colors.
    static func svg(_ text: String, title: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let columns = lines.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "").count }.max() ?? 0
        let (width, height) = (Double(columns) * 8.43 + 32, lines.count * 20 + 24)
        var written = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Int(width))\" height=\"\(height)\" "
                + "viewBox=\"0 0 \(Int(width)) \(height)\" role=\"img\">",
            "<title>\(escaped(title))</title>", "<style>\(style)</style>",
            "<rect class=\"w\" x=\".5\" y=\".5\" width=\"\(Int(width) - 1)\" height=\"\(height - 1)\" rx=\"8\"/>",
        ]
        var current: [String] = []
        for (number, line) in lines.enumerated() {
            var spans = ""
            let parts = line.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                var shown = part
                if index > 0, let end = part.firstIndex(of: "m") {
                    let codes = part[..<end].split(separator: ";").map(String.init)
                    current = codes.contains("0") ? [] : current + codes.compactMap { classes[$0] }
                    shown = part[part.index(after: end)...]
                }
                guard !shown.isEmpty else { continue }
                let names = current.joined(separator: " ")
                spans +=
                    names.isEmpty
                    ? escaped(shown) : "<tspan class=\"\(names)\">\(escaped(shown))</tspan>"
            }
            if !spans.isEmpty {
                written.append(
                    "<text x=\"16\" y=\"\(number * 20 + 26)\" xml:space=\"preserve\">\(spans)</text>"
                )
            }
        }
        return (written + ["</svg>", ""]).joined(separator: "\n")
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }
}
