// Which store holds the content of evidence files.
import { databaseStore, StoreUnavailable } from "@/server/db/evidence/blob-store";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { poolOf } from "@/server/db/prisma";
import type { Backend } from "@/server/usecases/backend";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** For new content: the configured S3 service, else the database. */
export const storeOf = ({ database, evidenceStore }: Backend): BlobStore =>
  evidenceStore ?? databaseStore(poolOf(database));

/** For stored content. Throws if its service is no longer configured. */
export function storeAt(backend: Backend, place: string): BlobStore {
  if (place === "database") return databaseStore(poolOf(backend.database));
  if (backend.evidenceStore === undefined)
    throw new Error("evidence is in an S3 service, and the settings name none (RECLAIM_EVIDENCE_S3_URL)");
  return backend.evidenceStore;
}

/** Calls a store. If it does not answer now, the result is a refusal that says so: the request is not at fault. */
export async function whereItAnswers<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return done(await ask());
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return refused("unavailable", `Evidence storage cannot be reached now: ${error.message}. Retry later.`);
  }
}
