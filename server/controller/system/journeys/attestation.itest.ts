// The identity of simulated TPMs over a return: the agent's own calls, the simulator's own keys, the server's own rules.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { assign, granted, onboard, release } from "@/server/testing/acts";
import { waitForState } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { getAttestation } from "@/server/usecases/hosts/attestation/get-attestation";

let stack: Stack;
let hostId = "";

beforeAll(async () => {
  stack = await startStack({ hosts: 1, speed: 600 });
  await stack.world.backend.database
    .$executeRaw`UPDATE site_policy SET body = jsonb_set(body, '{attestation}', '"observe"')`;
  [hostId = ""] = await onboard(stack, stack.machines);
});
afterAll(() => stack?.stop());

const tpm = async () =>
  granted(await getAttestation(stack.world.backend, stack.world.actor("operator"), { hostId }));

/** Waits for it: a site without tests needs no answer of the last agent, which may still be at it when the host is Ready. */
const tpmThatIs = (state: string) =>
  vi.waitUntil(
    async () => {
      const found = await tpm();
      return found.state === state ? found : null;
    },
    { timeout: 60_000, interval: 100 },
  );

it("is proven when a host comes in, and not after a tenant who locked its TPM, until that is cleared", async () => {
  const first = await tpmThatIs("proven");
  // The site names no authority for TPMs, so the key is pinned, whether it has a certificate or not.
  expect(first).toMatchObject({ accepted: { as: "firstContact" } });
  const [instance = ""] = await assign(stack, [hostId]);
  await release(stack, [instance]);
  await waitForState(stack, hostId, "Ready");
  // Its SKU has no baseline, so no step clears the TPM. The site observes: nothing holds the host.
  const second = await tpmThatIs("unproven");
  expect(second.words).toContain("authorization failure");
  expect(second.accepted).toEqual(first.accepted);
});
