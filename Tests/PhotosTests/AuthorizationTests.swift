import Foundation
import FoundationExtras
import Linux
import Photos
import Testing

extension PhotosTests {
  @Suite("Rights to the library", .serialized)
  struct AuthorizationTests {
    @Test func `what a program may do follows from the library's folder`() async throws {
      try await withLibrary { test in
        #expect(PHPhotoLibrary.authorizationStatus() == .authorized)
        for level in [PHAccessLevel.readWrite, .addOnly] {
          #expect(PHPhotoLibrary.authorizationStatus(for: level) == .authorized)
          #expect(await PHPhotoLibrary.requestAuthorization(for: level) == .authorized)
        }
        #expect(test.library.unavailabilityReason == nil)
      }
    }

    @Test func `a folder that may not be used denies the library, and a damaged catalogue restricts it`()
      async throws
    {
      try await withLibrary { test in
        // No process may make a folder there, whatever its rights.
        SharedLibrary.use(LibraryFolders(folder: "/sys/obscura/library"))
        #expect(PHPhotoLibrary.authorizationStatus(for: .readWrite) == .denied)
        #expect(await PHPhotoLibrary.requestAuthorization(for: .readWrite) == .denied)
        #expect(test.library.unavailabilityReason is PHPhotosError)
        #expect(throws: PHPhotosError.self) {
          try test.library.performChangesAndWait {
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "No")
          }
        }
        let broken = "\(test.folder)/.broken"
        try FileManager.default.createDirectory(
          atPath: "\(broken)/.catalogue", withIntermediateDirectories: true)
        try Data(String(repeating: "no database ", count: 400).utf8).write(
          to: URL(fileURLWithPath: "\(broken)/.catalogue/library.sqlite"))
        SharedLibrary.use(LibraryFolders(folder: broken))
        #expect(PHPhotoLibrary.authorizationStatus() == .restricted)
      }
    }
  }
}
