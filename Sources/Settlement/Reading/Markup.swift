internal import CExpat

/// A part of an XML document, in the order of the document.
enum MarkupEvent {
    /// An element begins on a line.
    case start(String, [(name: String, value: String)], line: Int)
    /// Text of the current element; it may come in several pieces.
    case text(String)
    /// An element ends.
    case end(String)
}

/// Reads XML from outside with Expat, which resolves nothing and loads nothing.
///
/// A document type is refused where it begins, so there are no entities to expand and none that
/// name a file. Names are given without their namespace.
enum Markup {
    /// Reads a document, and passes its parts on.
    ///
    /// - Throws: ``UnreadableReport`` for a document that is not well-formed, not in UTF-8, has a
    ///   document type or exceeds a limit; or what `receive` throws.
    static func read(
        _ bytes: [UInt8],
        within limits: SettlementLimits,
        _ receive: (MarkupEvent) throws(UnreadableReport) -> Void
    ) throws(UnreadableReport) {
        guard !bytes.starts(with: [0xFE, 0xFF]), !bytes.starts(with: [0xFF, 0xFE]) else {
            throw MarkupReading.wrongEncoding
        }
        guard bytes.count <= Int(CInt.max), let parser = XML_ParserCreateNS(nil, 0x7C) else {
            throw .limit("the document is too large", Int(CInt.max))
        }
        defer { XML_ParserFree(parser) }
        let failure = withoutActuallyEscaping(receive) { receive in
            let reading = MarkupReading(parser, limits, receive)
            reading.run(bytes)
            return reading.failure
        }
        if let failure { throw failure }
    }
}

/// The state of reading one document, which the callbacks of the library reach.
private final class MarkupReading {
    typealias Receiver = (MarkupEvent) throws(UnreadableReport) -> Void

    static let wrongEncoding = UnreadableReport(.unsafe, "it is not encoded in UTF-8")

    private let parser: XML_Parser
    private let limits: SettlementLimits
    private let receive: Receiver
    private var depth = 0
    private(set) var failure: UnreadableReport?

    init(_ parser: XML_Parser, _ limits: SettlementLimits, _ receive: @escaping Receiver) {
        (self.parser, self.limits, self.receive) = (parser, limits, receive)
    }

    /// Reads the whole document.
    func run(_ bytes: [UInt8]) {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { MarkupReading.of($0)?.start($1, $2) },
            { MarkupReading.of($0)?.end($1) }
        )
        XML_SetCharacterDataHandler(parser) { data, text, count in
            MarkupReading.of(data)?.text(text, Int(count))
        }
        XML_SetXmlDeclHandler(parser) { data, _, encoding, _ in
            MarkupReading.of(data)?.declaration(encoding)
        }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            MarkupReading.of(data)?.stop(
                UnreadableReport(
                    .unsafe,
                    "it has a document type (DOCTYPE), which may define entities"
                )
            )
        }
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(
                parser,
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                CInt(buffer.count),
                1
            )
        }
        guard status != XML_STATUS_OK, failure == nil else { return }
        let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
        failure = UnreadableReport(
            .malformed,
            "it is not well-formed XML: \(words ?? "unknown error")",
            at: "line \(line)"
        )
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> MarkupReading? {
        data.map { Unmanaged<MarkupReading>.fromOpaque($0).takeUnretainedValue() }
    }

    private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    private func stop(_ failure: UnreadableReport) {
        self.failure = self.failure ?? failure.at("line \(line)")
        XML_StopParser(parser, 0)
    }

    private func pass(_ event: MarkupEvent) {
        guard failure == nil else { return }
        do throws(UnreadableReport) { try receive(event) } catch { stop(error) }
    }

    private func declaration(_ encoding: UnsafePointer<CChar>?) {
        // Expat also calls this for the text declaration of entities, which do not occur here.
        guard let encoding else { return }
        let name = String(cString: encoding).lowercased()
        if name != "utf-8", name != "us-ascii" { stop(Self.wrongEncoding) }
    }

    private func start(
        _ name: UnsafePointer<CChar>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        depth += 1
        guard depth <= limits.depth else {
            return stop(.limit("elements are nested too deeply", limits.depth))
        }
        var found: [(name: String, value: String)] = []
        var next = attributes
        while let pair = next, let name = pair[0], let value = pair[1] {
            guard found.count < limits.columns else {
                return stop(.limit("an element has too many attributes", limits.columns))
            }
            let text = String(cString: value)
            guard text.utf8.count <= limits.valueBytes else {
                return stop(.limit("an attribute is too long", limits.valueBytes))
            }
            found.append((Self.local(name), text))
            next = pair + 2
        }
        pass(.start(Self.local(name), found, line: line))
    }

    private func end(_ name: UnsafePointer<CChar>?) {
        depth -= 1
        pass(.end(Self.local(name)))
    }

    private func text(_ text: UnsafePointer<CChar>?, _ count: Int) {
        guard let text else { return }
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        pass(.text(String(decoding: bytes, as: UTF8.self)))
    }

    /// Returns a name without its namespace.
    private static func local(_ name: UnsafePointer<CChar>?) -> String {
        guard let name else { return "" }
        let bytes = String(cString: name).utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "|")).map { bytes.index(after: $0) }
        return String(decoding: bytes[(start ?? bytes.startIndex)...], as: UTF8.self)
    }
}
