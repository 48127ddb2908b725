// The services of the settings in which files of evidence are.
import type { ServerConfig } from "@/server/config";
import { databaseStore } from "@/server/db/evidence/blob-store";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { s3Store } from "@/server/db/evidence/s3-store";
import { poolOf } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";

/** For new files; undefined: they go into the database. */
export const evidenceStoreOf = ({ evidenceS3 }: Pick<ServerConfig, "evidenceS3">): BlobStore | undefined =>
  evidenceS3 === null ? undefined : s3Store(evidenceS3);

/** By place: also where files are that came under other settings. */
export function storesOf(
  database: Database,
  config: Pick<ServerConfig, "evidenceS3">,
): (place: string) => BlobStore | undefined {
  const s3 = evidenceStoreOf(config);
  return (place) => (place === "database" ? databaseStore(poolOf(database)) : s3);
}
