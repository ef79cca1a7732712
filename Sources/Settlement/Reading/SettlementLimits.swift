/// The limits of settlement files; each has a default far above what a merchant receives.
///
/// A file beyond one of them is refused as a whole, and nothing of it is used.
package struct SettlementLimits: Hashable, Sendable {
    /// The maximum size of a file, in bytes.
    package var fileBytes = 128 << 20
    /// The maximum size of the unpacked parts of a workbook together, in bytes.
    package var unpackedBytes = 256 << 20
    /// The maximum number of bytes that one byte of a workbook may unpack to.
    package var expansion = 200
    /// The maximum number of parts of a workbook.
    package var parts = 200
    /// The maximum number of different texts in a workbook.
    package var sharedTexts = 1_000_000
    /// The maximum number of rows in a list, and of lines in a balance report.
    package var rows = 200_000
    /// The maximum number of services in a list's summary.
    package var services = 2_000
    /// The maximum number of columns in a workbook, and of attributes of an element.
    package var columns = 100
    /// The maximum depth of elements in XML.
    package var depth = 24
    /// The maximum length of a value, in bytes.
    package var valueBytes = 4_096

    /// Creates limits with the default values.
    package init() {}
}
