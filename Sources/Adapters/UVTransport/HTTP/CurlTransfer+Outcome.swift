internal import CCurl
internal import Glibc

extension CurlTransfer {
    /// OpenSSL's verification results for dates: not yet valid, expired.
    ///
    /// Source: OpenSSL, X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED.
    private static let dateErrors: Set<Int> = [9, 10]

    /// Verification results that mean the host name does not match.
    ///
    /// libcurl 7.88 leaves 1 (unspecified) when the chain is valid and its own comparison of the
    /// names fails; 62 and 64 are OpenSSL's own results for a host and an address.
    private static let nameErrors: Set<Int> = [0, 1, 62, 64]

    /// The valid statuses of a final response.
    private static let statuses = 200...599

    /// The outcome of the transfer once libcurl has finished it.
    func outcome(of result: CURLcode) -> Result<TransportResponse, TransportFailure> {
        if result == CURLE_OK, Self.statuses.contains(status) {
            return .success(
                TransportResponse(
                    status: status,
                    fields: headers,
                    body: body,
                    protocolVersion: protocolVersion,
                    duration: LoopClock.elapsed(since: request.start)
                )
            )
        }
        return .failure(
            TransportFailure(
                reach: reach,
                kind: refused ?? (result == CURLE_OK ? .malformedResponse : kind(of: result)),
                curlCode: Int32(bitPattern: result.rawValue)
            )
        )
    }

    private var protocolVersion: String {
        switch number(CURLINFO_HTTP_VERSION) {
        case CURL_HTTP_VERSION_1_0: "HTTP/1.0"
        case CURL_HTTP_VERSION_2_0: "HTTP/2"
        default: "HTTP/1.1"
        }
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_get_long(easy, info, &value)
        return value
    }

    private func kind(of result: CURLcode) -> TransportFailure.Kind {
        switch result {
        case CURLE_COULDNT_CONNECT where hasRefusedAddress: .refusedURL(.address)
        case CURLE_COULDNT_RESOLVE_HOST: .unresolvedHost
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
        case CURLE_COULDNT_CONNECT:
            number(CURLINFO_OS_ERRNO) == Int(ECONNREFUSED) ? .connectionRefused : .unreachable
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER: .tls(.handshake)
        case CURLE_PEER_FAILED_VERIFICATION: .tls(verificationReason)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .tls(.pinMismatch)
        case CURLE_SSL_CACERT_BADFILE: .tls(.unreadableAuthorities)
        case CURLE_FILESIZE_EXCEEDED: .responseTooLarge
        case CURLE_URL_MALFORMAT: .refusedURL(.malformed)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .malformedResponse
        // Aborts of our own have their reason in `refused`, except for a refused second departure,
        // which follows a connection that was closed.
        case CURLE_ABORTED_BY_CALLBACK, CURLE_GOT_NOTHING: .reset
        case CURLE_RECV_ERROR where departures == 0 && number(CURLINFO_HTTP_CONNECTCODE) >= 300:
            .proxy
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            status == 0 ? .reset : .truncated
        default: .other
        }
    }

    private var verificationReason: TransportFailure.TLSReason {
        let result = number(CURLINFO_SSL_VERIFYRESULT)
        if Self.nameErrors.contains(result) { return .wrongHost }
        return Self.dateErrors.contains(result) ? .expired : .untrusted
    }
}
