// Whether a boot counts as measured, and what it waits for if not.
import { expect, it } from "vitest";
import { bundleStates, mayBecome, whyUnmeasured } from "@/server/domain/attestation/measurement";
import type { MeasurementFacts } from "@/server/domain/attestation/measurement";

const measured: MeasurementFacts = {
  ...{ tpmEpoch: 7, ownKey: true, tpmProblem: null, bootEpoch: 7, state: "Measured", problem: null },
  bundle: { id: "b", name: "r750, image 12", state: "Active" },
};

it("is measured by a bundle that passes", () => {
  expect(whyUnmeasured(measured, 7)).toBeNull();
});

it.each<readonly [string, Partial<MeasurementFacts> | null, "agent" | "person" | null, RegExp]>([
  ["nothing is known of", null, "agent", /no TPM yet/],
  ["whose TPM was proven in an earlier boot only", { tpmEpoch: 6 }, "agent", /no TPM yet/],
  ["whose TPM was proven in a later boot", { tpmEpoch: 8 }, "agent", /no TPM yet/],
  ["whose TPM proved nothing", { tpmEpoch: null, tpmProblem: "locked" }, null, /proved nothing: locked/],
  ["with the TPM of another machine", { ownKey: false }, "person", /another endorsement key/],
  ["that was not asked for a quote", { bootEpoch: null, state: null, bundle: null }, "agent", /no quote yet/],
  ["whose quote is of an earlier boot", { bootEpoch: 6 }, "agent", /no quote yet/],
  ["that has not answered", { state: "Discovered", bundle: null }, "agent", /no quote yet/],
  ["that no bundle expects", { state: "PendingBundle", bundle: null }, "person", /no approved bundle/],
  [
    "whose quote is wrong",
    { state: "MeasuringFailed", problem: "another nonce", bundle: null },
    null,
    /^another nonce$/,
  ],
  [
    "of a bundle that was revoked",
    { state: "MeasuringFailed", bundle: { id: "b", name: "old", state: "Revoked" } },
    null,
    /the bundle old, which is revoked/,
  ],
])("is not measured: a boot %s", (_what, change, waitsFor, why) => {
  const found = whyUnmeasured(change === null ? null : { ...measured, ...change }, 7);
  expect(found).toMatchObject({ waitsFor, why: expect.stringMatching(why) });
});

it("a bundle is only ever trusted less", () => {
  const may = bundleStates.flatMap((from) =>
    bundleStates.filter((to) => mayBecome(from, to)).map((to) => `${from} → ${to}`),
  );
  expect(may).toEqual([
    "Active → Obsolete",
    "Active → Retired",
    "Active → Revoked",
    "Obsolete → Retired",
    "Obsolete → Revoked",
    "Retired → Revoked",
  ]);
});
