import CaptureStage
import Testing

extension DeviceSuites {
  @Suite("Runs that repeat")
  struct RepeatedRunTests {
    @Test
    func
      `with one seed each source of news says the same at the same moments, and files have the same bytes`()
      async
    {
      await #expect(processExitsWith: .success) {
        let first = try RepeatedRun.run(seed: 44)
        #expect(first.news["photo"]?.count == 10 && first.files.count == 6)
        #expect(first.news["library"]?.count == 6)
        #expect(first.news["recording"]?.count == 3 && first.news["codes"]?.isEmpty == false)
        #expect((first.news["frames"]?.count ?? 0) > 30)
        let words = first.news["session"]?.map { $0.split(separator: ": ").last.map(String.init) ?? "" }
        #expect(words?.contains("interrupted") == true && words?.contains("interruption ended") == true)
        let again = try RepeatedRun.run(seed: 44)
        for source in Set(first.news.keys).union(again.news.keys) {
          #expect(first.news[source] == again.news[source], "\(source)")
        }
        #expect(first.files == again.files)
      }
    }
  }
}
