/// The folders of a library: pictures, catalogue, thumbnails, and frames of unfinished photos.
package struct LibraryFolders: Sendable, Hashable {
  /// The folder of photos and videos.
  package var pictures: String
  /// The folder of the database, and of what only the library reads.
  package var catalogue: String
  /// The folder of thumbnails, as the freedesktop specification lays it out.
  package var thumbnails: String
  /// The folder of frames of photos that are not finished yet.
  package var deferredPhotos: String

  /// A library in several folders.
  package init(pictures: String, catalogue: String, thumbnails: String, deferredPhotos: String) {
    self.pictures = pictures
    self.catalogue = catalogue
    self.thumbnails = thumbnails
    self.deferredPhotos = deferredPhotos
  }

  /// A library that lies in one folder with all it has.
  package init(folder: String) {
    self.init(
      pictures: folder, catalogue: "\(folder)/.catalogue", thumbnails: "\(folder)/.catalogue/thumbnails",
      deferredPhotos: "\(folder)/deferred-photos")
  }

  /// The place that the environment names.
  ///
  /// `$OBSCURA_LIBRARY` is a folder for all of it. Otherwise the pictures lie in `Obscura` in the user's folder of pictures, the
  /// catalogue in `$XDG_DATA_HOME/obscura` with the frames, thumbnails in `$XDG_CACHE_HOME/thumbnails`; see ``UserFolders``.
  package init(environment: [String: String]) {
    let folders = UserFolders(environment)
    if let folder = folders.named("OBSCURA_LIBRARY") {
      self.init(folder: folder)
    } else {
      self.init(
        pictures: folders.pictures + "/Obscura", catalogue: folders.data("obscura"),
        thumbnails: folders.caches("thumbnails"), deferredPhotos: folders.data("obscura/deferred-photos"))
    }
  }

  /// The database.
  package var database: String { "\(catalogue)/library.sqlite" }
  /// The file whose time of change says to other processes that something was committed.
  package var signal: String { "\(catalogue)/changes" }
  /// Where files lie until they are committed; on the same disk as the pictures.
  package var staging: String { "\(pictures)/.staging" }
}
