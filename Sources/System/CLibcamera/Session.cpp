#ifdef LIBCAMERA_DEVICES

#include <libcamera/framebuffer_allocator.h>
#include <libcamera/request.h>

#include <cerrno>
#include <mutex>
#include <vector>

#include "Cameras.h"
#include "Values.h"

using namespace libcamera;

struct cam_libcamera_session {
  std::shared_ptr<Camera> camera;
  std::unique_ptr<CameraConfiguration> configuration;
  std::unique_ptr<FrameBufferAllocator> allocator;
  /// By role; null where the configuration has none.
  Stream *streams[cam_role_count] = {};
  void (*completed)(void *context, const cam_libcamera_completion *completion) = nullptr;
  void *context = nullptr;
  std::mutex mutex;
  std::vector<std::unique_ptr<Request>> requests;
  /// Those of `requests` that are not queued.
  std::vector<Request *> idle;
  /// The cookie of each request that is queued; the library's own stays what it was made with.
  std::vector<uint64_t> cookies;

  const std::vector<std::unique_ptr<FrameBuffer>> &buffers(uint32_t role) { return allocator->buffers(streams[role]); }

  void note(Request *request) {
    cam_libcamera_completion completion = {};
    completion.is_cancelled = request->status() == Request::RequestCancelled;
    for (uint32_t role = 0; role < cam_role_count; role++) {
      FrameBuffer *buffer = streams[role] ? request->findBuffer(streams[role]) : nullptr;
      if (!buffer) continue;
      const FrameMetadata &metadata = buffer->metadata();
      cam_libcamera_filled &filled = completion.buffers[completion.buffer_count++];
      filled.role = role;
      filled.index = uint32_t(buffer->cookie());
      filled.is_whole = metadata.status == FrameMetadata::FrameSuccess;
      filled.number = metadata.sequence;
      filled.time = metadata.timestamp;
      for (const FrameMetadata::Plane &plane : metadata.planes()) filled.used += plane.bytesused;
    }
    readValues(request->metadata(), completion);
    {
      std::lock_guard<std::mutex> guard(mutex);
      completion.cookie = cookies[request->cookie()];
      request->reuse();
      idle.push_back(request);
    }
    completed(context, &completion);
  }
};

namespace {

/// Ends what was begun, and says why.
cam_libcamera_session *refused(cam_libcamera_session *session, bool isAcquired, int reason, int *error) {
  if (isAcquired) {
    session->allocator.reset();
    session->camera->release();
  }
  delete session;
  *error = reason < 0 ? -reason : reason;
  return nullptr;
}

} // namespace

cam_libcamera_session *cam_libcamera_camera_open(cam_libcamera_camera *camera, cam_libcamera_stream *streams, size_t count,
                                    void (*completed)(void *context, const cam_libcamera_completion *completion), void *context, int *error) {
  cam_libcamera_session *session = new cam_libcamera_session();
  session->camera = camera->camera;
  session->completed = completed;
  session->context = context;
  int result = session->camera->acquire();
  if (result < 0) return refused(session, false, result, error);
  session->configuration = validated(*session->camera, streams, count);
  if (!session->configuration) return refused(session, true, EINVAL, error);
  result = session->camera->configure(session->configuration.get());
  if (result < 0) return refused(session, true, result, error);
  session->allocator = std::make_unique<FrameBufferAllocator>(session->camera);
  for (size_t index = 0; index < count; index++) {
    Stream *stream = session->configuration->at(index).stream();
    result = session->allocator->allocate(stream);
    if (result < 0) return refused(session, true, result, error);
    session->streams[streams[index].role] = stream;
    const std::vector<std::unique_ptr<FrameBuffer>> &buffers = session->allocator->buffers(stream);
    for (size_t number = 0; number < buffers.size(); number++) buffers[number]->setCookie(number);
    streams[index].buffers = uint32_t(buffers.size());
    streams[index].stride = session->configuration->at(index).stride;
  }
  session->camera->requestCompleted.connect(session, [session](Request *request) { session->note(request); });
  return session;
}

size_t cam_libcamera_session_ranges(cam_libcamera_session *session, cam_libcamera_range *ranges, size_t room) {
  return readRanges(session->camera->controls(), session->camera->properties(), ranges, room);
}

size_t cam_libcamera_session_planes(cam_libcamera_session *session, uint32_t role, uint32_t index, cam_libcamera_plane *planes, size_t room) {
  if (role >= cam_role_count || !session->streams[role] || index >= session->buffers(role).size()) return 0;
  size_t count = 0;
  for (const FrameBuffer::Plane &plane : session->buffers(role)[index]->planes()) {
    if (count == room) break;
    planes[count++] = {plane.fd.get(), plane.offset == FrameBuffer::Plane::kInvalidOffset ? 0 : plane.offset, plane.length};
  }
  return count;
}

int cam_libcamera_session_start(cam_libcamera_session *session, const cam_libcamera_value *values, size_t count) {
  ControlList list(session->camera->controls());
  setValues(list, session->camera->controls(), values, count);
  int result = session->camera->start(&list);
  return result < 0 ? -result : 0;
}

int cam_libcamera_session_queue(cam_libcamera_session *session, uint64_t cookie, const int32_t indices[cam_role_count], const cam_libcamera_value *values,
                      size_t count) {
  Request *request = nullptr;
  {
    std::lock_guard<std::mutex> guard(session->mutex);
    if (session->idle.empty()) {
      std::unique_ptr<Request> fresh = session->camera->createRequest(session->requests.size());
      if (!fresh) return ENOMEM;
      session->idle.push_back(fresh.get());
      session->requests.push_back(std::move(fresh));
      session->cookies.push_back(0);
    }
    request = session->idle.back();
    session->idle.pop_back();
    session->cookies[request->cookie()] = cookie;
  }
  int result = 0;
  for (uint32_t role = 0; role < cam_role_count && result == 0; role++) {
    if (indices[role] < 0 || !session->streams[role]) continue;
    result = request->addBuffer(session->streams[role], session->buffers(role)[size_t(indices[role])].get());
  }
  setValues(request->controls(), session->camera->controls(), values, count);
  if (result == 0) result = session->camera->queueRequest(request);
  if (result == 0) return 0;
  std::lock_guard<std::mutex> guard(session->mutex);
  request->reuse();
  session->idle.push_back(request);
  return -result;
}

void cam_libcamera_session_stop(cam_libcamera_session *session) { session->camera->stop(); }

void cam_libcamera_session_close(cam_libcamera_session *session) {
  session->camera->requestCompleted.disconnect(session);
  session->requests.clear();
  session->allocator.reset();
  session->configuration.reset();
  session->camera->release();
  delete session;
}

#endif
