package import HTTPTypes
package import UVTransport

extension FieldName {
    /// The identifier of a request in the PSP's logs.
    package static let sessionID = name("Session-Id")
}
