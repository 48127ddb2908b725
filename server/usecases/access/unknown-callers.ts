// Refusals of unauthenticated callers, such as those with a wrong or expired token. They are counted and logged together once a minute, so that a stranger
// cannot flood the audit log, and guessing of tokens still shows in it.
import { randomUUID } from "node:crypto";
import { writeAudit } from "@/server/db/audit";
import type { Database } from "@/server/db/prisma";
import { perProcess } from "@/server/process/process-state";

const minuteMs = 60_000;
const maxAddresses = 10;

interface Refusals {
  attempts: number;
  readonly addresses: Set<string>;
}

export class UnknownCallers {
  readonly #refused = new Map<Database, Refusals>();
  #timer: NodeJS.Timeout | undefined;

  /** Counts one refusal. @param address of the caller, if known */
  note(database: Database, address: string | null): void {
    const refusals = this.#refused.get(database) ?? { attempts: 0, addresses: new Set() };
    this.#refused.set(database, refusals);
    refusals.attempts += 1;
    if (address !== null && refusals.addresses.size < maxAddresses) refusals.addresses.add(address);
    this.#timer ??= setTimeout(() => void this.flush(), minuteMs).unref();
  }

  /** Logs what was counted. A failed write loses only the log entry: the callers were refused anyway. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counted = [...this.#refused];
    this.#refused.clear();
    for (const [database, { attempts, addresses }] of counted)
      await writeAudit(database, {
        actor: { kind: "unknown", id: null, name: null },
        action: "token.refuse",
        targetId: null,
        tenantId: null,
        requestId: randomUUID(),
        address: null,
        outcome: "refused",
        before: null,
        after: { code: "unauthenticated", attempts, addresses: [...addresses].join(", ") },
      }).catch(() => undefined);
  }
}

/** The counter of this process. */
export const unknownCallers = perProcess("unknownCallers", () => new UnknownCallers());
