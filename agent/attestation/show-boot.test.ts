// How the agent shows what a boot started: what it sends, in which order, and that nothing that goes wrong stops it.
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent/agent";
import { showBoot } from "@/agent/attestation/show-boot";
import { bodyOf, done, isCall, registered, restart, world } from "@/agent/testing/agent-world";
import { bodyLimitBytes } from "@/server/domain/agents/protocol";
import { maxEventLogBytes } from "@/server/domain/attestation/limits";
import { quoteBody, type QuoteBody } from "@/server/domain/attestation/protocol";
import type { TpmTools } from "@/agent/tools/tools";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const broken = () =>
  Promise.resolve({ command: "/usr/bin/tpm2_x", exitCode: 1, status: "broken", value: null });
const failed: QuoteBody = { kind: "none", message: "/usr/bin/tpm2_x answered 1: broken" };
const { around } = world(() => ({ status: 500 }));

const working: TpmTools = {
  found: () => done(true),
  ...{ clear: broken, state: broken, ownerKey: broken, onRequest: broken },
  endorsementCertificates: () => done([]),
  makeKeys: () => done({ endorsementKey: bytes("ek"), attestationKey: bytes("ak") }),
  activateCredential: () => done(bytes("secret")),
  quote: (nonce, pcrs) =>
    done({
      message: nonce,
      signature: bytes("signature"),
      pcrs: Object.fromEntries(pcrs.map((pcr) => [String(pcr), "ab".repeat(32)])),
    }),
  eventLog: () => done(bytes("log")),
};
const tools = (change: Partial<TpmTools>) => ({ ...around.tools, tpm: { ...working, ...change } });
const asked = { nonce: base64("nonce"), pcrs: [0, 23] };

async function shown(change: Partial<TpmTools>): Promise<QuoteBody[]> {
  const sent: QuoteBody[] = [];
  const quote = (body: QuoteBody) => {
    sent.push(quoteBody.parse(body));
    return Promise.resolve(null);
  };
  await showBoot({ log: () => undefined, tools: tools(change) }, { quote }, asked);
  return sent;
}

describe("after a successful activation, the agent", () => {
  it("sends the quote for this nonce and these registers, and the event log", async () => {
    expect(await shown({})).toEqual([
      {
        kind: "quote",
        message: asked.nonce,
        signature: base64("signature"),
        pcrs: { "0": "ab".repeat(32), "23": "ab".repeat(32) },
        eventLog: base64("log"),
      },
    ]);
  });

  it.each([
    ["the kernel shows none", () => done(null)],
    ["the one that the kernel shows is empty", () => done(bytes(""))],
  ])("sends no event log where %s", async (_where, eventLog) => {
    expect(await shown({ eventLog })).toMatchObject([{ kind: "quote", eventLog: null }]);
  });

  it.each(["quote", "eventLog"] as const)("says what failed: %s", async (name) => {
    expect(await shown({ [name]: broken })).toEqual([failed]);
  });

  it("sends no more than the server reads, whatever the length of the event log", async () => {
    const [longest] = await shown({ eventLog: () => done(new Uint8Array(maxEventLogBytes)) });
    expect(longest).toMatchObject({ kind: "quote" });
    expect(JSON.stringify(longest).length).toBeLessThan(bodyLimitBytes);
  });
});

/** A boot of the whole agent: what it sent as its quote, and what it logged of it. */
async function boot(activation: object, quote: { status: number; body?: object }) {
  const me = world((request) => {
    if (isCall(request, "/boot/token")) return { status: 200, body: { bootToken: "token-of-this-window-1" } };
    if (isCall(request, "/register")) return registered({ kind: "none" });
    if (isCall(request, "/identity"))
      return { status: 200, body: { credential: { blob: "YQ==", secret: "YQ==" }, message: "m" } };
    if (isCall(request, "/activation")) return { status: 200, body: { message: "proven", ...activation } };
    return isCall(request, "/quote") ? quote : restart;
  });
  const http: typeof me.around.http = (request) =>
    isCall(request, "/attestation/wanted")
      ? Promise.resolve({ status: 200, text: '{"identity":true}' })
      : me.around.http(request);
  const lines: string[] = [];
  const log = (level: string, message: string) => lines.push(`${level} ${message}`);
  const end = await new Agent({
    ...me.around,
    ...{ http, log },
    tools: { ...me.around.tools, tpm: working },
  }).run();
  expect(end).toEqual({ kind: "restarting" });
  return {
    sent: me.requests.filter((request) => isCall(request, "/quote")).map(bodyOf),
    log: lines.filter((line) => /boot:|quote/.test(line)),
  };
}

describe("an agent goes on", () => {
  const activated = { activated: true, quote: asked };

  it("where the quote is accepted, and where it is not", async () => {
    const { sent, log } = await boot(activated, {
      status: 200,
      body: { accepted: true, message: "measured" },
    });
    expect(sent).toMatchObject([{ kind: "quote", message: asked.nonce }]);
    expect(log).toEqual(["info measured boot: measured"]);
    const refused = await boot(activated, {
      status: 200,
      body: { accepted: false, message: "another nonce" },
    });
    expect(refused.log).toEqual(["warn measured boot: another nonce"]);
  });

  it.each([404, 409, 413])("where the server refuses the call with %i, and says so", async (status) => {
    const { sent, log } = await boot(activated, { status });
    expect(sent).toHaveLength(1);
    expect(log).toEqual([`warn the quote was refused: ${status} {}`]);
  });

  it.each([
    ["that knows no quote", { activated: true }],
    ["that asks for none", { activated: true, quote: null }],
    ["that did not activate the key", { activated: false, quote: asked }],
  ])("without one where a server answers %s", async (_server, activation) => {
    expect((await boot(activation, { status: 500 })).sent).toEqual([]);
  });
});
