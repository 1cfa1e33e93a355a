#include "CPeers.h"

#include <gst/app/gstappsink.h>
#include <gst/gst.h>

typedef struct {
  GMutex mutex;
  GCond reached;
  int count;
  int wanted;
} arrivals;

static GstFlowReturn arrived(GstAppSink *sink, gpointer context) {
  arrivals *all = context;
  GstSample *sample = gst_app_sink_pull_sample(sink);
  if (!sample)
    return GST_FLOW_EOS;
  gst_sample_unref(sample);
  g_mutex_lock(&all->mutex);
  if (++all->count == all->wanted)
    g_cond_signal(&all->reached);
  g_mutex_unlock(&all->mutex);
  return GST_FLOW_OK;
}

int peer_gstreamer_delivery(int rate, size_t size, int count) {
  gst_init(NULL, NULL);
  gchar *text = g_strdup_printf(
      "fakesrc is-live=true sync=true format=time datarate=%zu sizetype=fixed sizemax=%zu filltype=nothing "
      "! appsink name=sink sync=false max-buffers=2 drop=false",
      size * (size_t)rate, size);
  GstElement *pipeline = gst_parse_launch(text, NULL);
  g_free(text);
  if (!pipeline)
    return -1;
  GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
  arrivals all = {.count = 0, .wanted = count};
  g_mutex_init(&all.mutex);
  g_cond_init(&all.reached);
  GstAppSinkCallbacks callbacks = {.new_sample = arrived};
  gst_app_sink_set_callbacks(GST_APP_SINK(sink), &callbacks, &all, NULL);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);

  gint64 deadline = g_get_monotonic_time() + (gint64)(count / rate + 10) * G_TIME_SPAN_SECOND;
  g_mutex_lock(&all.mutex);
  while (all.count < count && g_cond_wait_until(&all.reached, &all.mutex, deadline)) {
  }
  int result = all.count;
  g_mutex_unlock(&all.mutex);

  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(sink);
  gst_object_unref(pipeline);
  g_mutex_clear(&all.mutex);
  g_cond_clear(&all.reached);
  return result;
}
