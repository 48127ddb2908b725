// The only place that reads the environment: every setting of the server, the simulator and the seed, parsed once with Zod.
import { hostname } from "node:os";
import { z } from "zod";
import { maxPollMs } from "@/server/domain/agents/signs-of-life";
import {
  evidenceS3Of,
  evidenceShape,
  network,
  socketAddress,
  list,
  whole,
  positive,
  httpUrl,
  databaseUrl,
  secret,
  encryptionKey,
  logLevel,
} from "@/server/setting-shapes";

/** A setting is missing or wrong. The message has one line per variable and never repeats a value, which may be secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: ReadonlyArray<{ variable: string; message: string }>) {
    super(problems.map((problem) => `${problem.variable}: ${problem.message}`).join("\n"));
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

const roles = ["web", "controller"] as const;
export type Role = (typeof roles)[number];

const serverSettings = z.object({
  DATABASE_URL: databaseUrl,
  PORT: whole(0, 65_535).default(3000),
  RECLAIM_LISTEN: z
    .union([z.ipv4(), z.ipv6()], { error: "must be an IP address to listen on" })
    .default("127.0.0.1"),
  RECLAIM_ROLES: z
    .string()
    .default("web,controller")
    .transform(list)
    .pipe(
      z
        .array(z.enum(roles, { error: "must be a comma list of web and controller" }))
        .min(1, "must name at least one role"),
    ),
  RECLAIM_BASE_URL: httpUrl.optional(),
  RECLAIM_MACHINE_LISTEN: socketAddress.optional(),
  RECLAIM_MACHINE_URL: httpUrl.optional(),
  NEXTAUTH_SECRET: secret(32),
  RECLAIM_ENCRYPTION_KEY: encryptionKey,
  RECLAIM_STATE_DIR: z.string().regex(/^\//, "must be the absolute path of a folder").optional(),
  RECLAIM_LEASE_MS: whole(1_000, 3_600_000).default(60_000),
  RECLAIM_SWEEP_MS: whole(0, 86_400_000).default(30_000),
  RECLAIM_POWER_READ_MS: whole(0, 86_400_000).default(120_000),
  RECLAIM_READY_WATCH_MS: whole(0, 86_400_000).default(5_400_000),
  RECLAIM_BMC_HEALTH_MS: whole(0, 86_400_000).default(3_600_000),
  RECLAIM_TAKEOVER_MS: whole(50, 60_000).default(1_000),
  RECLAIM_LONG_POLL_MS: whole(0, maxPollMs).default(25_000),
  RECLAIM_BOOT_IMAGE_URL: httpUrl.optional(),
  RECLAIM_BOOT_IMAGE_DIR: z.string().regex(/^\//, "must be the absolute path of a folder").optional(),
  RECLAIM_HTTP_BOOT_URI: httpUrl.optional(),
  RECLAIM_BOOT_IMAGE_SHA256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
    .transform((text) => text.toLowerCase())
    .optional(),
  RECLAIM_BOOT_IMAGE_SIGNED: z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0"),
  RECLAIM_ENABLE_FAKE: z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0"),
  RECLAIM_BMC_NETWORKS: z.string().default("").transform(list).pipe(z.array(network)),
  RECLAIM_WEBHOOK_NETWORKS: z.string().default("").transform(list).pipe(z.array(network)),
  RECLAIM_TRUSTED_PROXIES: z.string().default("").transform(list).pipe(z.array(network)),
  RECLAIM_KEEP_ALIVE_MS: whole(1_000, 3_600_000).default(75_000),
  RECLAIM_CONNECTIONS_PER_ADDRESS: whole(10, 1_000_000).default(500),
  RECLAIM_LOG_LEVEL: logLevel.default("info"),
  RECLAIM_CONTROLLER_NAME: z
    .string()
    .regex(/^[\w.:-]{1,100}$/, "must be at most 100 letters, digits and . _ : -")
    .optional(),
  RECLAIM_METRICS_TOKEN: secret(16).optional(),
  RECLAIM_AUDIT_DATABASE_URL: databaseUrl.optional(),
  RECLAIM_SELF_AUDIT_HOUR: whole(0, 23).default(3),
  RECLAIM_AUDIT_POLICY: z.string().min(1, "must name a file").optional(),
  ...evidenceShape,
  RECLAIM_KEEP_DAYS: whole(7, 3_650).default(90),
  RECLAIM_IRONIC_NOAUTH: z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0"),
  RECLAIM_SERVICE_ACCOUNT_ORG: z
    .string()
    .regex(/^[^\s/]{1,128}$/, "must be the name of an organisation, without spaces and slashes")
    .optional(),
  RECLAIM_DEMO_DESK_URL: httpUrl.optional(),
  RECLAIM_DEMO_DESK_TOKEN: secret(16).optional(),
  RECLAIM_CHECK_ANSWERS: z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0"),
});

const simulatorSettings = z.object({
  RECLAIM_SIM_PORT: whole(0, 65_535),
  RECLAIM_SIM_HOSTS: whole(0, 100_000).default(200),
  RECLAIM_SIM_SPEED: positive(100_000).default(1),
  RECLAIM_SIM_SEED: whole(0, 4_294_967_295).default(1),
  RECLAIM_SIM_BMC_PASSWORD: secret(8),
  RECLAIM_SIM_CONTROLLER_URL: httpUrl,
  RECLAIM_SIM_NETWORK_TOKEN: secret(16),
  RECLAIM_SIM_CONTROL_TOKEN: secret(16),
  RECLAIM_SIM_STATE: z.string().min(1, "must name a file").optional(),
  RECLAIM_SIM_DESK_TOKEN: secret(16).optional(),
  RECLAIM_SIM_SCENARIO: z.string().min(1, "must name a file").optional(),
  RECLAIM_SIM_DEMO_LOGINS: z.string().min(1, "must name a file").optional(),
  RECLAIM_SIM_BOOT_CARDS: z.enum(["0", "1"]).default("0"),
  RECLAIM_LOG_LEVEL: logLevel.default("info"),
});

const seedSettings = z.object({
  DATABASE_URL: databaseUrl,
  RECLAIM_ENCRYPTION_KEY: encryptionKey,
  RECLAIM_BASE_URL: httpUrl,
  RECLAIM_DEMO_LOGINS: z.string().min(1, "must name a file"),
  RECLAIM_SIM_PORT: whole(0, 65_535).optional(),
  RECLAIM_SIM_HOSTS: whole(0, 100_000).default(200),
  RECLAIM_SIM_SPEED: positive(100_000).default(1),
  RECLAIM_SIM_BMC_PASSWORD: secret(8).optional(),
  RECLAIM_SIM_NETWORK_TOKEN: secret(16).optional(),
  RECLAIM_SEED_BASELINES: z.enum(["0", "1"]).default("1"),
  RECLAIM_SEED_NEW_LOGINS: z.enum(["0", "1"]).default("0"),
  RECLAIM_LOG_LEVEL: logLevel.default("info"),
});

/** An empty variable counts as unset, because `.env` files cannot say so otherwise. Throws ConfigError. */
function parse<Schema extends z.ZodType>(schema: Schema, env: Environment): z.output<Schema> {
  const result = schema.safeParse(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== "")),
  );
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const variable = String(issue.path[0] ?? "environment");
      return {
        variable,
        message: env[variable] === undefined || env[variable] === "" ? "is required" : issue.message,
      };
    }),
  );
}

