import CGTK
import CameraModel
import Foundation
import GTKKit

/// The window of the lasting settings; it offers only those that this camera and this library have.
@MainActor
final class SettingsWindow {
  private let model: CameraModel
  private let window = Widget(UnsafeMutableRawPointer(adw_preferences_window_new()))
  private let page = Widget(UnsafeMutableRawPointer(adw_preferences_page_new()))

  init(_ model: CameraModel, parent: Window) {
    self.model = model
    gtk_window_set_transient_for(window.pointer(), parent.pointer())
    // On a phone's screen it is as wide as what it belongs to.
    let room = parent.ordinarySize
    gtk_window_set_default_size(window.pointer(), Int32(min(640, room.width)), Int32(min(640, room.height)))
    gtk_window_set_modal(window.pointer(), 1)
    gtk_window_set_title(window.pointer(), tr("Settings"))
    adw_preferences_window_set_search_enabled(window.pointer(), 0)
    addPhotos()
    addSpeed()
    addSound()
    addScreen()
    addVirtualCamera()
    adw_preferences_window_add(window.pointer(), page.pointer())
  }

  func present() {
    window.nameEditables(tr("Search"))
    gtk_window_present(window.pointer())
  }

  private func addPhotos() {
    let group = group(tr("Photos"))
    let formats = model.state.value.abilities.photoFormats
    addMenu(
      group, tr("Format"), tr("HEIC files are half as large; JPEG opens everywhere; PNG loses nothing."),
      formats.map { $0.rawValue.uppercased() },
      selected: formats.firstIndex(of: model.settings.value.format)
    ) { [model] index in model.changeSettings { $0.format = formats[index] } }
    let qualities = PhotoQuality.allCases
    addMenu(
      group, tr("Quality"), tr("What a photo may take its time for."),
      [tr("Fast"), tr("Balanced"), tr("Best")],
      selected: qualities.firstIndex(of: model.settings.value.quality)
    ) { [model] index in model.changeSettings { $0.quality = qualities[index] } }
    addFolder(group)
    addLooks(group)
    addSwitch(
      group, tr("Shutter sound"), tr("Also the sounds at both ends of a recording."),
      model.settings.value.playsSound
    ) { $0.playsSound = $1 }
  }

