#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct cam_openni_library cam_openni_library;
static char obstacle[500];
static char path[4096];

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER, handing = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t handed = PTHREAD_COND_INITIALIZER;
static struct {
  call_t call;
  void *arguments;
} job;

/// The words of a failure in the call that is being made, and of the calling thread's last one.
static char failure[2000];
static _Thread_local char last_failure[sizeof failure];

static void *work(void *nothing) {
  pthread_mutex_lock(&handing);
  for (;;) {
    while (job.call == NULL) pthread_cond_wait(&handed, &handing);
    job.call(job.arguments);
    job.call = NULL;
    pthread_cond_broadcast(&handed);
  }
  return nothing;
}

void cam_openni_hand(call_t call, void *arguments) {
  pthread_mutex_lock(&turn);
  pthread_mutex_lock(&handing);
  job.call = call;
  job.arguments = arguments;
  pthread_cond_broadcast(&handed);
  while (job.call != NULL) pthread_cond_wait(&handed, &handing);
  if (failure[0] != 0) memcpy(last_failure, failure, sizeof failure);
  failure[0] = 0;
  pthread_mutex_unlock(&handing);
  pthread_mutex_unlock(&turn);
}

int cam_openni_note(int status) {
  if (status == 0 || status == cam_openni_timed_out) return status;
  const char *words = cam_openni_library.GetExtendedError();
  snprintf(failure, sizeof failure, "%s", words != NULL ? words : "");
  if (failure[0] == 0) snprintf(failure, sizeof failure, "status %d", status);
  return status;
}

CALL(initialize, int status, in->status = cam_openni_note(cam_openni_library.Initialize(kInterface)))

static void open_library(void) {
  const char *const files[] = {"libOpenNI2.so.0", NULL}, *const names[] = {FUNCTIONS(CAM_FUNCTION_NAME) NULL};
  if (!cam_library_open(files, names, &cam_openni_library, obstacle, sizeof obstacle)) {
    if (obstacle[0] == 0) snprintf(obstacle, sizeof obstacle, "unknown");
    return;
  }
  Dl_info place;
  void *function;
  memcpy(&function, &cam_openni_library.Initialize, sizeof function);
  if (dladdr(function, &place) != 0 && place.dli_fname != NULL) snprintf(path, sizeof path, "%s", place.dli_fname);
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) != 0) {
    snprintf(obstacle, sizeof obstacle, "it gets no thread");
    return;
  }
  pthread_detach(thread);
  initialize_job arguments = {0};
  HAND(initialize, &arguments);
  if (arguments.status != 0) {
    snprintf(obstacle, sizeof obstacle, "it does not start: %.400s", cam_openni_last_error());
    for (char *end = obstacle + strlen(obstacle); end > obstacle && (end[-1] == '\n' || end[-1] == ' ');) *--end = 0;
  }
}

const char *cam_openni_obstacle(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return obstacle[0] != 0 ? obstacle : NULL;
}

const char *cam_openni_path(void) {
  cam_openni_obstacle();
  return path[0] != 0 ? path : NULL;
}

int cam_openni_version(void) {
  version_t version = cam_openni_library.GetVersion();
  return version.major * 10000 + version.minor * 100 + version.maintenance;
}

const char *cam_openni_last_error(void) { return last_failure; }
