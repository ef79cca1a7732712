/// The page of a bank or wallet to which a method of the menu redirects.
enum BankPage {
    /// Returns the page; its buttons lead back to the merchant.
    static func html(_ url: String) -> String {
        func form(_ id: String, _ label: String) -> String {
            """
            <form method="post" action="\(HTMLText.escaped(url))/\(id)">
            <button id="\(id)" type="submit">\(label)</button></form>

            """
        }
        return PlainPage.html("Sandbox bank", form("approve", "Approve") + form("cancel", "Cancel"))
    }
}
