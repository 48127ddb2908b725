// Messages of Ironic's agent, as far as Reclaim reads them (ironic_python_agent/ironic_api_client.py, api/app.py, extensions/base.py). Unknown members are ignored.
import { z } from "zod";

/** Not allowed in our texts: control characters, and lone surrogates, which PostgreSQL rejects. */
const unprintable = /[\p{Cc}\p{Cs}]+/gu;

/** Text of a foreign program, truncated and without characters that cannot be stored. */
export const shortText = (most: number) =>
  z
    .string()
    .transform((text) => Array.from(text.replaceAll(unprintable, " ").trim()).slice(0, most).join(""));

/** `POST /v1/heartbeat/{node}` */
export const guestHeartbeat = z.object({
  /** Where the agent takes commands. */
  callback_url: z.string().max(500),
  agent_token: z.string().min(1).max(256),
  agent_version: shortText(40).optional(),
  /** The certificate that the agent generated at startup and serves at that address. None would mean the system's authorities. */
  agent_verify_ca: z
    .string()
    .min(1)
    .max(16 * 1024)
    .optional(),
});
export type GuestHeartbeat = z.infer<typeof guestHeartbeat>;

const mac = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/));

const interfaces = z.array(z.object({ name: shortText(256), mac_address: mac.nullish().catch(null) }));

/** `POST /v1/continue_inspection`: only used to find out which host sent it; nothing is stored. */
export const guestInspection = z.object({
  inventory: z.object({ interfaces: interfaces.max(128) }),
});

/** The result of `poll.get_hardware_info`. */
export const guestHardware = z.object({
  interfaces: interfaces.max(128),
  cpu: z.object({
    model_name: shortText(256).nullish(),
    count: z.int().min(1),
    socket_count: z.int().min(1).max(64).nullish(),
  }),
  memory: z.object({
    total: z.number().min(0).nullish(),
    physical_mb: z.number().min(0).nullish(),
  }),
  disks: z
    .array(
      z.object({
        name: shortText(200),
        model: shortText(256).nullish(),
        size: z.number().min(0),
        rotational: z.boolean(),
        wwn: shortText(256).nullish(),
        wwn_with_extension: shortText(256).nullish(),
        serial: shortText(128).nullish(),
        vendor: shortText(256).nullish(),
        by_path: shortText(200).nullish(),
      }),
    )
    .max(512),
  system_vendor: z.object({
    product_name: shortText(256).nullish(),
    serial_number: shortText(128).nullish(),
    manufacturer: shortText(256).nullish(),
    firmware: z
      .object({ version: shortText(256).nullish() })
      .nullish()
      .catch(null),
  }),
});
export type GuestHardware = z.infer<typeof guestHardware>;

const step = z.object({
  interface: shortText(32),
  step: shortText(64),
  priority: z.int().min(0).max(1_000_000),
  reboot_requested: z.boolean().nullish(),
});

/** The result of `clean.get_clean_steps`: steps by class of hardware manager, versions by hardware manager name. */
export const guestCleanSteps = z.object({
  clean_steps: z.record(z.string(), z.array(step).max(256)),
  hardware_manager_version: z.record(shortText(128), shortText(64)),
});
export type GuestCleanSteps = z.infer<typeof guestCleanSteps>;

/** One command, as in `/v1/commands`. */
export const guestCommand = z.object({
  id: z.string().min(1).max(64),
  command_name: shortText(128),
  command_status: shortText(64),
  command_error: z.unknown(),
  command_result: z.unknown(),
});
export type GuestCommand = z.infer<typeof guestCommand>;

export const guestCommands = z.object({ commands: z.array(guestCommand).max(1000) });

/** What the agent is told about its host in the lookup and with each command. It contains nothing about other hosts. */
export interface GuestNode {
  readonly uuid: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, never>>;
  readonly instance_info: Readonly<Record<string, never>>;
  readonly extra: Readonly<Record<string, never>>;
  readonly driver_info: Readonly<Record<string, never>>;
  readonly driver_internal_info: Readonly<Record<string, boolean | number>>;
}

/** Ironic's defaults for an erase (`ironic/conf/deploy.py`), except that no erase continues past a drive that could not be erased. Pure. */
export const guestNode = (uuid: string, name: string): GuestNode => ({
  uuid,
  name,
  properties: {},
  instance_info: {},
  extra: {},
  driver_info: {},
  driver_internal_info: {
    agent_erase_devices_iterations: 1,
    agent_erase_devices_zeroize: true,
    agent_continue_if_secure_erase_failed: false,
    agent_continue_if_ata_erase_failed: false,
    agent_enable_ata_secure_erase: true,
    agent_enable_nvme_secure_erase: true,
    agent_erase_skip_read_only: false,
    disk_erasure_concurrency: 4,
  },
});
