#include "CPeers.h"

#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <sys/resource.h>

typedef struct {
  GMutex mutex;
  GCond reached;
  int count;
  int warm_up;
  int wanted;
  double from;
  double to;
} arrivals;

static double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static GstFlowReturn arrived(GstAppSink *sink, gpointer context) {
  arrivals *all = context;
  GstSample *sample = gst_app_sink_pull_sample(sink);
  if (!sample)
    return GST_FLOW_EOS;
  gst_sample_unref(sample);
  g_mutex_lock(&all->mutex);
  if (++all->count == all->warm_up)
    all->from = cpu_seconds();
  if (all->count == all->wanted) {
    all->to = cpu_seconds();
    g_cond_signal(&all->reached);
  }
  g_mutex_unlock(&all->mutex);
  return GST_FLOW_OK;
}

double peer_gstreamer_delivery(int rate, size_t size, int warm_up, int count, int has_queue) {
  gst_init(NULL, NULL);
  gchar *text = g_strdup_printf(
      "fakesrc is-live=true sync=true format=time datarate=%zu sizetype=fixed sizemax=%zu filltype=nothing "
      "%s! appsink name=sink sync=false max-buffers=2 drop=false",
      size * (size_t)rate, size, has_queue ? "! queue leaky=downstream max-size-buffers=1 " : "");
  GstElement *pipeline = gst_parse_launch(text, NULL);
  g_free(text);
  if (!pipeline)
    return -1;
  GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
  arrivals all = {.warm_up = warm_up, .wanted = warm_up + count};
  g_mutex_init(&all.mutex);
  g_cond_init(&all.reached);
  GstAppSinkCallbacks callbacks = {.new_sample = arrived};
  gst_app_sink_set_callbacks(GST_APP_SINK(sink), &callbacks, &all, NULL);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);

  gint64 deadline = g_get_monotonic_time() + (gint64)(all.wanted / rate + 10) * G_TIME_SPAN_SECOND;
  g_mutex_lock(&all.mutex);
  while (all.count < all.wanted && g_cond_wait_until(&all.reached, &all.mutex, deadline)) {
  }
  double result = all.count < all.wanted ? -1 : all.to - all.from;
  g_mutex_unlock(&all.mutex);

  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(sink);
  gst_object_unref(pipeline);
  g_mutex_clear(&all.mutex);
  g_cond_clear(&all.reached);
  return result;
}
