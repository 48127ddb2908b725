// Asks for a secret at the terminal, without showing it.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { interruptedError } from "@/cli/http";
import type { Surroundings } from "@/cli/surroundings";

/** Input without echo. */
export async function promptSecret(
  { stdin, stderr, interrupted }: Surroundings,
  question: string,
): Promise<string> {
  const lines = createInterface({
    input: stdin,
    output: new Writable({ write: (_piece, _encoding, done) => done() }),
    terminal: true,
  });
  const gone = new AbortController();
  lines.once("SIGINT", () => gone.abort());
  lines.once("close", () => gone.abort());
  stderr.write(question);
  try {
    return await lines.question("", { signal: AbortSignal.any([interrupted, gone.signal]) });
  } catch {
    throw interruptedError();
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
