// What Ironic's agent is to do and has done, between two turns of the bridge: kept in the database, so that another process can go on.
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
import { storedDevice } from "@/server/domain/inventory/inventory";

const guestWork = z.object({
  task: z.object({
    id: z.string(),
    stepRunId: z.string(),
    attempt: z.int(),
    interface: z.string(),
    step: z.string(),
    devices: z.array(storedDevice),
  }),
  /** What it calls the command; null: it is not known whether it took it. */
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

/** Commands that are over, of which it is remembered that they are: the controller gives one at a time. */
const mostFinished = 16;

/** What one turn begins with. */
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
  /** Of this process. */
  readonly holder: string;
}

export class GuestStore {
  readonly #key: GuestKey;

  readonly #options: GuestStoreOptions;

  constructor(key: GuestKey, options: GuestStoreOptions) {
    this.#key = key;
    this.#options = options;
  }

  /** Null: another process speaks to it, or nobody is to. */
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
      host: { systemUuid: row.system_uuid, model: row.model, drives: row.drives },
    };
  }

  /** The three that write (no session: it registers again): false when it is not ours to speak to any more, and nothing was written. */
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
    return this.#write(null, [...finished.filter((known) => known !== id), id].slice(-mostFinished));
  }

  /** Why it is not registered, for the host's page. */
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
