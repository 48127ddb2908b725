// @vitest-environment happy-dom
// A manual cleaning proves nothing, so its page shows no gate, whatever is on record.
import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ReclamationTab } from "@/components/reclamations/reclamation-tab";
import { failedHost } from "@/components/testing/host";
import { show } from "@/components/testing/rendered";
import type { GateLine, ReclamationDetail } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-20T10:00:00Z");
const gate: GateLine = {
  gate: "storageSanitized",
  meaning: "Every drive is erased",
  status: "satisfied",
  reason: "1 drive sanitized",
  soFar: null,
  sentences: [],
  drives: [],
  evidence: {},
  generation: "1",
  evidenceSeq: "1",
  evaluatedAt: at,
};
const detail = (kind: string): ReclamationDetail => ({
  hold: null,
  abort: null,
  reclamation: {
    id: "00000000-0000-4000-8000-0000000000e1",
    number: "R-7",
    kind,
    startedAt: at,
    limitAt: null,
    stoppedAt: null,
    stoppedCause: null,
    message: null,
    endedAt: at,
    outcome: "cleaned",
    standing: null,
    tenantName: null,
    instanceId: null,
    queuedAt: null,
    admittedAt: null,
    pausedMs: 0,
    pausedAt: null,
    runbookName: null,
    bulkId: null,
  },
  stepRuns: [],
  disabled: [],
  voided: [],
  managers: [],
  cleanup: {},
  requestedByName: "Ada",
  timeline: { from: at, to: at, lanes: [], planned: [] },
  tests: [],
  log: { bootEpoch: null, total: null, lines: [] },
});
const tab = (kind: string) => {
  show(<ReclamationTab host={failedHost} reclamationId={undefined} />, {
    answers: { "host.reclamation": () => detail(kind), "host.gates": () => [gate] },
  });
};

it("shows the gates of a release, on paper with their evidence", async () => {
  tab("release");
  expect(await screen.findByText("storageSanitized")).toBeVisible();
  expect(screen.getByText("1 of 1 gate")).toBeVisible();
});

it("shows none of a manual cleaning, on the screen and on paper", async () => {
  tab("manualCleaning");
  const none = "None: a manual cleaning proves nothing.";
  expect(await screen.findByText(none)).toBeVisible();
  act(() => void dispatchEvent(new Event("beforeprint")));
  expect(screen.getByText(none)).toBeVisible();
  expect(screen.queryByText("storageSanitized")).toBeNull();
  expect(document.body).not.toHaveTextContent(/\bsatisfied\b|\d of \d gate/);
  expect(screen.getByText(/It proves no gate and pays no debt/)).toBeVisible();
  // Printing is state of the process, which other test files share.
  act(() => void dispatchEvent(new Event("afterprint")));
});
