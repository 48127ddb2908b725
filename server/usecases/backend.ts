// What every use case stands on.
import type { Database } from "@/server/db/prisma";
import type { SecretBox } from "@/server/db/secret-box";

export interface Backend {
  readonly database: Database;
  readonly secrets: SecretBox;
}
