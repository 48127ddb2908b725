// The rows of the table of step runs: a plan is a tree of steps, devices and attempts, a table is a list. Pure.
import { argsWords } from "@/components/reclamations/step-runs/run-words";
import type { DeviceLine, DisabledStepLine, StepRunLine } from "@/server/surfaces/trpc/types";

type Attempt = DeviceLine["tries"][number];

export type RunRow = { readonly id: string } & (
  | { readonly kind: "run"; readonly run: StepRunLine }
  | { readonly kind: "args"; readonly args: string }
  | {
      readonly kind: "device";
      readonly device: DeviceLine;
      readonly isOpen: boolean;
      readonly isLast: boolean;
    }
  | {
      readonly kind: "attempt";
      readonly attempt: Attempt;
      /** Of its device, and of its run. */
      readonly isLast: boolean;
      readonly isLastOfRun: boolean;
    }
  | { readonly kind: "disabled"; readonly step: DisabledStepLine }
);

/** The plan in order, and after it what an override took out. `toggled` are the devices whose attempts somebody opened or closed. */
export function runRows(
  runs: readonly StepRunLine[],
  disabled: readonly DisabledStepLine[],
  toggled: ReadonlySet<string>,
): readonly RunRow[] {
  return [
    ...runs.flatMap((run): readonly RunRow[] => {
      const args = argsWords(run);
      return [
        { id: run.id, kind: "run", run },
        ...(args === null ? [] : [{ id: `${run.id} args`, kind: "args" as const, args }]),
        ...run.devices.flatMap((device, index) =>
          deviceRows(`${run.id} ${device.serial}`, device, index === run.devices.length - 1, toggled),
        ),
      ];
    }),
    ...disabled.map((step): RunRow => ({ id: `disabled ${step.step}`, kind: "disabled", step })),
  ];
}

/** Attempts are shown where something went wrong, and on request where it went well. */
function deviceRows(
  id: string,
  device: DeviceLine,
  isLastDevice: boolean,
  toggled: ReadonlySet<string>,
): readonly RunRow[] {
  const isOpen = (device.tone === "failed") !== toggled.has(id);
  const attempts = isOpen ? device.tries : [];
  return [
    { id, kind: "device", device, isOpen, isLast: isLastDevice && attempts.length === 0 },
    ...attempts.map((attempt, index): RunRow => {
      const isLast = index === attempts.length - 1;
      return {
        id: `${id} ${index}`,
        kind: "attempt",
        attempt,
        isLast,
        isLastOfRun: isLast && isLastDevice,
      };
    }),
  ];
}

/** What its style sheet tells apart. */
export function runRowClass(row: RunRow): string {
  switch (row.kind) {
    case "run":
      return row.run.status === "planned" ? "step-run not-run" : "step-run";
    case "disabled":
      return "step-run not-run";
    case "args":
      return "step-arguments";
    case "device":
      return row.isLast ? "device last-of-run" : "device";
    case "attempt":
      return ["attempt", row.isLast ? "last-of-device" : "", row.isLastOfRun ? "last-of-run" : ""]
        .filter(Boolean)
        .join(" ");
  }
}
