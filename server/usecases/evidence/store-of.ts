// Where a backend keeps the bytes of evidence.
import { databaseStore } from "@/server/db/evidence/blob-store";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { poolOf } from "@/server/db/prisma";
import type { Backend } from "@/server/usecases/backend";

/** For new contents: the S3 service of the settings, else the database. */
export const storeOf = ({ database, evidenceStore }: Backend): BlobStore =>
  evidenceStore ?? databaseStore(poolOf(database));

/** For a content that is stored. Throws where its service is not in the settings any more. */
export function storeAt(backend: Backend, place: string): BlobStore {
  if (place === "database") return databaseStore(poolOf(backend.database));
  if (backend.evidenceStore === undefined)
    throw new Error("evidence is in an S3 service, and the settings name none (RECLAIM_EVIDENCE_S3_URL)");
  return backend.evidenceStore;
}
