// Flattens a plan, a tree of steps, devices and attempts, into the rows of the step run table. Pure.
import { formatArgs } from "@/components/reclamations/step-runs/run-text";
import type { DeviceLine, DisabledStepLine, StepRunLine } from "@/server/surfaces/trpc/types";

type Attempt = DeviceLine["tries"][number];

export type RunRow = { readonly id: string } & (
  | { readonly kind: "run"; readonly run: StepRunLine; readonly isOpen: boolean }
  /** The full message of a run, when expanded. */
  | { readonly kind: "message"; readonly message: string }
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
      readonly isOpen: boolean;
      /** Last of its device, and last of its run. */
      readonly isLast: boolean;
      readonly isLastOfRun: boolean;
    }
  /** The full command of an attempt and the device's answer, when expanded. */
  | {
      readonly kind: "answer";
      readonly attempt: Attempt;
      readonly isLast: boolean;
      readonly isLastOfRun: boolean;
    }
  /** A technique of the policy that was not sent. */
  | {
      readonly kind: "passedOver";
      readonly passed: DeviceLine["passedOver"][number];
      readonly isLast: boolean;
      readonly isLastOfRun: boolean;
    }
  | { readonly kind: "disabled"; readonly step: DisabledStepLine }
);

/** Whether a row is expanded; `byDefault`: expanded until collapsed by the user. */
type Opened = (id: string, byDefault?: boolean) => boolean;

/** The plan in order, then the steps that an override removed. `toggled`: rows the user expanded or collapsed; `all`: everything is expanded, as in print. */
export function runRows(
  runs: readonly StepRunLine[],
  disabled: readonly DisabledStepLine[],
  toggled: ReadonlySet<string>,
  all = false,
): readonly RunRow[] {
  const opened: Opened = (id, byDefault = false) => all || toggled.has(id) !== byDefault;
  return [
    ...runs.flatMap((run): readonly RunRow[] => {
      const args = formatArgs(run);
      const isOpen = opened(run.id);
      return [
        { id: run.id, kind: "run", run, isOpen },
        ...(isOpen && run.message !== null
          ? [{ id: `${run.id} message`, kind: "message" as const, message: run.message }]
          : []),
        ...(args === null ? [] : [{ id: `${run.id} args`, kind: "args" as const, args }]),
        ...run.devices.flatMap((device, index) =>
          deviceRows(`${run.id} ${device.serial}`, device, index === run.devices.length - 1, opened),
        ),
      ];
    }),
    ...disabled.map((step): RunRow => ({ id: `disabled ${step.step}`, kind: "disabled", step })),
  ];
}

/** Attempts are shown if something went wrong, otherwise on request. */
function deviceRows(
  id: string,
  device: DeviceLine,
  isLastDevice: boolean,
  opened: Opened,
): readonly RunRow[] {
  const isOpen = opened(id, device.tone === "failed");
  const passedOver = isOpen ? device.passedOver : [];
  const attempts = isOpen ? device.tries : [];
  const rows = passedOver.length + attempts.length;
  return [
    { id, kind: "device", device, isOpen, isLast: isLastDevice && rows === 0 },
    ...passedOver.map((passed, index): RunRow => {
      const isLast = index === rows - 1;
      return {
        id: `${id} ${passed.technique}`,
        kind: "passedOver",
        passed,
        isLast,
        isLastOfRun: isLast && isLastDevice,
      };
    }),
    ...attempts.flatMap((attempt, index) =>
      attemptRows(`${id} ${index}`, attempt, index === attempts.length - 1, isLastDevice, opened),
    ),
  ];
}

/** One line, with the full attempt below it when expanded. */
function attemptRows(
  id: string,
  attempt: Attempt,
  isLastAttempt: boolean,
  isLastDevice: boolean,
  opened: Opened,
): readonly RunRow[] {
  const isOpen = opened(id);
  const last = { isLast: isLastAttempt, isLastOfRun: isLastAttempt && isLastDevice };
  const none = { isLast: false, isLastOfRun: false };
  const row: RunRow = { id, kind: "attempt", attempt, isOpen, ...(isOpen ? none : last) };
  return isOpen ? [row, { id: `${id} answer`, kind: "answer", attempt, ...last }] : [row];
}

/** The class that the style sheet distinguishes rows by. */
export function runRowClass(row: RunRow): string {
  switch (row.kind) {
    case "run":
      return row.run.status === "planned" ? "step-run not-run" : "step-run";
    case "disabled":
      return "step-run not-run";
    case "args":
      return "step-arguments";
    case "message":
      return "step-arguments message";
    case "device":
      return row.isLast ? "device last-of-run" : "device";
    case "attempt":
    case "passedOver":
    case "answer":
      return [
        row.kind === "answer" ? "attempt answer" : "attempt",
        row.isLast ? "last-of-device" : "",
        row.isLastOfRun ? "last-of-run" : "",
      ]
        .filter(Boolean)
        .join(" ");
  }
}
