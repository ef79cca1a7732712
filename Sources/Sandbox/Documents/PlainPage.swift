/// A page with nothing but a heading and its content.
enum PlainPage {
    /// Returns the page.
    static func html(_ title: String, _ content: String) -> String {
        template.filled(["title": .text(title), "content": .markup(content)])
    }

    private static let template = PageTemplate(PackageResources.plain_html)
}
