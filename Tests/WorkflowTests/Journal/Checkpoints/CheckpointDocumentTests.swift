import Testing

@testable import EventLog
@testable import SwedbankPay

/// Checkpoints as files: their form, and that they contain what they claim.
@Suite struct CheckpointDocumentTests {
    private let session = SessionID(
        at: Instant(microseconds: 1_764_000_000_000_000),
        random: (1, 2)
    )

    private func signer(_ seed: UInt8 = 7) throws -> CheckpointSigner {
        try #require(CheckpointSigner(privateKey: Array(repeating: seed, count: 32)))
    }

    private func leaf(_ sequence: SequenceNumber) -> CheckpointLeaf {
        CheckpointLeaf(
            stream: session,
            sequence: sequence,
            hash: MerkleHash.leaf([UInt8(sequence.count)])
        )
    }

    /// Returns a checkpoint of five leaves with everything that a file can contain.
    private func document() throws -> CheckpointDocument {
        let leaves = (1...5).map(leaf)
        let tree = MerkleTree(leaves: leaves.map(\.treeHash))
        let signed = try #require(
            try signer().sign(
                root: tree.root,
                size: 5,
                at: Instant(microseconds: 1_764_000_001_000_000)
            )
        )
        return CheckpointDocument(
            signed,
            consistency: .init(
                size: 3,
                root: try #require(tree.root(of: 3)),
                path: try #require(tree.consistency(from: 3))
            ),
            inclusion: .init(index: 4, leaf: leaves[4], path: try #require(tree.inclusion(of: 4))),
            leaves: leaves
        )
    }

    @Test func `a leaf and a signed checkpoint have the documented bytes`() throws {
        #expect(
            String(decoding: leaf(3).canonical, as: UTF8.self)
                == #"{"hash":"\#(leaf(3).hash)","seq":3,"stream":"\#(session)"}"#
        )
        let signed = try document().signed
        #expect(
            String(decoding: signed.checkpoint.canonical, as: UTF8.self)
                == #"{"at":"2025-11-24T16:00:01.000000Z","key":"\#(signed.publicKey.id)","#
                + #""root":"\#(signed.checkpoint.root)","size":5}"#
        )
        #expect(signed.publicKey.id.utf8.count == 16)
        #expect(signed.signature.count == 64)
        // The key's identifier is a prefix of the SHA-256 of its public key.
        #expect(HashChain.hash(signed.publicKey.bytes).hexadecimal.hasPrefix(signed.publicKey.id))
    }

    @Test func `the public key matches the vector of RFC 8032, and the private key is never shown`()
        throws
    {
        // Source: RFC 8032, section 7.1, test 1.
        let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
        let signer = try #require(
            Hexadecimal.bytes(seed).flatMap(CheckpointSigner.init(privateKey:))
        )
        #expect(
            "\(signer.publicKey)"
                == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
        )
        #expect(!"\(signer)".contains("9d61b19d"))
        #expect(!String(reflecting: signer).contains("9d61b19d"))
    }

    @Test func `a checkpoint file reads back as it was written, with any whitespace in the JSON`()
        throws
    {
        let document = try document()
        #expect(document.fault == nil)
        let bytes = document.encode()
        #expect(try CheckpointDocument(parsing: bytes) == document)
        let spaced = String(decoding: bytes, as: UTF8.self).replacing(",", with: " ,\n ")
        #expect(try CheckpointDocument(parsing: Array(spaced.utf8)) == document)
        let bare = CheckpointDocument(document.signed)
        #expect(try CheckpointDocument(parsing: bare.encode()) == bare)
    }

    @Test(arguments: [
        "", "{}", "[]", "nonsense", #"{"checkpoint":{},"publicKey":"00","signature":"00"}"#,
    ])
    func `a file that is not a checkpoint is refused`(text: String) {
        #expect(throws: EventDecodingError.self) {
            try CheckpointDocument(parsing: Array(text.utf8))
        }
    }

    @Test func `a file that is truncated anywhere is refused`() throws {
        let bytes = try document().encode()
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: EventDecodingError.self) {
                try CheckpointDocument(parsing: Array(bytes.prefix(count)))
            }
        }
    }

    @Test func `a checkpoint file with an altered byte does not parse or has a fault`() throws {
        let sound = try document()
        let bytes = sound.encode()
        var altered = 0
        for place in bytes.indices {
            var other = bytes
            // Digits stay digits, so that most altered documents can still be parsed.
            other[place] = other[place] == 0x31 ? 0x32 : 0x31
            guard other[place] != bytes[place],
                let document = try? CheckpointDocument(parsing: other)
            else { continue }
            altered += 1
            #expect(document != sound)
            #expect(document.fault != nil, "byte \(place)")
        }
        #expect(altered > 1000)
    }

    @Test func `a false claim is reported as signature, consistency, inclusion or leaves`() throws {
        let sound = try document()
        let other = try #require(
            try signer(8).sign(
                root: sound.signed.checkpoint.root,
                size: 5,
                at: sound.signed.checkpoint.at
            )
        )
        var document = sound
        // Another key's signature is valid by itself; the owner of the key has to be known.
        document.signed = other
        #expect(document.fault == nil)
        document.signed.publicKey = sound.signed.publicKey
        #expect(document.fault == .signature)
        document = sound
        document.signed.checkpoint.size = 6
        #expect(document.fault == .signature)
        document = sound
        document.signed.signature = []
        #expect(document.fault == .signature)
        document = sound
        document.consistency?.size = 2
        #expect(document.fault == .consistency)
        document = sound
        document.inclusion?.leaf.sequence = 4
        #expect(document.fault == .inclusion)
        document = sound
        document.leaves?.removeLast()
        #expect(document.fault == .leaves)
        document = sound
        document.leaves?.swapAt(0, 1)
        #expect(document.fault == .leaves)
    }
}