  private func addFolder(_ group: Widget) {
    let place = Label().styled("dim-label")
    gtk_label_set_ellipsize(place.opaque, PANGO_ELLIPSIZE_START)
    gtk_label_set_max_width_chars(place.opaque, 22)
    let choose = Button(icon: "folder-open-symbolic", tr("Choose a folder")).styled("flat")
    let library = Button(icon: "edit-undo-symbolic", tr("Use the photo library")).styled("flat")
    choose.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
    library.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
    choose.onPress { [model, window] in
      Desktop.chooseFolder(tr("Choose a folder"), over: window) { url in
        model.changeSettings { $0.folder = url.path }
      }
    }
    library.onPress { [model] in model.changeSettings { $0.folder = nil } }
    let end = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, place, library, choose)
    addRow(group, tr("Photos and videos go to"), "", end)
    model.settings.observe { [weak place, weak library] settings in
      place?.text = settings.folder ?? tr("Photo library")
      library?.isVisible = settings.folder != nil
    }
  }

  private func addLooks(_ group: Widget) {
    let choose = Button(icon: "list-add-symbolic", tr("Open a .cube file")).styled("flat")
    choose.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
    choose.onPress { [model, window] in
      Desktop.chooseFile(tr("Open a .cube file"), suffixes: ["cube"], over: window) { model.addLook($0) }
    }
    addRow(
      group, tr("Filters of your own"), tr("Colour lookup tables (LUTs) of other programs, as .cube files."),
      choose)
  }

  /// None, the machine's own, or one of those that there are.
  private func addSound() {
    let group = group(tr("Videos"))
    let menu = Menu([tr("None"), tr("Default")])
    menu.named(tr("Microphone"))
    addRow(group, tr("Microphone"), tr("Videos have its sound."), menu)
    var ids: [String?] = [nil]
    model.state.observe { [model, weak menu] state in
      guard let menu else { return }
      menu.entries = [tr("None"), tr("Default")] + state.microphones.map(\.name)
      ids = [nil] + state.microphones.map(\.id)
      let settings = model.settings.value
      let place = ids.firstIndex(of: settings.microphone) ?? 0
      menu.selected = settings.usesMicrophone ? place + 1 : 0
    }
    menu.onChoice { [model] index in
      model.changeSettings { settings in
        settings.usesMicrophone = index > 0
        settings.microphone = index > 0 && ids.indices.contains(index - 1) ? ids[index - 1] : nil
      }
    }
    model.readMicrophones()
  }

  private func addSpeed() {
    let group = group(tr("Responsive shutter"))
    let (abilities, settings) = (model.state.value.abilities, model.settings.value)
    // In other modes nothing is known of photos, and what is chosen holds for the next ones.
    let isUnknown = model.state.value.mode != .photo
    addSwitch(
      group, tr("Live Photos"), tr("Photos come with three seconds of movie and sound."),
      settings.takesLivePhotos, refusal: isUnknown || abilities.supportsLivePhotos ? nil : Self.unsupported
    ) { $0.takesLivePhotos = $1 }
    addSwitch(
      group, tr("Raw photos"),
      tr("What the sensor counted comes beside the photo, as DNG; both are of one frame."),
      settings.takesRaw, refusal: isUnknown || abilities.offersRaw ? nil : Self.unsupported
    ) { $0.takesRaw = $1 }
    addSwitch(
      group, tr("Depth in photos"),
      tr("Photos hold the depth map of their moment, and are finished at once."),
      settings.takesDepth, refusal: isUnknown || abilities.supportsDepthInPhotos ? nil : Self.unsupported
    ) { $0.takesDepth = $1 }
    addSwitch(
      group, tr("Deferred processing"),
      tr("With the best quality, a photo is there at once and finished while the camera rests."),
      settings.deferredProcessing,
      refusal: settings.folder != nil
        ? tr("Photos in a folder of your own are finished at once.")
        : isUnknown || abilities.supportsDeferredProcessing ? nil : Self.unsupported
    ) { $0.deferredProcessing = $1 }
    addSwitch(
      group, tr("Zero shutter lag"), tr("A photo shows what the screen showed at the press."),
      settings.zeroShutterLag, refusal: isUnknown || abilities.supportsZeroShutterLag ? nil : Self.unsupported
    ) { $0.zeroShutterLag = $1 }
    addSwitch(
      group, tr("Responsive capture"), tr("The next photo may begin while the last one is made."),
      settings.responsiveCapture,
      refusal: isUnknown || abilities.supportsResponsiveCapture ? nil : Self.unsupported
    ) { $0.responsiveCapture = $1 }
    addSwitch(
      group, tr("Prioritize faster shooting"), tr("When presses come fast, quality gives way."),
      settings.fastCapture, refusal: isUnknown || abilities.supportsFastCapture ? nil : Self.unsupported
    ) { $0.fastCapture = $1 }
  }

  private func addScreen() {
    let group = group(tr("Screen"))
    let settings = model.settings.value
    addSwitch(group, tr("Grid"), tr("Lines that help to compose a photo."), settings.showsGrid) {
      $0.showsGrid = $1
    }
    let guides = Settings.Guide.allCases
    addMenu(
      group, tr("Lines of the grid"), "",
      [tr("Thirds"), tr("Golden section"), tr("Middle"), tr("Diagonals")],
      selected: guides.firstIndex(of: settings.guide)
    ) { [model] index in model.changeSettings { $0.guide = guides[index] } }
    addSwitch(
      group, tr("Mirror the front camera"), tr("Only on the screen: photos are never mirrored."),
      settings.mirrorsFront
    ) { $0.mirrorsFront = $1 }
    addSwitch(
      group, tr("Figures"), tr("Size, frames per second, frames left out, and delay."),
      settings.showsFigures
    ) { $0.showsFigures = $1 }
    let looks = Settings.Appearance.allCases
    addMenu(
      group, tr("Colours"), "", [tr("As the desktop"), tr("Light"), tr("Dark")],
      selected: looks.firstIndex(of: settings.appearance)
    ) { [model] index in model.changeSettings { $0.appearance = looks[index] } }
  }

  private func addVirtualCamera() {
    let toggle = Switch()
    toggle.named(tr("Virtual camera"))
    toggle.isOn = model.settings.value.offersVirtualCamera
    toggle.onToggle { [model] isOn in model.changeSettings { $0.offersVirtualCamera = isOn } }
    let row = addRow(group(tr("Other programs")), tr("Virtual camera"), "", toggle)
    adw_action_row_set_activatable_widget(row.pointer(), toggle.widget)
    model.state.observe { [weak row] state in
      guard let row else { return }
      var shown = state.virtualCamera
      if shown.isOffered { shown = .off }
      adw_action_row_set_subtitle(row.pointer(), Words.virtualCamera(shown))
    }
  }

  // MARK: Rows

  private func group(_ title: String) -> Widget {
    let group = Widget(UnsafeMutableRawPointer(adw_preferences_group_new()))
    adw_preferences_group_set_title(group.pointer(), title)
    adw_preferences_page_add(page.pointer(), group.pointer())
    return group
  }

  @discardableResult
  private func addRow(_ group: Widget, _ title: String, _ detail: String, _ end: Widget) -> Widget {
    let row = Widget(UnsafeMutableRawPointer(adw_action_row_new()))
    adw_preferences_row_set_title(row.pointer(), title)
    adw_action_row_set_subtitle(row.pointer(), detail)
    adw_action_row_add_suffix(row.pointer(), end.widget)
    adw_preferences_group_add(group.pointer(), row.widget)
    return row
  }

  private static var unsupported: String { tr("This camera cannot do that.") }

  /// Adds a switch; with a `refusal`, the reason for which it cannot be on, it is off and cannot be touched.
  private func addSwitch(
    _ group: Widget, _ title: String, _ detail: String, _ isOn: Bool, refusal: String? = nil,
    _ change: @escaping (inout Settings, Bool) -> Void
  ) {
    let toggle = Switch()
    toggle.isOn = isOn && refusal == nil
    toggle.named(title)
    toggle.onToggle { [model] isOn in model.changeSettings { change(&$0, isOn) } }
    let row = addRow(group, title, refusal ?? detail, toggle)
    adw_action_row_set_activatable_widget(row.pointer(), toggle.widget)
    row.isSensitive = refusal == nil
  }

  private func addMenu(
    _ group: Widget, _ title: String, _ detail: String, _ entries: [String], selected: Int?,
    _ choose: @escaping @MainActor (Int) -> Void
  ) {
    let menu = Menu(entries)
    menu.selected = selected ?? 0
    menu.named(title)
    menu.onChoice(choose)
    addRow(group, title, detail, menu)
  }
}
