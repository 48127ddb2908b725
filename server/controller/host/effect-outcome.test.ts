// How an effect's row is read: an unknown outcome is looked up; an effect that was never sent may be requested again.
import { describe, expect, it } from "vitest";
import { readOutcome } from "@/server/controller/host/effect-outcome";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import { effect } from "@/server/controller/testing/effect-views";

const own = (status: EffectView["status"], result: unknown = null): EffectView => ({
  ...effect("bootAgent", status, result),
  generation: "7",
});
const earlier = (status: EffectView["status"], result: unknown = null): EffectView =>
  effect("bootAgent", status, result);

describe("an effect", () => {
  it.each<[string, EffectView, string]>([
    ["just written", own("written"), "pending"],
    ["just permitted", own("permitted", { phase: "reset" }), "pending"],
    ["written by an earlier claim", earlier("written"), "neverSent"],
    ["permitted in an earlier claim", earlier("permitted", { phase: "reset" }), "unknown"],
    ["permitted without a phase", earlier("permitted", {}), "neverSent"],
    ["done", earlier("done", { phase: "reset", value: 1 }), "done"],
    ["failed", earlier("failed", { error: { kind: "refused", message: "no" } }), "failed"],
    ["unknown after its permit", earlier("unknown", { phase: "put" }), "unknown"],
    ["unknown before any permit", earlier("unknown", {}), "neverSent"],
  ])("%s", (_what, row, kind) => {
    expect(readOutcome(row, "7").kind).toBe(kind);
  });

  it("tells value, error and phase", () => {
    expect(readOutcome(earlier("done", { value: { power: "on" } }), "7")).toEqual({
      kind: "done",
      value: { power: "on" },
    });
    expect(readOutcome(earlier("failed", { error: { kind: "refused", message: "403" } }), "7")).toMatchObject(
      { errorKind: "refused", message: "403" },
    );
    expect(readOutcome(earlier("permitted", { phase: "setBoot" }), "7")).toMatchObject({ phase: "setBoot" });
  });

  it("with a result that nobody wrote is an error, not a guess", () => {
    expect(() => readOutcome(earlier("unknown", { phase: "somewhere" }), "7")).toThrow();
  });
});
