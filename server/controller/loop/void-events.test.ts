// Which voids are security events: those that a person inside did not cause, each once.
import { describe, expect, it } from "vitest";
import { newVoid } from "@/server/controller/loop/void-events";
import { failedEffect } from "@/server/controller/testing/effect-views";
import { decideOn, hostView } from "@/server/controller/testing/host-view";
import { acksOf, agent, networkContext, plan, planned } from "@/server/controller/testing/view-parts";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { HostView } from "@/server/domain/hosts/record/view";

const network = networkContext("admin");
const of = (view: HostView) => newVoid({ view, decision: decideOn(view) });
const erasing = (over: Parameters<typeof hostView>[1] = {}) =>
  hostView("WaitingForCleanup/HostCleanup", {
    reclamation: planned(),
    steps: plan({ erase_nvme: { status: "succeeded", attempt: 1 } }),
    agent: agent(),
    acks: acksOf(network),
    context: { network, minEpoch: 3 },
    ...over,
  });
const message = "the host asked for a boot script";
const at = new Date(0).toISOString();

describe("the void of a decision", () => {
  it("is none yet when the host asked for a boot that nobody had ordered: that is looked into first", () =>
    expect(
      of(erasing({ signals: [{ kind: "bootUnordered", payload: { bootEpoch: 3, message } }] })),
    ).toBeNull());
  it("is one when neither BMC nor agent shows that the host went on", () =>
    expect(
      of(
        erasing({
          agent: null,
          effects: [{ ...failedEffect("readSystem"), request: { bootHint: true } }],
          context: {
            network,
            minEpoch: 3,
            cleaning: { ...emptyContext().cleaning, bootHint: { at, bootEpoch: 3, message } },
          },
        }),
      ),
    ).toMatchObject({ reason: "unorderedBoot", message: expect.stringContaining(message) }));
  it("is none where nothing was voided", () => expect(of(erasing())).toBeNull());
  it("is told once: not again when the plan is made anew", () =>
    expect(
      of(
        erasing({
          context: {
            network,
            minEpoch: 3,
            cleaning: { ...emptyContext().cleaning, voided: { reason: "unorderedBoot", message, at } },
          },
        }),
      ),
    ).toBeNull());
});
