// Security events that must not show in an answer: nobody waits for them (docs/security.md#security-events).
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import { recordSecurityEvent, type SecurityAttempt } from "@/server/db/security-events";

/** Events being written at one time; they merge by the hour anyway, so a flood loses only counts. */
const most = 100;

export class SecurityReports {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #writing = new Set<Promise<void>>();

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Nobody waits for it: how long the writing takes must not show in an answer. */
  tell(attempt: SecurityAttempt): void {
    const { hostId, kind, address } = attempt;
    this.#logger.warn({ hostId, kind, address }, "a security event");
    if (this.#writing.size >= most) return;
    const written = recordSecurityEvent(this.#database, attempt)
      .catch((error: unknown) =>
        this.#logger.error({ hostId, kind, err: error }, "a security event could not be stored"),
      )
      .finally(() => this.#writing.delete(written));
    this.#writing.add(written);
  }

  /** Waits for what is being written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }
}
