/// The kinds of objects that changes are asked of.
///
/// Apple: `PHObjectType`.
public enum PHObjectType: Int, Sendable {
  /// Assets.
  case asset = 1
  /// Albums.
  case assetCollection = 2
  /// Folders of albums.
  case collectionList = 3
}
