/// The script of the page: always the same text, so that the page's policy can permit it by its
/// hash.
///
/// It reads its data from the document and writes only text, never markup.
package enum ReportScript {
    static let text = "\n" + String(decoding: PackageResources.report_js, as: UTF8.self)
}
