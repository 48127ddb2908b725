// Shows the server what this boot started: a quote of the TPM, and the firmware's event log (docs/adr/0150-measured-boot.md). Nothing here stops a host: what
// went wrong is told to the server, which decides what it means.
import { wordsOf } from "@/agent/attestation/failed-tool";
import type { Server } from "@/agent/protocol/server";
import type { Surroundings } from "@/agent/surroundings";
import type { TpmTools } from "@/agent/tools/tools";
import type { ActivationAnswer, QuoteBody } from "@/server/domain/attestation/protocol";

type Asked = NonNullable<ActivationAnswer["quote"]>;

const none = (message: string): QuoteBody => ({ kind: "none", message });
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

async function bootOf(tpm: TpmTools, { nonce, pcrs }: Asked): Promise<QuoteBody> {
  const quote = await tpm.quote(Buffer.from(nonce, "base64"), pcrs);
  if (quote.value === null) return none(wordsOf(quote));
  const log = await tpm.eventLog();
  if (log.exitCode !== 0) return none(wordsOf(log));
  return {
    kind: "quote",
    message: base64(quote.value.message),
    signature: base64(quote.value.signature),
    pcrs: quote.value.pcrs,
    eventLog: log.value === null || log.value.length === 0 ? null : base64(log.value),
  };
}

/** To be called with the keys that were made last, after the server has activated them. */
export async function showBoot(
  { log, tools }: Pick<Surroundings, "log" | "tools">,
  server: Pick<Server, "quote">,
  asked: Asked,
): Promise<void> {
  const body = await bootOf(tools.tpm, asked);
  if (body.kind === "none") log("warn", `measured boot: ${body.message}`);
  const answer = await server.quote(body);
  if (answer !== null) log(answer.accepted ? "info" : "warn", `measured boot: ${answer.message}`);
}
