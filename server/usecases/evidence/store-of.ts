// Where a backend keeps the bytes of evidence.
import { databaseStore, StoreUnavailable } from "@/server/db/evidence/blob-store";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { poolOf } from "@/server/db/prisma";
import type { Backend } from "@/server/usecases/backend";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

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

/** What a store is asked for. One that does not answer now is a refusal that says so: nothing is wrong with the request. */
export async function whereItAnswers<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return done(await ask());
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return refused("unavailable", `Evidence storage cannot be reached now: ${error.message}. Retry later.`);
  }
}
