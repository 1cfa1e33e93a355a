import CameraModel
import GTKKit

/// Asks the user before albums are changed.
extension MainWindow {
  func makeAlbum() {
    var question = Question(tr("New Album"), answer: tr("Create"), refusal: tr("Cancel"))
    question.line = (tr("Name of the album"), "")
    question.ask(over: window) { [model] in model.library.makeAlbum($0) }
  }

  func renameAlbum() {
    guard let title = model.library.ownAlbumTitle else { return }
    var question = Question(tr("Rename the Album"), answer: tr("Rename"), refusal: tr("Cancel"))
    question.line = (tr("Name of the album"), title)
    question.ask(over: window) { [model] in model.library.renameAlbum($0) }
  }

  func removeAlbum() {
    guard let title = model.library.ownAlbumTitle else { return }
    var question = Question(
      tr("Remove the Album “%@”?", title), answer: tr("Remove"), refusal: tr("Cancel"))
    question.text = tr("Its photos and videos stay in the library.")
    question.isDestructive = true
    question.ask(over: window) { [model] _ in model.library.removeAlbum() }
  }
}
