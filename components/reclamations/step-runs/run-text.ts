// Texts for a step run: its arguments, where its place in the order comes from, and its time limit.
import { formatDuration } from "@/components/ui/format/duration";
import type { DisabledStepLine, StepRunLine } from "@/server/surfaces/trpc/types";

const sources: Readonly<Record<string, string>> = {
  default: "default",
  site: "override of the site",
  sku: "override of the SKU",
  host: "override of the host",
};

/** "90, default"; a manual cleaning runs in the order requested. */
export function formatPriority({
  priority,
  prioritySource,
}: Pick<StepRunLine, "priority" | "prioritySource">): string {
  return prioritySource === "manual"
    ? "in the order asked for"
    : `${priority}, ${sources[prioritySource] ?? prioritySource}`;
}

/** "disabled by the override of the site". */
export const disabledText = ({ source }: Pick<DisabledStepLine, "source">): string =>
  `disabled by the ${sources[source] ?? source}`;

/** "at most 21 min"; null for a plan made by an earlier version. */
export const formatLimit = ({ timeLimitMs }: Pick<StepRunLine, "timeLimitMs">): string | null =>
  timeLimitMs === null ? null : `at most ${formatDuration(timeLimitMs)}`;

const formatValue = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** "passes: 3, pattern: zero"; null without arguments. */
export function formatArgs({ args }: Pick<StepRunLine, "args">): string | null {
  const given = Object.entries(args);
  return given.length === 0
    ? null
    : given.map(([name, value]) => `${name}: ${formatValue(value)}`).join(", ");
}
