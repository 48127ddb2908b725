// Acts on hosts: manage, provide, restart, power, boot, delete, maintenance, place; and on the running cleaning: abort, hold, resume, retry.
import { bootDevices, bootModes } from "@/server/domain/hosts/boot-settings";
import { hostActions, hostIntents } from "@/server/domain/hosts/host-actions";
import { onHosts } from "@/cli/commands/acts";
import { choice, flag, moment, needed, opt, parsed, reason } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Goal } from "@/cli/live/follow";
import { readDuration, readOnOff } from "@/cli/options";

/** What `--wait` waits for. */
const goals: Partial<Record<keyof typeof hostActions, Goal>> = {
  manage: "manageable",
  provide: "ready",
  restart: "ready",
};

const orNone = (name: string | undefined) => (name === "none" ? null : name);

export const maintenance = [
  onHosts("hosts maintenance set", {
    intent: "setMaintenance",
    uses: ["host.setMaintenance"],
    options: { reason },
    perform: ({ client }, { hostId }, given) =>
      client.host.setMaintenance.mutate({ hostId, reason: given.reason }),
  }),
  onHosts("hosts maintenance clear", {
    intent: "clearMaintenance",
    uses: ["host.clearMaintenance", "host.confirmUntouched"],
    alias: "unset",
    options: {
      untouched: opt(
        "<reason>",
        "state that nobody touched them, and how you know: they are allocated without a check, and your statement is recorded",
      ),
    },
    intentOf: ({ untouched }) => (untouched === undefined ? "clearMaintenance" : "confirmUntouched"),
    check: ({ untouched }, filter) => {
      if (untouched !== undefined && filter !== undefined)
        throw new CommandError(
          "usage",
          "--untouched cannot be used with --filter: name the hosts that you vouch for.",
        );
    },
    perform: ({ client }, seen, { untouched }, host) =>
      untouched === undefined
        ? client.host.clearMaintenance.mutate({ hostId: seen.hostId })
        : client.host.confirmUntouched.mutate({
            ...seen,
            reason: untouched,
            maintenanceReason: host.maintenance?.reason ?? null,
          }),
  }),
];

export const recheck = onHosts("hosts recheck", {
  intent: "recheck",
  uses: ["host.recheck"],
  options: { reason },
  perform: ({ client }, seen, given) => client.host.recheck.mutate({ ...seen, reason: given.reason }),
});

export const place = onHosts("hosts place", {
  intent: "setPlace",
  title: `${hostActions.setPlace.summary}; options not given stay unchanged, none removes a value`,
  uses: ["host.setPlace"],
  options: {
    rack: opt("<name|none>", "rack"),
    slot: opt("<name|none>", "slot in the rack"),
    segment: opt("<name|none>", "network in which it boots"),
    powerDomain: opt("<name|none>", "the power supply it shares with others"),
  },
  check: ({ rack, slot, segment, powerDomain }) => {
    if ([rack, slot, segment, powerDomain].every((part) => part === undefined))
      throw new CommandError("usage", "Name a part of the place to set, such as --rack.");
  },
  perform: ({ client }, { hostId }, { rack, slot, segment, powerDomain }) => {
    const parts = { rack, slot, segment, powerDomain };
    const place = Object.fromEntries(
      Object.entries(parts).flatMap(([part, name]) => (name === undefined ? [] : [[part, orNone(name)]])),
    );
    return client.host.setPlace.mutate({ hostId, place });
  },
});

export const boot = onHosts("hosts boot", {
  intent: "setBoot",
  title: `${hostActions.setBoot.summary}; options not given stay unchanged`,
  uses: ["host.setBoot"],
  options: {
    device: choice("<device>", "boot device of the next boot", bootDevices),
    persistent: flag("with --device: for every boot, until Reclaim sets another"),
    mode: choice("<mode>", "boot mode", bootModes),
    secureBoot: parsed("<on|off>", "secure boot", readOnOff),
  },
  check: ({ device, persistent, mode, secureBoot }) => {
    if (device === undefined && mode === undefined && secureBoot === undefined)
      throw new CommandError("usage", "Name what to set, such as --device.");
    if (persistent !== undefined && device === undefined)
      throw new CommandError("usage", "--persistent is for --device.");
  },
  perform: ({ client }, seen, { device, persistent = false, mode, secureBoot }) =>
    client.host.setBoot.mutate({
      ...seen,
      ...(device === undefined ? {} : { device, persistent }),
      ...(mode === undefined ? {} : { mode }),
      ...(secureBoot === undefined ? {} : { secureBoot }),
    }),
});

/** Acts that need nothing but the hosts: as many as the table of actions has. */
export const plainActs = [
  ...hostIntents.map((intent) => {
    const goal = goals[intent];
    return onHosts(hostActions[intent].command, {
      intent,
      uses: ["host.act"],
      ...(goal === undefined ? {} : { goal }),
      perform: ({ client }, seen) => client.host.act.mutate({ ...seen, intent }),
    });
  }),
  onHosts(hostActions.abort.command, {
    intent: "abort",
    uses: ["cleaning.abort"],
    perform: ({ client }, seen) => client.cleaning.abort.mutate(seen),
  }),
  onHosts(hostActions.resume.command, {
    intent: "resume",
    uses: ["cleaning.resume"],
    perform: ({ client }, seen) => client.cleaning.resume.mutate(seen),
  }),
  onHosts("hold", {
    intent: "hold",
    uses: ["cleaning.hold"],
    options: {
      reason: needed(opt("<text>", "why")),
      for: parsed("<time>", "how long, such as 2h; default: the site's setting", readDuration),
      until: moment("or end time"),
    },
    perform: ({ client }, seen, { reason: why, for: forMs, until }) =>
      client.cleaning.hold.mutate({
        ...seen,
        reason: why,
        ...(forMs === undefined ? {} : { forMs }),
        ...(until === undefined ? {} : { until }),
      }),
  }),
];
