// Firmware that its SKU wants and a rollout named files for: the BMC first, all others before one restart, each read back (docs/adr/0148-firmware-rollouts.md).
import { z } from "zod";
import { findComponent } from "@/server/domain/hosts/inventory/firmware-name";
import { firmwareImage } from "@/server/domain/hosts/platform/rollout";
import type { FirmwareImage } from "@/server/domain/hosts/platform/rollout";
import type { StepProgress } from "@/server/hardware/interfaces";
import {
  firmware,
  listedWithinMs,
  listing,
  notListed,
  ownComponent,
  sendUpdate,
  wrongFile,
} from "@/server/hardware/redfish/steps/firmware";
import type { Firmware } from "@/server/hardware/redfish/steps/firmware";
import { fetched, openUpdate } from "@/server/hardware/redfish/steps/firmware-order";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { StepFailed, WrongArgument } from "@/server/hardware/redfish/steps/stopped";
import { readTask, sentTask } from "@/server/hardware/redfish/steps/tasks";

const sent = sentTask.extend({
  image: firmwareImage,
  before: z.string(),
  doneAt: z.number().nullable(),
  /** The BMC said that it verified the file. */
  verified: z.boolean(),
});
type Sent = z.infer<typeof sent>;

const earlier = sentTask.extend({ earlier: z.literal(true) });

const work = z.object({
  /** Not ordered yet, in order. */
  todo: z.array(firmwareImage),
  /** Followed now; null: the restart is due, or what was written before it is read back. */
  now: sent.nullable(),
  /** Written, and in force after the restart. */
  staged: z.array(sent),
  said: z.array(z.string()),
});
type Work = z.infer<typeof work>;

/** By the names that vendors give their BMCs. Only the order depends on it: a new BMC may be needed to write the others. */
const isBmc = ({ component }: FirmwareImage): boolean =>
  /\b(bmc|idrac|xcc|ilo|remote access controller)/i.test(component);

/** Of the files, those that the baseline of this moment names. */
function imagesOf({ step: { known } }: StepClient): readonly FirmwareImage[] {
  const wanted = known.baseline?.firmware ?? [];
  return (known.images ?? []).filter(({ component, version }) =>
    wanted.some((row) => row.component === component && row.version === version),
  );
}

async function begin(session: StepClient): Promise<StepProgress> {
  const all = await firmware(session);
  if (all.components.length === 0) throw new StepFailed("the BMC lists no firmware at all");
  const images = imagesOf(session);
  for (const { component } of images)
    if (findComponent(all.components, component) === undefined)
      throw new WrongArgument(notListed(all, component));
  const todo = images.filter(
    ({ component, version }) =>
      session.step.known.reflash === true || ownComponent(all, component).version !== version,
  );
  if (todo.length === 0) return done(`${images.length} components are at their versions`);
  // One that was ordered before is waited for and never joined: what it wrote is read then.
  const running = await openUpdate(session, all);
  if (running !== null)
    return {
      kind: "running",
      handle: { ...running.sent, earlier: true },
      percent: null,
      message: "waiting for an update that is already in progress",
    };
  const order = [...todo.filter(isBmc), ...todo.filter((image) => !isBmc(image))];
  return next(session, all, { todo: order, now: null, staged: [], said: [] });
}

/** An update that an earlier attempt, or somebody else, ordered: it ends, with the restart that it may need, before anything is ordered. */
async function waitFor(session: StepClient, handle: z.infer<typeof earlier>): Promise<StepProgress> {
  const { phase, words } = await readTask(session, handle);
  if (phase === "waiting") return { kind: "restart", handle, message: words };
  return phase === "running" ? { kind: "running", handle, percent: null, message: words } : begin(session);
}

/** Orders the next update; after the last one the restart, or the end if nothing waits for one. */
async function next(session: StepClient, all: Firmware, state: Work): Promise<StepProgress> {
  const [image, ...todo] = state.todo;
  if (image === undefined) {
    const handle: Work = { ...state, todo, now: null };
    if (state.staged.length === 0) return done(state.said.join("; "));
    const names = state.staged.map((row) => row.image.component).join(", ");
    return { kind: "restart", handle, message: `${names}: written, in force after a restart` };
  }
  const before = ownComponent(all, image.component).version;
  const order = await sendUpdate(session, all, image);
  const handle: Work = { ...state, todo, now: { ...order, image, before, doneAt: null, verified: false } };
  return {
    kind: "running",
    handle,
    percent: null,
    message: `${image.component} is being updated from ${before} to ${image.version}`,
  };
}

type Looked =
  | { readonly kind: "progress"; readonly progress: StepProgress }
  | { readonly kind: "restart" }
  /** `row`: as it is now. `version`: as it is listed. `line`: what became of it. */
  | {
      readonly kind: "over";
      readonly row: Sent;
      readonly all: Firmware;
      readonly version: string;
      readonly line: string;
    };

