// Log keys that an auditor may trust: the given ones, and those that a trusted key vouches for. A key rotation is an event,
// and the checkpoint right after it carries the signatures of both keys.
import { parseCheckpoint, signerOf } from "@/server/domain/audit-log/checkpoint";
import type { LoggedEntry } from "@/server/domain/audit-log/entry";
import { parseKey, textSignedBy } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";

/** The event of a key rotation. Its facts contain the public keys. */
export const rotationAction = "auditKey.rotate";

/** Where a log keeps the checkpoint that both keys signed. @param index of the event */
export const rotationPath = (index: number): string => `rotation/${index}`;

/** Null: not such a path. */
export function parseRotationPath(path: string): number | null {
  const [, index] = /^rotation\/(0|[1-9]\d{0,14})$/.exec(path) ?? [];
  return index === undefined ? null : Number(index);
}

interface Rotation {
  readonly index: number;
  readonly key: VerifierKey | null;
}

const factOf = (facts: unknown, name: string): unknown =>
  typeof facts === "object" && facts !== null ? Reflect.get(facts, name) : undefined;

export class TrustedKeys {
  readonly #rotations: Rotation[] = [];

  constructor(readonly given: readonly VerifierKey[]) {}

  /** Takes note of an event of the log. */
  see(index: number, entry: LoggedEntry): void {
    if (entry.action !== rotationAction || entry.outcome !== "done") return;
    const key = factOf(entry.after, "key");
    this.#rotations.push({ index, key: typeof key === "string" ? parseKey(key) : null });
  }

  /** All trusted keys. A key that no trusted key vouches for is left out. */
  async through(read: (path: string) => Promise<Uint8Array | null>): Promise<readonly VerifierKey[]> {
    const keys = [...this.given];
    for (const { index, key } of keys.length === 0 ? [] : this.#rotations) {
      if (key === null || keys.some(({ name, id }) => name === key.name && id === key.id)) continue;
      const bytes = await read(rotationPath(index));
      const checkpoint = bytes === null ? null : parseCheckpoint(Buffer.from(bytes).toString("utf8"));
      // safety: audit log: a key is trusted only with the signature of one that is trusted
      if (checkpoint === null || checkpoint.size <= index || !(await signerOf(checkpoint, keys)).ok) continue;
      if ((await textSignedBy(checkpoint.note, key)) === "signed") keys.push(key);
    }
    return keys;
  }
}
