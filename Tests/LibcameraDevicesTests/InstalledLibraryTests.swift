#if LibcameraDevices
  import CaptureDevice
  import LibcameraDevices
  import Testing

  @Suite("The libcamera of this machine")
  struct InstalledLibraryTests {
    @Test func `it starts once, lists what the machine has, and every camera makes sense`() throws {
      let library = InstalledLibrary()
      #expect(library.version.first?.isNumber == true || library.version.first == "v")
      let provider = LibcameraDeviceProvider(library)
      provider.observeDevices { _ in }
      #expect(provider.watchFailure == nil)
      let cameras = try library.cameras()
      // Others may have a camera open.
      #expect(provider.devices().count + provider.absences.count == cameras.count)
      #expect(Set(provider.devices().map(\.facts.uniqueID)).count == provider.devices().count)
      #expect(try InstalledLibrary().cameras().count == cameras.count)
      provider.observeDevices(nil)
    }

    @Test func `its word is one of those that choose devices, and the doctor has its version`() throws {
      let backend = try #require(DeviceBackends.named("libcamera"))
      #expect(backend.isUsual && backend.spellings == ["libcamera"])
      let found = backend.diagnose()
      #expect(found.first?.sentence.contains(InstalledLibrary().version) == true)
      #expect(found.first?.weight == .fine)
    }
  }
#endif
