// Passwords: argon2id by node:crypto, in the PHC string format. Hashing runs off the main thread.
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(argon2);

/** RFC 9106, second recommended option, with OWASP's minimum memory (19 MiB): a sign-in costs about 30 ms of one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const saltBytes = 16;

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly tagLength: number;
}

const hashWith = (
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism, tagLength }: Cost,
): Promise<Buffer> =>
  derive("argon2id", {
    message: Buffer.from(password.normalize("NFKC"), "utf8"),
    nonce,
    memory,
    passes,
    parallelism,
    tagLength,
  });

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes);
  const tag = await hashWith(password, nonce, cost);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Checked for a name without an account, so that it takes as long as one with an account. */
export const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(Buffer.alloc(saltBytes))}$${base64(Buffer.alloc(cost.tagLength))}`;

/** @param stored null for an unknown person: takes the same time, and is never true */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const match = phc.exec(stored ?? nobody);
  if (match === null) return false;
  const [, memory, passes, parallelism, nonce, tag] = match;
  const wanted = Buffer.from(tag ?? "", "base64");
  const found = await hashWith(password, Buffer.from(nonce ?? "", "base64"), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  });
  return timingSafeEqual(found, wanted) && stored !== null;
}