/** Services that other programs provide. */
const servicesOf = (settings: z.output<typeof serverSettings>) => ({
  /** Where the console's demo menu gets its content; undefined: no demo menu (docs/demo.md). */
  demoDesk: demoDeskOf(settings),
  /** The authority that timestamps certificates (RFC 3161). */
  timestampUrl: settings.RECLAIM_TIMESTAMP_URL ?? null,
  /** Null: evidence files are stored in the database. */
  evidenceS3: evidenceS3Of(settings),
});

/** Where hosts and their agents reach this server. Throws ConfigError. */
function machinesOf(settings: z.output<typeof serverSettings>, baseUrl: string) {
  const { RECLAIM_MACHINE_LISTEN: listen, RECLAIM_MACHINE_URL: url } = settings;
  // Without it hosts would be sent to the public address, which does not answer them then.
  if (listen !== undefined && url === undefined)
    throw new ConfigError([
      { variable: "RECLAIM_MACHINE_URL", message: "is required when RECLAIM_MACHINE_LISTEN is set" },
    ]);
  return {
    /** Begins every URL that a host is given, without a trailing slash. */
    machineUrl: url ?? baseUrl,
    /** The listener for `/boot` and `/agent` alone; null: they are answered on the one port. */
    machineListen: listen ?? null,
    /** Where hosts reach this process, by the name of its machine: the same after a restart. */
    serverName: `${hostname()} ${listen === undefined ? `${settings.RECLAIM_LISTEN}:${settings.PORT}` : `${listen.address}:${listen.port}`}`,
  };
}

