// What Ironic's agent is to do and has done, kept in the database between two turns of the bridge so that another process can continue.
import type { Pool } from "pg";
import { z } from "zod";
import {
  holdGuest,
  keepGuestSession,
  keepGuestWork,
  noteGuestRefusal,
  releaseGuest,
} from "@/server/db/hot/agent/guest";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { storedManagers, type HardwareManager } from "@/server/domain/agents/protocol";
import type { GuestHost } from "@/server/domain/agents/ironic/hardware";
import type { GuestTask } from "@/server/domain/agents/ironic/steps";
import { storedDevice } from "@/server/domain/hosts/inventory/inventory";

const guestWork = z.object({
  task: z.object({
    id: z.string(),
    stepRunId: z.string(),
    attempt: z.int(),
    interface: z.string(),
    step: z.string(),
    devices: z.array(storedDevice),
  }),
  /** The agent's id for the command; null: it is unknown whether the agent accepted it. */
  command: z.string().nullable(),
});

export interface GuestWork {
  readonly task: GuestTask;
  readonly command: string | null;
}

/** The agent of one boot of one host. */
export interface GuestKey {
  readonly hostId: string;
  readonly bootEpoch: number;
}

/** How many finished commands are remembered; the controller gives one at a time. */
const maxFinished = 16;

/** What a turn starts with. */
export interface HeldGuest {
  readonly callbackUrl: string;
  readonly verifyCa: string;
  readonly agentVersion: string;
  readonly token: string;
  readonly session: string | null;
  readonly managers: readonly HardwareManager[];
  readonly work: GuestWork | null;
  readonly finished: readonly string[];
  readonly name: string;
  readonly macs: readonly string[];
  readonly host: GuestHost;
}

export interface GuestStoreOptions {
  readonly pool: Pool;
  readonly secrets: SecretBox;
  /** Id of this process. */
  readonly holder: string;
}

export class GuestStore {
  readonly #key: GuestKey;

  readonly #options: GuestStoreOptions;

  constructor(key: GuestKey, options: GuestStoreOptions) {
    this.#key = key;
    this.#options = options;
  }

  /** Null: another process speaks to the agent, or none should. */
  async hold(): Promise<HeldGuest | null> {
    const { hostId, bootEpoch } = this.#key;
    const { pool, secrets, holder } = this.#options;
    const [row] = await holdGuest(pool, hostId, bootEpoch, holder);
    if (row === undefined) return null;
    return {
      callbackUrl: row.callback_url,
      verifyCa: row.verify_ca,
      agentVersion: row.agent_version,
      token: secrets.open(row.token_box, `boot_window.token_box:${hostId}:${bootEpoch}`),
      session: row.session_box === null ? null : secrets.open(row.session_box, this.#place()),
      managers: row.hardware_managers === null ? [] : storedManagers.parse(row.hardware_managers),
      work: guestWork.nullable().parse(row.work),
      finished: row.finished,
      name: row.name,
      macs: row.macs,
      host: { systemUuid: row.system_uuid, serial: row.serial, model: row.model, drives: row.drives },
    };
  }

  /**
   * The three methods that write return false if the agent is no longer ours to speak to; nothing was then written. A null session makes the agent
   * register again.
   */
  async keepSession(session: string | null): Promise<boolean> {
    const { hostId, bootEpoch } = this.#key;
    const { pool, secrets, holder } = this.#options;
    const box = session === null ? null : Buffer.from(secrets.seal(session, this.#place())).toString("hex");
    return (await keepGuestSession(pool, hostId, bootEpoch, holder, box)).length > 0;
  }

  async keepWork(work: GuestWork, finished: readonly string[]): Promise<boolean> {
    return this.#write(work, finished);
  }

  async finish(id: string, finished: readonly string[]): Promise<boolean> {
    return this.#write(null, [...finished.filter((known) => known !== id), id].slice(-maxFinished));
  }

  /** Stores why the agent is not registered, for the host's page. */
  async noteRefusal(why: string): Promise<void> {
    const { hostId, bootEpoch } = this.#key;
    await noteGuestRefusal(this.#options.pool, hostId, bootEpoch, why);
  }

  async release(): Promise<void> {
    const { hostId, bootEpoch } = this.#key;
    await releaseGuest(this.#options.pool, hostId, bootEpoch, this.#options.holder);
  }

  async #write(work: GuestWork | null, finished: readonly string[]): Promise<boolean> {
    const { hostId, bootEpoch } = this.#key;
    const { pool, holder } = this.#options;
    const text = work === null ? null : JSON.stringify(work);
    return (await keepGuestWork(pool, hostId, bootEpoch, holder, text, finished)).length > 0;
  }

  #place(): string {
    return `agent_guest.session_box:${this.#key.hostId}:${this.#key.bootEpoch}`;
  }
}
