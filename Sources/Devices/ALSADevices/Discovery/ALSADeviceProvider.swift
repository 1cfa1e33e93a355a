public import CaptureDevice
internal import Linux
internal import StreamParts

/// The microphones that the Linux kernel offers, through the ALSA library.
///
/// First comes the one that the desktop's sound server has chosen, where the library's default leads to a server; then those of
/// the card that the library's configuration calls the default; then the others, in the order of their cards; last those that
/// record nothing, because they are loops in memory. Thread-safe. ``omittedNodes`` names what is no microphone here.
public final class ALSADeviceProvider: CaptureDeviceProvider {
  /// `alsa`.
  public let name = "alsa"
  /// Audio.
  public let media: Set<MediaKind> = [.audio]

  private struct Known {
    /// The last pass's result for each path, and the node's identity then.
    var nodes: [String: (identity: UInt64, found: ProbedAudioNode)] = [:]
    var microphones: [ALSAMicrophone] = []
    /// Whether the sound server was asked, which is dear, since the cards changed last.
    var hasAskedServer = false
    var server: ALSAMicrophone?
  }

  private let library: any AudioLibrary
  private let silenceNanoseconds: Int64
  /// Held during a pass, so that two threads do not open the same devices; nothing is called back under it.
  private let known = Locked(Known())
  private let watch = DeviceListWatch<ALSAMicrophone>()

  /// The microphones of this machine; nothing is opened before they are asked for.
  public convenience init() {
    self.init(library: ALSALibrary())
  }

  /// The microphones of a library; `silence` is how long a stream may send nothing before it fails.
  package init(library: any AudioLibrary, silenceNanoseconds: Int64 = 5_000_000_000) {
    self.library = library
    self.silenceNanoseconds = silenceNanoseconds
  }

  // MARK: Devices

  /// The microphones there are now; a node is opened once, when it is new.
  public func devices() -> [any CaptureDeviceDriver] {
    microphones()
  }

  /// The capture devices that are not offered, one sentence each.
  public var omittedNodes: [String] {
    omitted().map(\.reason)
  }

  package func omitted() -> [OmittedMicrophone] {
    known.withLock { known in
      refresh(&known)
      return known.nodes.sorted { $0.key < $1.key }.compactMap { entry in
        if case .omitted(let node) = entry.value.found { return node }
        return nil
      }
    }
  }

  package func microphones() -> [ALSAMicrophone] {
    known.withLock { known in
      refresh(&known)
      return known.microphones
    }
  }

  private func refresh(_ known: inout Known) {
    let nodes = library.nodes()
    let probe = MicrophoneProbe(library: library)
    var fresh = Known()
    var isSame = nodes.count == known.nodes.count
    for node in nodes {
      if let before = known.nodes[node.path], before.identity == node.identity, before.found.isMicrophone {
        fresh.nodes[node.path] = before
      } else {
        fresh.nodes[node.path] = (node.identity, probe.inspect(node))
        isSame = false
      }
    }
    fresh.hasAskedServer = true
    fresh.server = known.server
    if !isSame || !known.hasAskedServer {
      let found = probe.inspectServer()
      fresh.server = found == nil ? nil : known.server ?? found.map { microphone($0, $0.facts.uniqueID) }
    }
    fresh.microphones = [fresh.server].compactMap(\.self) + microphones(nodes, fresh, known)
    known = fresh
  }

  /// The objects for the microphones among `nodes`: the old ones for those that stayed.
  private func microphones(_ nodes: [AudioNode], _ fresh: Known, _ old: Known) -> [ALSAMicrophone] {
    let kept = old.microphones.filter { microphone in
      guard let path = microphone.path else { return false }
      return fresh.nodes[path]?.identity == old.nodes[path]?.identity && nodes.contains { $0.path == path }
    }
    var taken = Set(kept.map(\.facts.uniqueID))
    return inOrder(nodes, fresh).compactMap { node -> ALSAMicrophone? in
      guard case .microphone(let probed)? = fresh.nodes[node.path]?.found else { return nil }
      if let same = kept.first(where: { $0.path == node.path }) { return same }
      // Makers give whole series of devices the same serial number.
      var uniqueID = probed.facts.uniqueID
      if !taken.insert(uniqueID).inserted {
        uniqueID += "-\(probed.place)"
        taken.insert(uniqueID)
      }
      return microphone(probed, uniqueID)
    }
  }

  private func microphone(_ probed: ProbedMicrophone, _ uniqueID: String) -> ALSAMicrophone {
    ALSAMicrophone(probed, uniqueID: uniqueID, library: library, silence: silenceNanoseconds)
  }

  /// The default card first, loops in memory last.
  private func inOrder(_ nodes: [AudioNode], _ fresh: Known) -> [AudioNode] {
    let first = library.defaultCard()
    func rank(_ node: AudioNode) -> Int {
      if case .microphone(let probed)? = fresh.nodes[node.path]?.found, probed.isLoop { return 2 }
      return node.card == first ? 0 : 1
    }
    return nodes.sorted { left, right in
      (rank(left), left.card, left.device) < (rank(right), right.card, right.device)
    }
  }

  // MARK: Changes

  /// Reports plugs and unplugs, some 100 ms after the kernel has made or removed the node, on a thread of its own.
  public func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {
    watch.observe(observer) { [weak self] in
      self?.microphones() ?? []
    } watch: { changed throws(CaptureDeviceError) in
      do throws(AudioRefusal) {
        return try library.watchNodes(changed)
      } catch {
        throw .unwatched("Microphones", in: "/dev/snd", errno: error.errno)
      }
    }
  }

  /// Whether plugs and unplugs are seen: false without an observer, and where the system has no watch left to give.
  public var observesDevices: Bool { watch.isWatching }

  /// The reason why an observer gets no report; `nil` when it does, and without one.
  public var watchFailure: CaptureDeviceError? { watch.failure }

  // MARK: Access

  /// `denied` when there are microphones and this user may use none of them; else `granted`.
  public func access(for media: MediaKind) -> DeviceAccess {
    guard media == .audio else { return .granted }
    let isRefused = omitted().contains { $0.code == .permissionDenied }
    return isRefused && microphones().isEmpty ? .denied : .granted
  }

  /// No question is asked: rights come with the user's groups.
  ///
  /// `completion` is called before this returns.
  public func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(access(for: media))
  }
}

extension ProbedAudioNode {
  /// Others are probed anew each time: rights may have come.
  fileprivate var isMicrophone: Bool {
    if case .microphone = self { true } else { false }
  }
}

extension ProbedMicrophone {
  /// Whether it records only what programs of this machine play into it.
  fileprivate var isLoop: Bool { facts.modelID.hasPrefix("Loopback ") }
}
