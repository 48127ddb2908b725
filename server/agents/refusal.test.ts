// One agent in a loop cannot fill the audit log.
import { expect, it } from "vitest";
import { oncePerMinute, type RefusedCall } from "@/server/agents/refusal";

const call: RefusedCall = {
  action: "agent.result",
  code: "differentReport",
  actor: { kind: "agent", id: "h/1" },
  hostId: "h",
  tenantId: null,
  requestId: "r",
  address: "::1",
  facts: { attempt: 1 },
};

it("writes the same refusal once a minute, and each other one", async () => {
  let now = 0;
  const written: RefusedCall[] = [];
  const audit = oncePerMinute(
    async (one) => void written.push(one),
    () => now,
  );
  await audit(call);
  await audit({ ...call, requestId: "another request" });
  expect(written).toHaveLength(1);
  await audit({ ...call, facts: { attempt: 2 } });
  await audit({ ...call, code: "attemptOver" });
  await audit({ ...call, hostId: "i" });
  expect(written).toHaveLength(4);
  now = 59_999;
  await audit(call);
  expect(written).toHaveLength(4);
  now = 60_000;
  await audit(call);
  expect(written).toHaveLength(5);
});
