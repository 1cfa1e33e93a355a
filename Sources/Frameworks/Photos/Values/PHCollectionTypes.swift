/// The type of a collection of assets: an album, or a smart album.
///
/// Apple: `PHAssetCollectionType`.
public enum PHAssetCollectionType: Int, Sendable {
  /// An album that the user or a program has made.
  case album = 1
  /// Assets that have something in common.
  case smartAlbum = 2
}

/// The subtype of a collection of assets.
///
/// Apple: `PHAssetCollectionSubtype`.
public enum PHAssetCollectionSubtype: Int, Sendable {
  /// An album made here.
  case albumRegular = 2
  /// An album from another machine; there are none here.
  case albumSyncedEvent = 3
  /// An album from another machine; there are none here.
  case albumSyncedFaces = 4
  /// An album from another machine; there are none here.
  case albumSyncedAlbum = 5
  /// An album from a camera; there are none here.
  case albumImported = 6
  /// A photo stream; there is none here.
  case albumMyPhotoStream = 100
  /// A shared album; there are none here.
  case albumCloudShared = 101
  /// A smart album that is none of the others.
  case smartAlbumGeneric = 200
  /// Wide views.
  case smartAlbumPanoramas = 201
  /// Videos.
  case smartAlbumVideos = 202
  /// Favourites.
  case smartAlbumFavorites = 203
  /// Videos that show a long time in a short one.
  case smartAlbumTimelapses = 204
  /// Hidden assets.
  case smartAlbumAllHidden = 205
  /// Assets that were added in the last 30 days.
  case smartAlbumRecentlyAdded = 206
  /// Bursts.
  case smartAlbumBursts = 207
  /// Videos of many frames in a second.
  case smartAlbumSlomoVideos = 208
  /// All photos and videos, those added last at the end.
  case smartAlbumUserLibrary = 209
  /// Photos of the front camera.
  case smartAlbumSelfPortraits = 210
  /// Pictures of a screen.
  case smartAlbumScreenshots = 211
  /// Photos with a depth map.
  case smartAlbumDepthEffect = 212
  /// Photos with a short video.
  case smartAlbumLivePhotos = 213
  /// Pictures that move.
  case smartAlbumAnimated = 214
  /// Photos exposed for long.
  case smartAlbumLongExposures = 215
  /// Photos that a cloud does not take; there are none here.
  case smartAlbumUnableToUpload = 216
  /// Photos with a raw file.
  case smartAlbumRAW = 217
  /// Videos with a depth of field that can be changed; there are none here.
  case smartAlbumCinematic = 218
  /// Photos and videos for two eyes; there are none here.
  case smartAlbumSpatial = 219
  /// Videos of a screen.
  case smartAlbumScreenRecordings = 220
  /// All of them, where collections are asked for.
  case any = 9_223_372_036_854_775_807
}

extension PHAssetCollectionSubtype {
  /// The type that it belongs to; `nil` for ``any``, which belongs to both.
  var type: PHAssetCollectionType? {
    self == .any ? nil : rawValue < PHAssetCollectionSubtype.smartAlbumGeneric.rawValue ? .album : .smartAlbum
  }
}

/// The type of a list of collections.
///
/// Apple: `PHCollectionListType`.
public enum PHCollectionListType: Int, Sendable {
  /// A folder that the user or a program has made.
  case folder = 2
  /// A folder by a rule; there are none here.
  case smartFolder = 3
}

/// The subtype of a list of collections.
///
/// Apple: `PHCollectionListSubtype`.
public enum PHCollectionListSubtype: Int, Sendable {
  /// A folder made here.
  case regularFolder = 100
  /// A folder of events; there are none here.
  case smartFolderEvents = 200
  /// A folder of faces; there are none here.
  case smartFolderFaces = 201
  /// All of them, where lists are asked for.
  case any = 9_223_372_036_854_775_807
}

/// An operation on a collection that may be allowed or not.
///
/// Apple: `PHCollectionEditOperation`.
public enum PHCollectionEditOperation: Int, Sendable {
  /// Its contents can be deleted from the library.
  case deleteContent = 1
  /// Its contents can be taken out.
  case removeContent = 2
  /// Contents can be put in.
  case addContent = 3
  /// New contents can be made in it.
  case createContent = 4
  /// Its contents can be put in another order.
  case rearrangeContent = 5
  /// It can be deleted.
  case delete = 6
  /// It can get another title.
  case rename = 7
}
