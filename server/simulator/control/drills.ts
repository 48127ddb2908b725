// Drills: what a person may do to a demo machine, to see how Reclaim reacts (docs/demo.md#drills).
import { randomBytes } from "node:crypto";
import { request } from "undici";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

interface Drill {
  readonly title: string;
  /** What it does, and what to expect. */
  readonly words: string;
  /** Returns what was done, in words. */
  readonly run: (host: SimulatedHost, controllerUrl: string) => string | Promise<string>;
}

const nameOf = ({ blueprint }: SimulatedHost): string => blueprint.name;

function failDrive(host: SimulatedHost): string {
  const drive = host.drives.find(({ faults }) => !faults.failErase);
  if (drive === undefined) return `Every drive of ${nameOf(host)} fails already.`;
  const { serial, slot } = drive.identity;
  host.script({ drives: { [serial]: { failErase: true } } });
  return `Erases of drive ${serial} (slot ${slot}) of ${nameOf(host)} fail from now on.`;
}

function hangBmc(host: SimulatedHost): string {
  host.script({ bmc: { mode: "silent" } });
  return `The BMC of ${nameOf(host)} answers nothing until the machine is repaired.`;
}

function killAgent(host: SimulatedHost): string {
  return host.crashAgent()
    ? `The agent on ${nameOf(host)} is gone.`
    : `No agent runs on ${nameOf(host)} now: it runs while the machine is cleaned.`;
}

function neverAcknowledge(host: SimulatedHost): string {
  host.script({ network: { neverAck: true } });
  return `The interfaces of ${nameOf(host)} acknowledge no network until the machine is repaired.`;
}

/** Like somebody in the provisioning network who knows the protocol but has no session. */
async function forgeReport(host: SimulatedHost, controllerUrl: string): Promise<string> {
  const answer = await request(`${controllerUrl}/agent/v1/validation`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer rcl_${randomBytes(24).toString("base64url")}`,
    },
    body: JSON.stringify({ ok: true, tests: [], host: host.blueprint.serial }),
  });
  await answer.body.dump();
  return `A report "all tests passed" for ${nameOf(host)} was sent with a made-up session: the server answered ${answer.statusCode}.`;
}

function repair(host: SimulatedHost): string {
  host.clearFaults();
  return `${nameOf(host)} is repaired: no drive fails, its BMC answers, its interfaces acknowledge. Retry what has failed.`;
}

export const drills = {
  failDrive: {
    title: "Fail a drive",
    words:
      "Each erase of one drive fails. Release the machine: it stops out of allocation, with the drive's own status.",
    run: failDrive,
  },
  hangBmc: {
    title: "Hang the BMC",
    words:
      "The BMC takes requests and answers none. Release the machine: Reclaim retries, and says since when it waits.",
    run: hangBmc,
  },
  neverAcknowledge: {
    title: "Never acknowledge a network",
    words:
      "The network controller takes changes for this machine, and its interfaces never acknowledge one. Release the machine: it waits, out of allocation, and says for which interface.",
    run: neverAcknowledge,
  },
  killAgent: {
    title: "Kill the agent",
    words:
      "The agent ends in the middle of its work. Reclaim boots it again, and what counts is done once more.",
    run: killAgent,
  },
  forgeReport: {
    title: "Forge a report",
    words:
      "Somebody claims that the machine passed its tests. Without the session of this boot it is refused.",
    run: forgeReport,
  },
  repair: {
    title: "Repair",
    words: "Takes back what the drills have done to this machine.",
    run: repair,
  },
} as const satisfies Record<string, Drill>;
type DrillName = keyof typeof drills;

export const isDrill = (name: string): name is DrillName => Object.hasOwn(drills, name);
