// A witness's state: its keys and the newest checkpoint of each log, each in a file that is replaced atomically.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { isKeyName, verifierKey } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { CommandError } from "@/cli/exit-codes";

interface WitnessSigner {
  readonly key: VerifierKey;
  readonly secret: KeyObject;
}

export interface WitnessState {
  /** Ed25519 and, if this Node version supports it, ML-DSA-44. */
  readonly signers: readonly WitnessSigner[];
  /** The newest cosigned checkpoint of a log; null if there is none. */
  newest(origin: string): string | null;
  /** Resolves once it is on disk. */
  keep(origin: string, note: string): Promise<void>;
}

/** Replaces a file atomically: after a crash it has either the old content or the new. */
async function replace(file: string, content: string): Promise<void> {
  const handle = await open(`${file}.new`, "w", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

const algorithms = {
  cosignEd25519: () => generateKeyPairSync("ed25519"),
  cosignMlDsa44: () => generateKeyPairSync("ml-dsa-44"),
} as const;

/** Loads the key from the folder, or creates it. */
async function signerIn(folder: string, name: string, type: keyof typeof algorithms): Promise<WitnessSigner> {
  const file = join(folder, `${type}.pem`);
  if (!existsSync(file)) {
    const made = algorithms[type]();
    await replace(file, made.privateKey.export({ format: "pem", type: "pkcs8" }).toString());
  }
  const secret = createPrivateKey(readFileSync(file));
  return { key: verifierKey(name, type, createPublicKey(secret)), secret };
}

/** Opens a witness's state, and creates what is missing. */
export async function openWitness(folder: string, name: string): Promise<WitnessState> {
  if (!isKeyName(name))
    throw new CommandError("usage", "A name has no spaces and no +, such as witness.example.com/w1.");
  const fileOf = (origin: string) =>
    join(folder, `${createHash("sha256").update(origin).digest("hex")}.checkpoint`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return {
      signers: [await signerIn(folder, name, "cosignEd25519"), await signerIn(folder, name, "cosignMlDsa44")],
      newest: (origin) => (existsSync(fileOf(origin)) ? readFileSync(fileOf(origin), "utf8") : null),
      keep: (origin, note) => replace(fileOf(origin), note),
    };
  } catch (error) {
    throw new CommandError(
      "usage",
      `The state in ${folder} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
