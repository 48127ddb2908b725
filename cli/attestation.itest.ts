// `reclaim attestation` against a real server: what is shown of a host's TPM, and a new key that is accepted after a question.
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand } from "@/cli/testing/command";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
let token = "";
const [first, second] = ["a".repeat(64), "b".repeat(64)] as const;
const at = new Date("2026-11-30T07:00:00Z");

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  token = await server.token("operator");
});
afterAll(() => stop());

const operator = (...args: string[]) => command.run(args, { url: server.url, token });

async function hostWithTpm(name: string, digest: string): Promise<void> {
  await server.world.backend.database.hostTpm.create({
    data: {
      ...{ hostId: await server.world.host(name), bootEpoch: 2, keyDigest: digest, activatedAt: at },
      attestationKey: new Uint8Array([1]),
      ...{ acceptedDigest: first, acceptedAs: "firstContact", acceptedAt: at, acceptedEpoch: 1 },
    },
  });
}

it("shows what is known of a TPM, and as JSON", async () => {
  await hostWithTpm("tpm-a", first);
  const shown = await operator("attestation", "show", "tpm-a");
  expect(shown.code).toBe(exitCodes.ok.code);
  expect(shown.stdout).toMatch(/TPM +proven/);
  expect(shown.stdout).toContain("pinned at first contact");
  const json = await operator("attestation", "show", "tpm-a", "-o", "json");
  expect(JSON.parse(json.stdout)).toMatchObject({ mode: "off", state: "proven", key: { digest: first } });
});

it("accepts another key, and says why not if there is none", async () => {
  await hostWithTpm("tpm-b", second);
  expect((await operator("attestation", "show", "tpm-b")).stdout).toContain("EndorsementKeyChanged");
  const accepted = await operator("attestation", "accept-key", "tpm-b", "--reason", "RMA 1", "--yes");
  expect(accepted.code).toBe(exitCodes.ok.code);
  const json = await operator("attestation", "show", "tpm-b", "-o", "json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    state: "proven",
    accepted: { digest: second, as: "operator" },
  });
  await server.world.host("tpm-c");
  const refused = await operator("attestation", "accept-key", "tpm-c", "--reason", "x", "--yes");
  expect(refused.code).toBe(exitCodes.notNow.code);
  expect(refused.stderr).toContain("has proven no key");
});
