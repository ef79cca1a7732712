internal import Inspection

/// A piece of a page.
///
/// Only what is written in the source is markup: text that is put into it is escaped, so that no
/// text from outside can become an element, an attribute or a script.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    /// The markup.
    private(set) var text: String

    init(stringLiteral literal: String) { text = literal }

    init(stringInterpolation pieces: StringInterpolation) { text = pieces.text }

    /// Nothing.
    static let none: HTML = ""

    /// Markup that somebody else has escaped.
    init(trusted markup: String) { text = markup }

    /// The pieces between which interpolations stand.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        /// Text for an element or for an attribute between double quotes.
        mutating func appendInterpolation(_ value: some StringProtocol) {
            text += Markup.escaped(Screen.safe(value))
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) { text += "\(number)" }

        mutating func appendInterpolation(_ markup: HTML) { text += markup.text }

        /// Text whose line ends and tabs stay.
        mutating func appendInterpolation(lines value: String) {
            text += Markup.escaped(Screen.visible(value))
        }

        /// Markup that is there only sometimes.
        mutating func appendInterpolation(_ markup: HTML?) { text += markup?.text ?? "" }
    }

    static func += (left: inout HTML, right: HTML) { left.text += right.text }

    static func + (left: HTML, right: HTML) -> HTML { HTML(trusted: left.text + right.text) }
}

extension Sequence {
    /// The markup of all elements, one after the other.
    func html(_ markup: (Element) -> HTML) -> HTML {
        reduce(into: HTML.none) { $0 += markup($1) }
    }
}

/// A table that becomes a list of cards where there is no room for its columns.
///
/// The roles are written, since an element that is laid out as a card would lose them.
struct DataTable {
    /// A column: its heading, and the class of its cells.
    struct Column {
        var title: String
        var style: String = ""
    }

    var caption: String
    var columns: [Column]
    var rows: [[HTML]]

    var html: HTML {
        """
        <div class="table"><table role="table"><caption>\(caption)</caption>
        <thead role="rowgroup"><tr role="row">\(columns.html(heading))</tr></thead>
        <tbody role="rowgroup">\(rows.html(line))</tbody></table></div>

        """
    }

    private func heading(_ column: Column) -> HTML {
        "<th role=\"columnheader\" scope=\"col\" class=\"\(column.style)\">\(column.title)</th>"
    }

    private func line(_ cells: [HTML]) -> HTML {
        let cells = zip(cells, columns).html { cell, column in
            "<td role=\"cell\" class=\"\(column.style)\" data-label=\"\(column.title)\">\(cell)</td>"
        }
        return "<tr role=\"row\">\(cells)</tr>\n"
    }
}
