internal import Foundation

extension PHAsset {
  /// All assets.
  public class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    AssetFetch.result(options)
  }

  /// The assets of a media type.
  public class func fetchAssets(
    with mediaType: PHAssetMediaType, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    AssetFetch.result(options, ["media_type = ?"], [SQLValue(mediaType)])
  }

  /// The assets of a collection: those of an album as they lie there, those of a smart album by date.
  public class func fetchAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    assetCollection.assets(options)
  }

  /// The assets of these names; hidden ones and all photos of bursts, too.
  public class func fetchAssets(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    let known = identifiers.compactMap { LocalIdentifier.uuid($0) }
    // In the order of the names, unless the options sort: a name's place in the list is its rank.
    let list = known.map {
      "x'\(withUnsafeBytes(of: $0.uuid) { Data($0) }.map { byte in Self.hexadecimal(byte) }.joined())'"
    }
    let ranks = list.enumerated().map { "(\($1),\($0))" }.joined(separator: ",")
    let source =
      list.isEmpty
      ? "asset"
      : "asset JOIN (WITH name(wanted, rank) AS (VALUES \(ranks)) SELECT wanted, min(rank) AS rank FROM name GROUP BY wanted) ON wanted = uuid"
    return AssetFetch.result(
      options, list.isEmpty ? ["0"] : [], source: source, order: list.isEmpty ? "id" : "rank",
      showsHidden: true,
      showsBursts: true)
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return byte < 16 ? "0\(text)" : text
  }

  /// The photos of a burst; only those that stand for it, unless the options want all.
  public class func fetchAssets(
    withBurstIdentifier burstIdentifier: String, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    AssetFetch.result(options, ["burst = ?"], [.text(burstIdentifier)])
  }

  /// The assets that stand for a collection: its first three.
  public class func fetchKeyAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset>? {
    let bounded = options?.copy() as? PHFetchOptions ?? PHFetchOptions()
    if bounded.fetchLimit == 0 || bounded.fetchLimit > 3 { bounded.fetchLimit = 3 }
    return assetCollection.assets(bounded)
  }
}