/** What hosts boot for cleaning. */
const bootOf = (settings: z.output<typeof serverSettings>, machineUrl: string) => ({
  /** Where `vmlinuz` and `initrd.img` of the cleaning image are, without a trailing slash. */
  bootImageUrl: settings.RECLAIM_BOOT_IMAGE_URL ?? `${machineUrl}/boot/image`,
  /** The folder served at `/boot/image`; undefined: none. */
  bootImageDir: settings.RECLAIM_BOOT_IMAGE_DIR,
  /** The boot program that BMCs are given for an HTTP boot; null: DHCP names it. */
  httpBootUri: settings.RECLAIM_HTTP_BOOT_URI ?? null,
  bootImageSha256: settings.RECLAIM_BOOT_IMAGE_SHA256,
  bootImageSigned: settings.RECLAIM_BOOT_IMAGE_SIGNED === "1",
});

const auditSettings = (settings: z.output<typeof serverSettings>) => ({
  /** The same database, with the role that numbers and signs the audit log. */
  databaseUrl: settings.RECLAIM_AUDIT_DATABASE_URL ?? settings.DATABASE_URL,
  /** The file with the witnesses that cosign the log, and how many of them proofs need (https://c2sp.org/tlog-policy). */
  policyFile: settings.RECLAIM_AUDIT_POLICY,
  /** The hour, in UTC, at which the log is checked each night. */
  selfAuditHour: settings.RECLAIM_SELF_AUDIT_HOUR,
});

function demoDeskOf({
  RECLAIM_DEMO_DESK_URL: url,
  RECLAIM_DEMO_DESK_TOKEN: token,
}: z.output<typeof serverSettings>) {
  return url === undefined || token === undefined ? undefined : { url, token };
}

/** Settings of the server process, whatever its roles. Throws ConfigError. */
export function loadServerConfig(env: Environment) {
  const settings = parse(serverSettings, env);
  const baseUrl = settings.RECLAIM_BASE_URL ?? `http://localhost:${settings.PORT}`;
  const machines = machinesOf(settings, baseUrl);
  return {
    databaseUrl: settings.DATABASE_URL,
    /** The port of the console and the APIs; 0 lets the system choose. */
    port: settings.PORT,
    /** The address that the process listens on; loopback by default. */
    listen: settings.RECLAIM_LISTEN,
    roles: settings.RECLAIM_ROLES,
    /** Public address of the console and the APIs, without a trailing slash; also next-auth's. */
    baseUrl,
    ...machines,
    nextAuthSecret: settings.NEXTAUTH_SECRET,
    /** 32 bytes for AES-256-GCM over stored credentials. */
    encryptionKey: settings.RECLAIM_ENCRYPTION_KEY,
    /** Folder for the database's high-water mark; required by `server/main.ts`. */
    stateDir: settings.RECLAIM_STATE_DIR,
    /** How long a claim on a host lasts without renewal. */
    leaseMs: settings.RECLAIM_LEASE_MS,
    /** Interval between sweeps for hosts that nobody woke; 0 switches the sweep off. */
    sweepMs: settings.RECLAIM_SWEEP_MS,
    powerReadMs: settings.RECLAIM_POWER_READ_MS,
    readyWatchMs: settings.RECLAIM_READY_WATCH_MS,
    bmcHealthMs: settings.RECLAIM_BMC_HEALTH_MS,
    /** Interval between checks for dead controllers. */
    takeoverMs: settings.RECLAIM_TAKEOVER_MS,
    /** How long an agent's poll is held open. */
    longPollMs: settings.RECLAIM_LONG_POLL_MS,
    ...bootOf(settings, machines.machineUrl),
    /** Networks of BMCs: CIDR, or `loopback`. Empty: no BMC can be reached. */
    bmcNetworks: settings.RECLAIM_BMC_NETWORKS,
    webhookNetworks: settings.RECLAIM_WEBHOOK_NETWORKS,
    /** Proxies whose `X-Forwarded-For` is trusted: CIDR networks, or `loopback`. Empty: none. */
    trustedProxies: settings.RECLAIM_TRUSTED_PROXIES,
    /** How long a connection without a request stays open. */
    keepAliveMs: settings.RECLAIM_KEEP_ALIVE_MS,
    /** How many connections one address may have. */
    connectionsPerAddress: settings.RECLAIM_CONNECTIONS_PER_ADDRESS,
    /** Whether fake hosts may be enrolled and are worked on. */
    fakeHardware: settings.RECLAIM_ENABLE_FAKE === "1",
    logLevel: settings.RECLAIM_LOG_LEVEL,
    /** Name in leases and logs; unique per process, so that a restarted process does not take its predecessor's claims for its own. */
    controllerName: settings.RECLAIM_CONTROLLER_NAME ?? `${hostname()}:${process.pid}`,
    /** Bearer token for /metrics; without one, only loopback may read them. */
    metricsToken: settings.RECLAIM_METRICS_TOKEN,
    audit: auditSettings(settings),
    /** How many days records without evidence are kept: effects, agent logs, journals, past boots, refused intents. */
    keepDays: settings.RECLAIM_KEEP_DAYS,
    /** Whether programs on this machine may use the Ironic API as provider admin without signing in. */
    ironicNoauth: settings.RECLAIM_IRONIC_NOAUTH === "1",
    /** The organisation whose tenant provider admins act for in NICo's API; undefined: none. */
    serviceAccountOrg: settings.RECLAIM_SERVICE_ACCOUNT_ORG,
    ...servicesOf(settings),
    checkAnswers: settings.RECLAIM_CHECK_ANSWERS === "1",
  };
}
export type ServerConfig = ReturnType<typeof loadServerConfig>;

