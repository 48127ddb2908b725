// `reclaim witness`: a witness for audit logs (https://c2sp.org/tlog-witness). It cosigns a checkpoint only if it is consistent with everything it has seen
// of that log, and stores the newest one per log.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { formatKey, formatNote, signatureLine } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { cosign } from "@/server/domain/audit-log/signing";
import { judgeCheckpoint, parseAddCheckpoint } from "@/server/domain/audit-log/witnessing";
import { keyOptions, readTrusted } from "@/cli/commands/audit-log/trust";
import { openWitness } from "@/cli/commands/audit-log/witness-state";
import type { WitnessState } from "@/cli/commands/audit-log/witness-state";
import { command } from "@/cli/define/command";
import { needed, opt, usually } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";

/** Enough for 63 hashes and a note with post-quantum signatures. */
const maxBodyBytes = 512 * 1024;
const bodyWithinMs = 10_000;

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

const plainText = "text/plain; charset=utf-8";

/** Null if the body is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    if (!(piece instanceof Buffer)) continue;
    bytes += piece.length;
    if (bytes > maxBodyBytes) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Checks one checkpoint; an accepted one is written to disk before the answer is sent. */
async function add(
  text: string,
  state: WitnessState,
  trusted: readonly VerifierKey[],
  now: () => Date,
): Promise<Answer> {
  const request = parseAddCheckpoint(text);
  if (request === null) return { status: 400, body: "This is not a checkpoint with its proof.\n" };
  const { checkpoint } = request;
  const note = state.newest(checkpoint.origin);
  const last = note === null ? null : parseCheckpoint(note);
  if (note !== null && last === null)
    return { status: 500, body: "The witness cannot read its stored state.\n" };
  const verdict = await judgeCheckpoint(request, last, trusted);
  if (verdict.status === 409) return { status: 409, type: "text/x.tlog.size", body: `${verdict.size}\n` };
  if (verdict.status !== 200) return { status: verdict.status, body: `${verdict.why}\n` };
  const signatures = state.signers.map((signer) => cosign(checkpoint, signer, now()));
  // Keep only the log's own signatures and ours: the others were not verified.
  const own = checkpoint.note.signatures.filter(({ name, keyId }) =>
    trusted.some((key) => key.name === name && key.id === keyId),
  );
  await state.keep(
    checkpoint.origin,
    formatNote({ ...checkpoint.note, signatures: [...own, ...signatures] }),
  );
  return { status: 200, body: signatures.map(signatureLine).join("") };
}

const originHash = (origin: string): string => createHash("sha256").update(origin).digest("hex");

/** The newest cosigned checkpoint of a log. */
function monitor(path: string, state: WitnessState, trusted: readonly VerifierKey[]): Answer {
  const [, hash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
  const origin = trusted.find(({ name }) => originHash(name) === hash)?.name;
  const note = origin === undefined ? null : state.newest(origin);
  return note === null ? { status: 404, body: "There is none.\n" } : { status: 200, body: note };
}

/** Handles checkpoints one at a time: the newest checkpoint must be stored before the next one is compared with it. */
function listener(state: WitnessState, trusted: readonly VerifierKey[], now: () => Date) {
  let before: Promise<unknown> = Promise.resolve();
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (request.method === "GET") return monitor(path, state, trusted);
    if (request.method !== "POST" || path !== "/add-checkpoint")
      return { status: 404, body: "There is none.\n" };
    const text = await readBody(request);
    if (text === null) return { status: 413, body: "It is too long.\n" };
    const added = before.then(() => add(text, state, trusted, now));
    before = added.catch(() => undefined);
    return added;
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request)
      .catch((error: unknown): Answer => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        return { status: 500, body: "The witness failed.\n" };
      })
      .then(({ status, type = plainText, body }) =>
        response.writeHead(status, { "content-type": type }).end(body),
      )
      .catch(() => response.destroy());
  };
}

export const witness = [
  command("witness", {
    title: "cosigns checkpoints of audit logs that continue what it has seen; runs until Ctrl-C",
    signedIn: false,
    options: {
      ...keyOptions,
      state: needed(opt("<folder>", "keys and newest checkpoints of the witness; created if missing")),
      name: needed(opt("<name>", "name in its signatures, such as witness.example.com/w1")),
      listen: usually(opt("<address>", "listen address"), "127.0.0.1"),
      port: usually(opt("<port>", "0: any"), "8478"),
    },
    run: async ({ printer, surroundings }, { key, state: folder, name, listen, port }) => {
      const trusted = await readTrusted(key, surroundings);
      if (trusted.length === 0)
        throw new CommandError(
          "usage",
          "Name the keys of the logs that it witnesses with --key.",
          "`reclaim audit keys --to FILE` writes them.",
        );
      const state = await openWitness(folder, name);
      const server = createServer(listener(state, trusted, surroundings.now));
      server.requestTimeout = bodyWithinMs;
      server.listen(Number(port), listen);
      await once(server, "listening").catch((error: unknown) => {
        throw new CommandError("usage", error instanceof Error ? error.message : String(error));
      });
      const address = server.address();
      for (const signer of state.signers) printer.text(`${formatKey(signer.key)}\n`);
      printer.say(
        `Listens on ${listen}, port ${typeof address === "object" ? (address?.port ?? port) : port}. The keys above are its own.`,
      );
      if (!surroundings.interrupted.aborted) await once(surroundings.interrupted, "abort");
      server.close();
      server.closeAllConnections();
    },
  }),
];
