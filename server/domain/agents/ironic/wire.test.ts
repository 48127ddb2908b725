// Messages of Ironic's agent that a careless parser would believe too easily.
import { expect, it } from "vitest";
import { guestHeartbeat } from "@/server/domain/agents/ironic/wire";

it("an empty certificate is none: the system's authorities would be believed in its place", () => {
  const heartbeat = { callback_url: "https://10.0.0.1:9999", agent_token: "t" };
  expect(guestHeartbeat.safeParse({ ...heartbeat, agent_verify_ca: "" }).success).toBe(false);
  expect(guestHeartbeat.safeParse({ ...heartbeat, agent_verify_ca: "-----BEGIN" }).success).toBe(true);
});
