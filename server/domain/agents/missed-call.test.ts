// An agent is silent from the first call that it can no longer have made, however its signs of life are recorded.
import { expect, it } from "vitest";
import { missedCallMs } from "@/server/domain/agents/missed-call";
import { signLagMs } from "@/server/domain/agents/signs-of-life";

const at = 1_000_000;
const heartbeatMs = 10_000;
const signs = { seenMs: at, progressMs: null, startedMs: at - 60_000, heartbeatMs };

it.each([
  ["just heard", signs, at, null],
  ["the last moment at which it may have been heard", signs, at + signLagMs + heartbeatMs, null],
  ["one call is missed", signs, at + signLagMs + heartbeatMs + 1, signLagMs + heartbeatMs + 1],
  ["its progress is newer", { ...signs, progressMs: at + 20_000 }, at + 40_000, null],
  ["its step has just begun", { ...signs, startedMs: at + 30_000 }, at + 40_000, null],
  ["it has no session any more", { ...signs, seenMs: null, startedMs: at }, at + 60_000, 60_000],
])("%s", (_what, given, nowMs, silentMs) => expect(missedCallMs(given, nowMs)).toBe(silentMs));
