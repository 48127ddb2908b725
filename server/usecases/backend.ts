// What every use case stands on.
import type { Database } from "@/server/db/prisma";
import type { SecretBox } from "@/server/db/secret-box";

export interface Backend {
  readonly database: Database;
  readonly secrets: SecretBox;
  /** Whether hosts of type `fake` may be enrolled (`RECLAIM_ENABLE_FAKE`); left out: they may not. */
  readonly fakeHardware?: boolean;
}
