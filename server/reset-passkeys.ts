// `dist/reset-passkeys.js`: for someone with access to the server's machine, when no provider admin is left to ask (docs/operations.md#lost-passkeys).
import { parseArgs } from "node:util";
import { loadServerConfig } from "@/server/config";
import { createDatabase } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { startError } from "@/server/start-errors";
import { resetPasskeysOf } from "@/server/usecases/access/people/reset-passkeys";

/** EX_USAGE of sysexits.h. */
const badUsage = 64;

const doneText = (email: string, password: string): string =>
  `${email} has no passkey any more; all sessions and tokens have ended. The new password, shown this once: ${password}\nSign in with it, change it on the page Account, and set up a new passkey there.`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { reason: { type: "string" } },
    allowPositionals: true,
  });
  const [email, ...more] = positionals;
  if (email === undefined || more.length > 0 || values.reason === undefined) {
    process.stderr.write("Usage: reset-passkeys.js EMAIL --reason TEXT\n");
    return badUsage;
  }
  const { databaseUrl, encryptionKey } = loadServerConfig(process.env);
  const database = createDatabase(databaseUrl, { max: 2, applicationName: "reclaim reset-passkeys" });
  try {
    const backend = { database, secrets: createSecretBox(encryptionKey) };
    const reset = await resetPasskeysOf(backend, email, values.reason);
    process.stdout.write(`${reset.ok ? doneText(email, reset.value.password) : reset.problem.detail}\n`);
    return reset.ok ? 0 : 1;
  } finally {
    await database.$disconnect();
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const { message, code } = startError(error, process.env);
    process.stderr.write(`${message}\n`);
    process.exitCode = code;
  },
);
