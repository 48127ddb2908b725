// The timeline of a reclamation: states, step attempts, devices, restarts, agents.
import { describeState } from "@/server/domain/lifecycle/state-table";
import { storedState } from "@/server/domain/lifecycle/states";
import type { Boot } from "@/server/usecases/reclamations/read-boots";
import type { StepRunLine, TimelineBar, TimelineLane } from "@/server/contract/reclamations/reclamation";

interface TimelineParts {
  readonly states: readonly { readonly state: string; readonly at: Date }[];
  readonly endedAt: Date | null;
  readonly runs: readonly StepRunLine[];
  readonly attempts: ReadonlyMap<
    string,
    readonly {
      readonly attempt: number;
      readonly startedAt: Date;
      readonly endedAt: Date | null;
      readonly verdict: string | null;
    }[]
  >;
  readonly effects: readonly {
    readonly kind: string;
    readonly status: string;
    readonly permitAt: Date | null;
    readonly settledAt: Date | null;
  }[];
  readonly boots: readonly Boot[];
}

function stateBars({ states, endedAt }: TimelineParts): readonly TimelineBar[] {
  return states.flatMap(({ state, at }, index): readonly TimelineBar[] => {
    // The state in which it ended is not part of the reclamation.
    if (endedAt !== null && at >= endedAt && index === states.length - 1) return [];
    return [
      {
        from: at,
        to: states[index + 1]?.at ?? endedAt,
        words: state.slice(state.lastIndexOf("/") + 1),
        tone: describeState(storedState(state)).tone,
      },
    ];
  });
}

const attemptTone = (verdict: string | null, over: boolean) =>
  verdict === "succeeded" ? "good" : over ? "failed" : "working";

const formatBoot = ({
  bootEpoch,
  image,
  agentVersion,
}: Pick<Boot, "bootEpoch" | "image" | "agentVersion">): string =>
  [
    `boot epoch ${bootEpoch}`,
    image === null ? null : `image ${image}`,
    agentVersion === null ? null : `agent ${agentVersion}`,
  ]
    .filter((part) => part !== null)
    .join(", ");

const stepLanes = ({ runs, attempts }: TimelineParts): readonly TimelineLane[] =>
  runs.map(({ id, step }) => ({
    name: step,
    bars: (attempts.get(id) ?? []).map(({ attempt, startedAt, endedAt, verdict }) => ({
      from: startedAt,
      to: endedAt,
      words: `attempt ${attempt}`,
      tone: attemptTone(verdict, endedAt !== null),
    })),
  }));

const deviceLanes = ({ runs }: TimelineParts): readonly TimelineLane[] =>
  runs.flatMap(({ devices }) =>
    devices.map(({ slot, serial, startedAt, endedAt, tone, level, percent }) => {
      const words = level ?? (percent === null ? "" : `${Math.round(percent)} %`);
      return {
        name: `${slot === null ? "" : `${slot}, `}…${serial.slice(-6)}`,
        bars: startedAt === null ? [] : [{ from: startedAt, to: endedAt, words, tone }],
      };
    }),
  );

/** Restarts that were requested from the BMC. */
const restartBars = ({ effects }: TimelineParts): readonly TimelineBar[] =>
  effects.flatMap(({ kind, status, permitAt, settledAt }): readonly TimelineBar[] =>
    permitAt === null || !(kind === "bootAgent" || kind === "bootDisk")
      ? []
      : [
          {
            from: permitAt,
            to: settledAt,
            words: kind === "bootAgent" ? "restart" : "restart to disk",
            tone: status === "failed" ? "failed" : "neutral",
          },
        ],
  );

/** The hardware calls of an old boot are deleted; when it was ordered and confirmed is kept. */
const oldRestartBars = ({ boots }: TimelineParts): readonly TimelineBar[] =>
  boots
    .filter(({ old }) => old)
    .map(({ openedAt, resetDoneAt }) => ({
      from: openedAt,
      to: resetDoneAt ?? openedAt,
      words: resetDoneAt === null ? "restart, not read back" : "restart",
      tone: resetDoneAt === null ? "failed" : "neutral",
    }));

const agentBars = ({ boots }: TimelineParts): readonly TimelineBar[] =>
  boots.flatMap(({ registeredAt, lastSeenAt, ...boot }): readonly TimelineBar[] =>
    registeredAt === null || lastSeenAt === null
      ? []
      : [{ from: registeredAt, to: lastSeenAt, words: formatBoot(boot), tone: "neutral" }],
  );

/** Lanes without a bar are omitted. */
export const timelineLanes = (parts: TimelineParts): readonly TimelineLane[] =>
  [
    { name: "State", bars: stateBars(parts) },
    ...stepLanes(parts),
    ...deviceLanes(parts),
    { name: "BMC", bars: [...oldRestartBars(parts), ...restartBars(parts)] },
    { name: "Agent", bars: agentBars(parts) },
  ].filter(({ bars }) => bars.length > 0);
