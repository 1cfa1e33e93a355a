import AudioToolbox.AudioServices
import CoreImage.CIFilterBuiltins
import Testing

@Suite("Submodules of Apple's modules")
struct SubmoduleTests {
  @Test func `an import of Core Image's functions of filters brings them, and the rest of the module`() {
    let sepia = CIFilter.sepiaTone()
    sepia.inputImage = CIImage(color: .white).cropped(to: CGRect(x: 0, y: 0, width: 3, height: 2))
    sepia.intensity = 1
    #expect(sepia.outputImage?.extent == CGRect(x: 0, y: 0, width: 3, height: 2))
  }

  @Test func `an import of the services of sounds brings them`() {
    var number: SystemSoundID = 1
    let missing = URL(fileURLWithPath: "/nowhere/at/all.wav")
    #expect(AudioServicesCreateSystemSoundID(missing as CFURL, &number) != kAudioServicesNoError)
  }
}
