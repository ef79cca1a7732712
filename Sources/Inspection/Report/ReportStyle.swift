/// The style of the page: light and dark, narrow, wide and in print; permitted by its hash.
package enum ReportStyle {
    static let text =
        """

        :root { color-scheme: light dark; \(DrawingStyle.light) }
        @media screen and (prefers-color-scheme: dark) { :root { \(DrawingStyle.dark) } }

        """ + DrawingStyle.rules + String(decoding: PackageResources.report_css, as: UTF8.self)
}
