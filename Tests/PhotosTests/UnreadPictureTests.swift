import Foundation
import Photos
import Testing

extension PhotosTests {
  @Suite("Pictures that are not read", .serialized)
  struct UnreadPictureTests {
    private static let avif = [
      "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA",
      "AAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAA3wAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEA",
      "AGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAZQAAAE0AAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwA",
      "AAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAA521kYXQSAAoJGBmyTGiAhoNCMs8BETHh4ZlAgggn",
      "lVUVAMIRbACD7OrLmVuQGcAHqB6Hy+XbIkcSU1heZ4qO607No841WEeNsg1UAYSzy7AJysJnoYrX+oy7ivMPthO3OgL6oNsB7nC4",
      "2kb+x/Zov3jFEDKPv2+w+5RNE8Q7oNheBpK6it/u0toB963I2vwjsa+258MpFCu6uIjq3kd4CeAOy8RZoX+sawqn/++O5kBO780N",
      "xlafLqRS3BdGnUBqhAueeBNT6etB9T2uflVopxg320ptYXx2hRwfobX4U0yRlLXe",
    ].joined()

    @Test(arguments: ["avif", "avis", "msf1", "hevc", "mif1"])
    func `pictures in the boxes of movies are refused rather than kept as videos of no size`(brand: String)
      throws
    {
      try withLibrary { test in
        var data = try #require(Data(base64Encoded: Self.avif))
        data.replaceSubrange(8..<12, with: Data(brand.utf8))
        for name in ["one.avif", "two.heic", "three.mov"] {
          let path = "\(test.folder)/.\(name)"
          try data.write(to: URL(fileURLWithPath: path))
          let error = #expect(throws: PHPhotosError.self) {
            try test.library.performChangesAndWait {
              PHAssetCreationRequest.forAsset().addResource(
                with: .video, fileURL: URL(fileURLWithPath: path), options: nil)
            }
          }
          #expect(error?.code == .invalidResource)
        }
        #expect(test.assets.count == 0)
      }
    }
  }
}
