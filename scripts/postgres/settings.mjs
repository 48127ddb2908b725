// The settings of the embedded PostgreSQL: durable, on loopback only, sized for two cores and some gigabytes.

/** @type {Record<string, string>} */
const common = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "", // only one way in, and it requires a password
  password_encryption: "scram-sha-256",
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
  log_line_prefix: "%m [%p] ",
  jit: "off", // short statements only; compiling them costs more than it saves
  max_parallel_workers_per_gather: "0", // two cores; and containers have a small /dev/shm
  random_page_cost: "1.1",
};

/** For data that must survive a power cut. @type {Record<string, string>} */
export const durable = {
  ...common,
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  wal_buffers: "16MB",
  min_wal_size: "256MB",
  max_wal_size: "2GB",
  checkpoint_timeout: "15min",
  checkpoint_completion_target: "0.9",
};

/** For a test run, whose data is not needed after a power cut. @type {Record<string, string>} */
export const throwAway = {
  ...common,
  // Five test files at once, each with controllers and servers that have their own pools.
  max_connections: "400",
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  shared_buffers: "128MB",
  max_wal_size: "1GB",
};

/** @param {Record<string, string>} settings */
export function asArguments(settings) {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