/** Settings of the simulated fleet. It has no database and refuses one. Throws ConfigError. */
export function loadSimulatorConfig(env: Environment) {
  if (env.DATABASE_URL) {
    throw new ConfigError([
      { variable: "DATABASE_URL", message: "must not be set: the simulator is reached over HTTP only" },
    ]);
  }
  const settings = parse(simulatorSettings, env);
  return {
    port: settings.RECLAIM_SIM_PORT,
    hosts: settings.RECLAIM_SIM_HOSTS,
    /** Speed relative to real hardware. */
    speed: settings.RECLAIM_SIM_SPEED,
    seed: settings.RECLAIM_SIM_SEED,
    bmcPassword: settings.RECLAIM_SIM_BMC_PASSWORD,
    /** The server that simulated hosts boot from and their agents report to. */
    controllerUrl: settings.RECLAIM_SIM_CONTROLLER_URL,
    /** Bearer token that the simulated network controller sends and expects. */
    networkToken: settings.RECLAIM_SIM_NETWORK_TOKEN,
    /** Bearer token of the interface through which tests and demos script faults. */
    controlToken: settings.RECLAIM_SIM_CONTROL_TOKEN,
    /** File, mode 0600, for what real hardware keeps across restarts, mainly drives. Without it every start begins with tenants' data. */
    stateFile: settings.RECLAIM_SIM_STATE,
    /** Gives some Dell hosts a BOSS card and some Lenovo hosts an M.2 RAID kit. */
    bootCards: settings.RECLAIM_SIM_BOOT_CARDS === "1",
    /** Bearer token of the demo desk only. */
    deskToken: settings.RECLAIM_SIM_DESK_TOKEN,
    /** Scenario of the living demo; the file below has the logins of the people who act in it (docs/demo.md). */
    scenarioFile: settings.RECLAIM_SIM_SCENARIO,
    demoLoginsFile: settings.RECLAIM_SIM_DEMO_LOGINS,
    logLevel: settings.RECLAIM_LOG_LEVEL,
  };
}
export type SimulatorConfig = ReturnType<typeof loadSimulatorConfig>;

/** Settings of the seed program. Without a simulated fleet (`simulator` undefined) it only writes users, SKUs and policy. Throws ConfigError. */
export function loadSeedConfig(env: Environment) {
  const settings = parse(seedSettings, env);
  const {
    RECLAIM_SIM_PORT: port,
    RECLAIM_SIM_BMC_PASSWORD: bmcPassword,
    RECLAIM_SIM_NETWORK_TOKEN: networkToken,
  } = settings;
  if (port !== undefined && (bmcPassword === undefined || networkToken === undefined)) {
    const missing = { RECLAIM_SIM_BMC_PASSWORD: bmcPassword, RECLAIM_SIM_NETWORK_TOKEN: networkToken };
    throw new ConfigError(
      Object.entries(missing)
        .filter(([, value]) => value === undefined)
        .map(([variable]) => ({ variable, message: "is required when RECLAIM_SIM_PORT is set" })),
    );
  }
  return {
    databaseUrl: settings.DATABASE_URL,
    encryptionKey: settings.RECLAIM_ENCRYPTION_KEY,
    baseUrl: settings.RECLAIM_BASE_URL,
    /** File, mode 0600, for the demo logins. */
    demoLoginsFile: settings.RECLAIM_DEMO_LOGINS,
    /** Whether the demo's SKUs require anything of BIOS, firmware and BMC, so that cleaning changes them; not used in benchmarks. */
    baselines: settings.RECLAIM_SEED_BASELINES === "1",
    /** Whether demo people whose login is not in that file get a new password, and a token in addition to those they have. */
    newLogins: settings.RECLAIM_SEED_NEW_LOGINS === "1",
    simulator:
      port === undefined || bmcPassword === undefined || networkToken === undefined
        ? undefined
        : {
            port,
            bmcPassword,
            networkToken,
            hosts: settings.RECLAIM_SIM_HOSTS,
            speed: settings.RECLAIM_SIM_SPEED,
          },
    logLevel: settings.RECLAIM_LOG_LEVEL,
  };
}
export type SeedConfig = ReturnType<typeof loadSeedConfig>;
