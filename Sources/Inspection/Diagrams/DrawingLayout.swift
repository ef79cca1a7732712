internal import SwedbankPay

/// The layout of a sequence diagram, in pixels.
package struct DrawingLayout {
    /// A step with its position.
    struct Row {
        var step: SequenceDiagram.Step
        /// The upper edge.
        var top: Int
        var height: Int
        /// The text, wrapped to lines that fit.
        var lines: [String]
    }

    /// The width of the column with sequence numbers and times.
    static let margin = 132
    /// From the middle of a lane to the middle of the next.
    static let distance = 206
    /// How wide a note over a single lane is.
    static let noteWidth = 310
    /// The size of a lane's head.
    static let head = (width: 150, height: 30)
    /// The distance between the baselines of two lines of text.
    static let lineHeight = 16
    /// The assumed width of a character: about the widest of the usual fonts at 12 pixels.
    static let characterWidth = 7
    /// The upper edge of the heads.
    static let headTop = 44
    private static let padding = 10

    let lanes: [SequenceDiagram.Lane]
    private(set) var rows: [Row] = []
    /// The lower end of the lanes.
    private(set) var bottom: Int

    package init(_ diagram: SequenceDiagram) {
        lanes = diagram.lanes
        bottom = Self.headTop + Self.head.height + 14
        for step in diagram.steps {
            let lines = Screen.wrapped(step.text, to: columns(of: step.shape))
            let height = Self.height(of: step.shape, lines: lines.count)
            rows.append(Row(step: step, top: bottom, height: height, lines: lines))
            bottom += height
        }
        bottom += 8
    }

    /// The width of the drawing.
    var width: Int { Self.margin + lanes.count * Self.distance + 12 }

    /// The height of the drawing.
    var height: Int { bottom + Self.head.height + 16 }

    /// The middle of a lane.
    func middle(of lane: SequenceDiagram.Lane) -> Int {
        let index = lanes.firstIndex(of: lane) ?? 0
        return Self.margin + index * Self.distance + Self.distance / 2
    }

    /// The left and the right edge of a note's box; a note over a single lane is wide enough for
    /// the names of problems.
    func edges(of range: ClosedRange<SequenceDiagram.Lane>) -> (left: Int, right: Int) {
        let covered = lanes.filter(range.contains)
        let first = middle(of: covered.first ?? .engine)
        let last = middle(of: covered.last ?? .engine)
        guard first == last else {
            let half = Self.distance / 2 - 8
            return (first - half, last + half)
        }
        let half = Self.noteWidth / 2
        let left = min(max(Self.margin, first - half), width - 12 - Self.noteWidth)
        return (left, left + Self.noteWidth)
    }

    /// The number of characters that fit on a line of a step.
    private func columns(of shape: SequenceDiagram.Shape) -> Int {
        let pixels =
            switch shape {
            case .message(let from, let to, _):
                abs(middle(of: from) - middle(of: to)) - Self.padding
            case .note(let over): edges(of: over).right - edges(of: over).left - 2 * Self.padding
            case .gap: lanes.count * Self.distance - 2 * Self.padding
            }
        return max(12, pixels / Self.characterWidth)
    }

    private static func height(of shape: SequenceDiagram.Shape, lines: Int) -> Int {
        switch shape {
        case .message: lines * lineHeight + 20
        case .note: lines * lineHeight + 24
        case .gap: lineHeight + 14
        }
    }
}
