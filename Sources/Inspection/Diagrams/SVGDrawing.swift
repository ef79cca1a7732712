internal import SwedbankPay
internal import Workflow

/// A sequence diagram as SVG, without scripts, links and style attributes; light or dark according
/// to the reader's preference.
package struct SVGDrawing {
    private let diagram: SequenceDiagram
    private let layout: DrawingLayout
    private let clock: DisplayClock
    private var elements: [String] = []

    /// Draws a diagram.
    ///
    /// - Parameters:
    ///   - diagram: The diagram.
    ///   - clock: The clock in which the diagram's start is printed.
    package init(_ diagram: SequenceDiagram, by clock: DisplayClock = .utc) {
        self.diagram = diagram
        self.clock = clock
        layout = DrawingLayout(diagram)
        drawLanes()
        for row in layout.rows { draw(row) }
    }

    /// The size in pixels.
    package var size: (width: Int, height: Int) { (layout.width, layout.height) }

    /// The drawing as a separate file.
    package var document: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        \(opening(" xmlns=\"http://www.w3.org/2000/svg\" width=\"\(layout.width)\" height=\"\(layout.height)\""))
        <style>\(DrawingStyle.document)</style>
        <rect class="d-ground" x="0" y="0" width="\(layout.width)" height="\(layout.height)"/>
        \(elements.joined(separator: "\n"))
        </svg>

        """
    }

    /// The drawing as part of an HTML page that includes ``DrawingStyle/rules``.
    package var embedded: String {
        "\(opening(""))\n\(elements.joined(separator: "\n"))\n</svg>\n"
    }

    private func opening(_ more: String) -> String {
        """
        <svg\(more) class="d-drawing" viewBox="0 0 \(layout.width) \(layout.height)" role="img" \
        aria-labelledby="d-title d-words">
        <title id="d-title">\(DocumentText.escaped(diagram.title))</title>
        <desc id="d-words">A sequence diagram of \(diagram.steps.count) steps, drawn from the session's log.</desc>
        """
    }

    private mutating func drawLanes() {
        elements.append(
            "<text class=\"d-name\" x=\"12\" y=\"26\">\(DocumentText.escaped(diagram.title))</text>"
        )
        elements.append(
            "<text class=\"d-time\" x=\"12\" y=\"64\">since \(clock.date(diagram.begin))</text>"
        )
        elements.append(
            "<text class=\"d-time\" x=\"12\" y=\"80\">\(clock.clock(diagram.begin)) \(clock.zone(at: diagram.begin))</text>"
        )
        for lane in layout.lanes {
            let middle = layout.middle(of: lane)
            let (first, last) = (DrawingLayout.headTop, layout.bottom)
            elements.append(
                "<path class=\"d-lane\" d=\"M\(middle) \(first + DrawingLayout.head.height)V\(last)\"/>"
            )
            for top in [first, last] { drawHead(lane.title, middle, top) }
        }
    }

    private mutating func drawHead(_ title: String, _ middle: Int, _ top: Int) {
        let (width, height) = DrawingLayout.head
        elements.append(
            "<rect class=\"d-head\" x=\"\(middle - width / 2)\" y=\"\(top)\" width=\"\(width)\" "
                + "height=\"\(height)\" rx=\"4\"/>"
        )
        elements.append(
            "<text class=\"d-title\" x=\"\(middle)\" y=\"\(top + 20)\">\(DocumentText.escaped(title))</text>"
        )
    }

    private mutating func draw(_ row: DrawingLayout.Row) {
        let step = row.step
        elements.append(
            "<g class=\"d-step d-\(step.tone.rawValue)\" data-first=\"\(step.places.lowerBound)\" "
                + "data-last=\"\(step.places.upperBound)\">"
        )
        elements.append(
            "<title>\(step.number) at \(clock.second(step.at)): \(DocumentText.escaped(step.text))</title>"
        )
        // Highlights the selected step, in pages where a step can be selected.
        elements.append(
            "<rect class=\"d-mark\" x=\"4\" y=\"\(row.top + 2)\" width=\"\(layout.width - 8)\" "
                + "height=\"\(row.height - 2)\" rx=\"4\"/>"
        )
        switch step.shape {
        case .message(let from, let to, let arrow): draw(row, from, to, arrow)
        case .note(let over): draw(row, over: over)
        case .gap: drawGap(row)
        }
        elements.append("</g>")
    }

    private mutating func drawPlace(of step: SequenceDiagram.Step, at base: Int) {
        elements.append("<text class=\"d-place\" x=\"44\" y=\"\(base)\">\(step.number)</text>")
        let offset = diagram.offset(of: step).offset
        elements.append("<text class=\"d-time\" x=\"54\" y=\"\(base)\">\(offset)</text>")
    }

    private mutating func draw(
        _ row: DrawingLayout.Row,
        _ from: SequenceDiagram.Lane,
        _ to: SequenceDiagram.Lane,
        _ arrow: SequenceDiagram.Arrow
    ) {
        let (start, end) = (layout.middle(of: from), layout.middle(of: to))
        let direction = end > start ? 1 : -1
        let base = row.top + row.lines.count * DrawingLayout.lineHeight
        let y = base + 8
        drawPlace(of: row.step, at: base)
        drawText(row.lines, middle: (start + end) / 2, top: row.top)
        switch arrow {
        case .request, .response:
            let line = arrow == .response ? "d-line d-response" : "d-line"
            elements.append("<path class=\"\(line)\" d=\"M\(start) \(y)H\(end - direction * 8)\"/>")
            elements.append(
                "<path class=\"d-tip\" d=\"M\(end - direction) \(y)L\(end - direction * 10) \(y - 5)V\(y + 5)Z\"/>"
            )
        case .lost:
            let cross = start + (end - start) * 3 / 4
            elements.append("<path class=\"d-line\" d=\"M\(start) \(y)H\(cross)\"/>")
            elements.append(
                "<path class=\"d-line\" d=\"M\(cross - 6) \(y - 6)L\(cross + 6) \(y + 6)"
                    + "M\(cross - 6) \(y + 6)L\(cross + 6) \(y - 6)\"/>"
            )
        }
    }

    private mutating func draw(
        _ row: DrawingLayout.Row,
        over range: ClosedRange<SequenceDiagram.Lane>
    ) {
        let (left, right) = layout.edges(of: range)
        elements.append(
            "<rect class=\"d-note\" x=\"\(left)\" y=\"\(row.top + 6)\" width=\"\(right - left)\" "
                + "height=\"\(row.height - 12)\" rx=\"4\"/>"
        )
        drawPlace(of: row.step, at: row.top + 6 + DrawingLayout.lineHeight)
        drawText(row.lines, middle: (left + right) / 2, top: row.top + 6)
    }

    private mutating func drawGap(_ row: DrawingLayout.Row) {
        let (left, right) = layout.edges(of: .payer ... .bank)
        let y = row.top + row.height / 2
        elements.append("<path class=\"d-gap\" d=\"M\(left) \(y)H\(right)\"/>")
        drawText(row.lines, middle: (left + right) / 2, top: y - 12)
    }

    private mutating func drawText(_ lines: [String], middle: Int, top: Int) {
        for (index, line) in lines.enumerated() {
            let base = top + (index + 1) * DrawingLayout.lineHeight
            elements.append(
                "<text class=\"d-text\" x=\"\(middle)\" y=\"\(base)\">\(DocumentText.escaped(line))</text>"
            )
        }
    }
}
