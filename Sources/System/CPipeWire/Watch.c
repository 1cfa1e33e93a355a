#include <errno.h>
#include <pipewire/extensions/metadata.h>
#include <stdlib.h>
#include <string.h>

#include "Functions.h"

enum { MOST_PROPERTIES = 128 };

/// A camera, or a device that cameras belong to.
struct node {
  struct node *next;
  cam_pipewire *connection;
  uint32_t id;
  struct pw_proxy *proxy;
  struct spa_hook listener;
  /// The number of the answer after the formats; 0 when none is waited for.
  int waiting;
  /// The number of the newest question for formats, which its answers carry.
  int question;
};

static uint32_t copy(const struct spa_dict *dictionary, cam_pipewire_property *properties) {
  uint32_t count = 0;
  for (uint32_t index = 0; dictionary && index < dictionary->n_items && count < MOST_PROPERTIES; index++) {
    const struct spa_dict_item *item = &dictionary->items[index];
    if (item->key && item->value) properties[count++] = (cam_pipewire_property){item->key, item->value};
  }
  return count;
}

static void node_info(void *data, const struct pw_node_info *info) {
  struct node *node = data;
  cam_pipewire *connection = node->connection;
  bool has_new_formats = false;
  if (info->change_mask & PW_NODE_CHANGE_MASK_PARAMS) {
    for (uint32_t index = 0; index < info->n_params; index++)
      if (info->params[index].id == SPA_PARAM_EnumFormat) has_new_formats = true;
  }
  // News of its state, which come with each stream, say nothing new of it.
  if (!has_new_formats && !(info->change_mask & PW_NODE_CHANGE_MASK_PROPS)) return;
  cam_pipewire_property properties[MOST_PROPERTIES];
  uint32_t count = info->change_mask & PW_NODE_CHANGE_MASK_PROPS ? copy(info->props, properties) : 0;
  connection->watcher.node(connection->watcher.context, node->id, properties, count);
  node->question =
    pw_node_enum_params((struct pw_node *)node->proxy, 0, SPA_PARAM_EnumFormat, 0, UINT32_MAX, NULL);
  node->waiting = pw_core_sync(connection->core, PW_ID_CORE, 0);
}

static void node_param(
  void *data, int sequence, uint32_t id, uint32_t index, uint32_t next, const struct spa_pod *param)
{
  (void)index;
  (void)next;
  struct node *node = data;
  // Answers to an older question would be told a second time.
  if (id != SPA_PARAM_EnumFormat || !param || sequence != node->question) return;
  cam_formats_tell(&node->connection->watcher, node->id, param);
}

static const struct pw_node_events node_events = {
  PW_VERSION_NODE_EVENTS,
  .info = node_info,
  .param = node_param,
};

static void device_info(void *data, const struct pw_device_info *info) {
  struct node *node = data;
  cam_pipewire *connection = node->connection;
  if (!(info->change_mask & PW_DEVICE_CHANGE_MASK_PROPS)) return;
  cam_pipewire_property properties[MOST_PROPERTIES];
  uint32_t count = copy(info->props, properties);
  connection->watcher.device(connection->watcher.context, node->id, properties, count);
}

static const struct pw_device_events device_events = {
  PW_VERSION_DEVICE_EVENTS,
  .info = device_info,
};

static const char *property(const struct spa_dict *properties, const char *key) {
  const char *value = properties ? spa_dict_lookup(properties, key) : NULL;
  return value ? value : "";
}

/// Notes whether a session manager runs: one has the metadata of that number.
static void manage(cam_pipewire *connection, bool is_managed, uint32_t metadata) {
  connection->is_managed = is_managed;
  connection->metadata = metadata;
  if (connection->unsettled == 0) connection->watcher.settled(connection->watcher.context, is_managed);
}

static void global_added(
  void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
  const struct spa_dict *properties)
{
  (void)permissions;
  (void)version;
  cam_pipewire *connection = data;
  if (strcmp(type, PW_TYPE_INTERFACE_Metadata) == 0 &&
      strcmp(property(properties, "metadata.name"), "default") == 0)
    manage(connection, true, id);
  const char *class = property(properties, PW_KEY_MEDIA_CLASS);
  bool is_node = strcmp(type, PW_TYPE_INTERFACE_Node) == 0 && strcmp(class, "Video/Source") == 0;
  bool is_device = strcmp(type, PW_TYPE_INTERFACE_Device) == 0 && strcmp(class, "Video/Device") == 0;
  if (!is_node && !is_device) return;
  struct node *node = calloc(1, sizeof *node);
  if (!node) return;
  node->connection = connection;
  node->id = id;
  node->proxy = pw_registry_bind(
    connection->registry, id, type, is_node ? PW_VERSION_NODE : PW_VERSION_DEVICE, 0);
  if (!node->proxy) {
    free(node);
    return;
  }
  if (is_node) {
    pw_node_add_listener((struct pw_node *)node->proxy, &node->listener, &node_events, node);
  } else {
    pw_device_add_listener((struct pw_device *)node->proxy, &node->listener, &device_events, node);
  }
  node->next = connection->nodes;
  connection->nodes = node;
}

static void forget(struct node *node) {
  spa_hook_remove(&node->listener);
  LIBRARY.proxy_destroy(node->proxy);
  free(node);
}

static void global_removed(void *data, uint32_t id) {
  cam_pipewire *connection = data;
  if (connection->is_managed && id == connection->metadata) manage(connection, false, PW_ID_ANY);
  for (struct node **place = &connection->nodes; *place; place = &(*place)->next) {
    struct node *node = *place;
    if (node->id != id) continue;
    *place = node->next;
    forget(node);
    connection->watcher.removed(connection->watcher.context, id);
    return;
  }
}

static const struct pw_registry_events registry_events = {
  PW_VERSION_REGISTRY_EVENTS,
  .global = global_added,
  .global_remove = global_removed,
};

void cam_watch_done(cam_pipewire *connection, int sequence) {
  for (struct node *node = connection->nodes; node; node = node->next) {
    if (node->waiting == 0 || node->waiting != sequence) continue;
    node->waiting = 0;
    connection->watcher.described(connection->watcher.context, node->id);
  }
  if (connection->unsettled == 0 || sequence != connection->settling) return;
  connection->unsettled--;
  if (connection->unsettled > 0) {
    connection->settling = pw_core_sync(connection->core, PW_ID_CORE, 0);
  } else {
    connection->watcher.settled(connection->watcher.context, connection->is_managed);
  }
}

int cam_pipewire_watch(cam_pipewire *connection, cam_pipewire_watcher watcher) {
  connection->watcher = watcher;
  connection->registry = pw_core_get_registry(connection->core, PW_VERSION_REGISTRY, 0);
  if (!connection->registry) return errno != 0 ? errno : EIO;
  pw_registry_add_listener(
    connection->registry, &connection->registry_listener, &registry_events, connection);
  // After the first answer all objects are known, after the second what they are, after the third their formats.
  connection->unsettled = 3;
  connection->settling = pw_core_sync(connection->core, PW_ID_CORE, 0);
  return 0;
}

void cam_watch_end(cam_pipewire *connection) {
  while (connection->nodes) {
    struct node *node = connection->nodes;
    connection->nodes = node->next;
    forget(node);
  }
  if (connection->registry) {
    spa_hook_remove(&connection->registry_listener);
    LIBRARY.proxy_destroy((struct pw_proxy *)connection->registry);
  }
}
