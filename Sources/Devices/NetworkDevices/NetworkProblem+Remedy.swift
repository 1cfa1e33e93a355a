internal import MediaStreaming

extension NetworkProblem {
  /// How `cameras.json` mends it, as the end of a sentence; empty where that has no word for it.
  var remedy: String {
    switch kind {
    case .untrusted:
      "; name a file that holds it as certificates in cameras.json, or set trustsAnyCertificate there"
    case .noDatagrams: "; name tcp as its transport in cameras.json"
    default: ""
    }
  }
}