const progress = (value: StepProgress): Looked => ({ kind: "progress", progress: value });

/** How an update stands. `keep` makes the handle with the update as it is now. */
async function look(
  session: StepClient,
  row: Sent,
  keep: (row: Sent) => z.core.util.JSONType,
): Promise<Looked> {
  const { component, wait = 0 } = row.image;
  const running = (now: Sent, message: string, percent: number | null = null): Looked =>
    progress({ kind: "running", handle: keep(now), percent, message: `${component}: ${message}` });
  // A BMC that restarts with its new firmware may forget its tasks: one that has ended is not asked about again.
  const reading =
    row.doneAt === null
      ? await readTask(session, row)
      : ({ phase: "completed", words: "", percent: 100, messageIds: [] } as const);
  if (reading.phase === "failed") {
    const why = `${component}: ${reading.words}`;
    if (reading.messageIds.some((id) => wrongFile.test(id))) throw new WrongArgument(why);
    return progress(failed(why));
  }
  if (reading.phase === "waiting") return { kind: "restart" };
  if (reading.phase === "running") return running(row, reading.words, reading.percent);
  const doneAt = row.doneAt ?? session.nowMs();
  const verified =
    row.verified || reading.messageIds.some((id) => /^Update\..*\.VerifyingAtComponent$/.test(id));
  const now = { ...row, doneAt, verified };
  const overMs = session.nowMs() - doneAt;
  if (overMs < wait * 1_000) return running(now, `written, ${wait} s are waited for`);
  const isLate = overMs >= wait * 1_000 + listedWithinMs;
  const all = await listing(session);
  const found = typeof all === "string" ? undefined : findComponent(all.components, component);
  if (typeof all === "string" || found === undefined) {
    const why = typeof all === "string" ? all : notListed(all, component);
    return isLate ? progress(failed(`${component}: ${why} after its update`)) : running(now, `${why} yet`);
  }
  const line = `${component} went from ${row.before} to ${found.version}; ${fetched(row.image)}, which ${verified ? "says that it verified the file" : "does not say whether it verified a signature"}`;
  return { kind: "over", row: now, all, version: found.version, line };
}

/** Before the restart: one update after the other. */
async function follow(session: StepClient, state: Work, row: Sent): Promise<StepProgress> {
  const found = await look(session, row, (now) => ({ ...state, now }));
  if (found.kind === "progress") return found.progress;
  if (found.kind === "over" && found.version === row.image.version)
    return next(session, found.all, { ...state, said: [...state.said, found.line] });
  // A BMC shows its new version once it has restarted itself, which it does before it writes anything else.
  const since = row.doneAt ?? session.nowMs();
  if (found.kind === "over" && isBmc(row.image) && session.nowMs() - since < listedWithinMs)
    return {
      kind: "running",
      handle: { ...state, now: found.row },
      percent: null,
      message: `${row.image.component} reads ${found.version}, not ${row.image.version} yet`,
    };
  // The old version is still listed: as with a task that waits, the new one is in force after the restart.
  const all = found.kind === "over" ? found.all : await firmware(session);
  const written = found.kind === "over" ? found.row : row;
  return next(session, all, { ...state, staged: [...state.staged, { ...written, doneAt: null }] });
}

/** After the restart: each must be at its version, as soon as the BMC lists it so. */
async function readBack(session: StepClient, state: Work): Promise<StepProgress> {
  const [row, ...staged] = state.staged;
  if (row === undefined) return done(state.said.join("; "));
  const found = await look(session, row, (now) => ({ ...state, staged: [now, ...staged] }));
  if (found.kind === "progress") return found.progress;
  const doneAt = row.doneAt ?? session.nowMs();
  const { component, version } = row.image;
  if (found.kind === "over" && found.version === version)
    return readBack(session, { ...state, staged, said: [...state.said, found.line] });
  const reads =
    found.kind === "over" ? `reads ${found.version}, not ${version}` : "still waits for a restart";
  return session.nowMs() - doneAt < listedWithinMs
    ? {
        kind: "running",
        handle: {
          ...state,
          staged: [found.kind === "over" ? found.row : { ...row, doneAt }, ...staged],
        },
        percent: null,
        message: `${component} ${reads} yet`,
      }
    : failed(`${component} ${reads} after its update and a restart`);
}

export const applyFirmware = stepMaker({
  begin,
  check: (session, handle) => {
    const before = earlier.safeParse(handle).data;
    if (before !== undefined) return waitFor(session, before);
    const state = work.parse(handle);
    return state.now === null ? readBack(session, state) : follow(session, state, state.now);
  },
});
