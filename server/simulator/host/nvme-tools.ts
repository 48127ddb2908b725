// nvme-cli as it would answer on a simulated host.
import type { Answer, NvmeController, NvmeTools } from "@/agent/tools/tools";
import { lbaFormats, NvmeDrive, statusCodes } from "@/server/simulator/drives/nvme-drive";
import { done, formatted, nvmeRefused, refusedBy, type ToolSession } from "@/server/simulator/host/tool-call";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

const tool = "/usr/sbin/nvme";
const adminMs = 5;
const step = "erase_nvme";

/** The drives that the host sees, by the path of their controller. */
export function nvmeDrives(host: SimulatedHost): Map<string, NvmeDrive> {
  const drives = host.drives
    .filter((drive) => drive instanceof NvmeDrive)
    .filter(({ identity }) => identity.card === undefined);
  return new Map(
    drives
      .map((drive, index) => [`/dev/nvme${index}`, drive] as const)
      .filter(([, drive]) => !drive.faults.vanish),
  );
}

/** The path of the RAID kit's own controller, after those of the drives; null if the host has none. */
function kitPath(host: SimulatedHost): string | null {
  return host.blueprint.drives.some(({ card }) => card === "kit")
    ? `/dev/nvme${host.blueprint.drives.filter(({ card }) => card === undefined).length}`
    : null;
}

/** Where the controller at a path is plugged in; null if there is none. */
export function pciAddress(host: SimulatedHost, path: string): string | null {
  const slot = path === kitPath(host) ? "kit" : nvmeDrives(host).get(path)?.identity.slot;
  return slot === undefined ? null : `pci-0000:81:00.0 ${slot}`;
}

/** How the kit identifies itself: not a drive, and with neither sanitize nor format. */
const kitIdentity = {
  mn: "M.2 NVMe 2-Bay RAID Kit".padEnd(40),
  fr: "2.3.5".padEnd(8),
  cntlid: 1,
  oacs: 0,
  fna: 0,
  sanicap: 0,
  nn: 2,
  tnvmcapBytes: 0n,
  unvmcapBytes: 0n,
} as const;

/** One command of the tool: the host's answer to it. */
type Command<Name extends keyof NvmeTools> = (session: ToolSession) => NvmeTools[Name];

/** Runs a command on the drive behind a controller; refused if there is none. */
function ask<Value>(
  { host, call }: ToolSession,
  controller: string,
  command: string,
  run: (drive: NvmeDrive) => Answer<Value> | Promise<Answer<Value>>,
  ofStep = "",
): Promise<Answer<Value>> {
  return call(ofStep, adminMs, () => {
    const drive = nvmeDrives(host).get(controller);
    return drive
      ? run(drive)
      : refusedBy<Value>(command, `open: ${controller}: No such file or directory`, 2);
  });
}

const accepted = (command: string, problem: string | null) =>
  problem === null ? done<true>(command, true) : nvmeRefused<true>(command, problem);

const list: Command<"list"> =
  ({ host, call }) =>
  () =>
    call("", adminMs, () => {
      const kit = kitPath(host);
      return done(`${tool} list -v -o json`, [...nvmeDrives(host).keys(), ...(kit === null ? [] : [kit])]);
    });

const identify: Command<"identify"> = (session) => (controller) => {
  const { host, call } = session;
  const command = `${tool} id-ctrl ${controller} -o json`;
  return controller === kitPath(host)
    ? call("", adminMs, () =>
        done(command, { ...kitIdentity, sn: `KIT${host.blueprint.serial}`.slice(0, 20).padEnd(20) }),
      )
    : ask(session, controller, command, (drive) => done(command, identityOf(drive)));
};

function identityOf(drive: NvmeDrive): NvmeController {
  const { firmware, capacityBytes } = drive.identity;
  const { serial, model } = drive.reported;
  const managed = (drive.model.oacs & 8) !== 0;
  const used = drive.namespaces.reduce(
    (sum, { blocks, content }) => sum + BigInt(blocks) * BigInt(content.blockBytes),
    0n,
  );
  return {
    sn: serial.padEnd(20),
    mn: model.padEnd(40),
    fr: firmware.padEnd(8),
    cntlid: 1,
    oacs: drive.model.oacs,
    fna: drive.fna,
    sanicap: drive.sanicap,
    nn: 32,
    tnvmcapBytes: managed ? capacityBytes : 0n,
    unvmcapBytes: managed ? capacityBytes - used : 0n,
  };
}

const namespaces: Command<"namespaces"> = (session) => (controller, which) => {
  const command = `${tool} list-ns ${controller}${which === "all" ? " --all" : ""} -o json`;
  return ask(session, controller, command, (drive) => {
    const shown = drive.namespaces.filter(({ attached }) => which === "all" || attached);
    return done(
      command,
      shown.map(({ id }) => id),
    );
  });
};

const identifyNamespace: Command<"identifyNamespace"> = (session) => (controller, namespace) => {
  const command = `${tool} id-ns ${controller} -n ${namespace} -o json`;
  return ask(session, controller, command, (drive) => {
    const found = drive.find(namespace);
    if (!found) return nvmeRefused(command, "Invalid Namespace or Format (0x200b)");
    const { blocks: nsze, format } = found;
    return done(command, { nsze, format, formats: lbaFormats, fpiPercentLeft: 0 });
  });
};

const attach: Command<"attach"> = (session) => (controller, namespace, cntlid) => {
  const command = `${tool} attach-ns ${controller} -n ${namespace} -c ${cntlid}`;
  return ask(session, controller, command, (drive) => accepted(command, drive.attach(namespace)));
};

const remove: Command<"remove"> = (session) => (controller, namespace) => {
  const command = `${tool} delete-ns ${controller} -n ${namespace}`;
  return ask(session, controller, command, (drive) => accepted(command, drive.remove(namespace)));
};

const create: Command<"create"> = (session) => (controller, blocks, format) => {
  const command = `${tool} create-ns ${controller} -s ${blocks} -c ${blocks} -f ${format}`;
  return ask(session, controller, command, (drive) => {
    const created = drive.create(blocks, format);
    return typeof created === "number" ? done(command, created) : nvmeRefused(command, created);
  });
};

const sanitize: Command<"sanitize"> = (session) => (controller, sanact) => {
  const command = `${tool} sanitize ${controller} --sanact=${sanact}`;
  return ask(session, controller, command, (drive) => accepted(command, drive.sanitize(sanact)), step);
};

/** No drive of the fleet has Verification Support in SANICAP. */
const passthru =
  (session: ToolSession) =>
  (controller: string, dword10: number): Promise<Answer<true>> => {
    const command = `${tool} admin-passthru ${controller} --opcode=0x84 --cdw10=0x${dword10.toString(16)}`;
    return ask(session, controller, command, () => accepted(command, statusCodes.invalidField), step);
  };

const sanitizeLog: Command<"sanitizeLog"> = (session) => (controller) => {
  const command = `${tool} sanitize-log ${controller} -o json`;
  return ask(session, controller, command, (drive) => {
    const { state, kind, code, progress } = drive.lastErase();
    const sanitized = kind === "crypto" || kind === "block" || kind === "overwrite";
    const sstat = sanitized ? { never: 0, completed: 1, running: 2, failed: 3 }[state] : 0;
    const sprog = sanitized && state === "running" ? Math.floor(progress * 65_536) : 65_535;
    const scdw10 = sanitized ? code : 0;
    const { crypto, block, overwrite } = drive.model.seconds;
    const { time } = session.host;
    const estimateSeconds = {
      crypto: Math.ceil(time.scaled(crypto)),
      block: Math.ceil(time.scaled(block)),
      overwrite: Math.ceil(time.scaled(overwrite)),
    };
    return done(
      command,
      { sprog, sstat, scdw10, estimateSeconds },
      `SSTAT ${sstat.toString(16)}h, SPROG ${sprog.toString(16)}h, SCDW10 ${scdw10.toString(16)}h`,
    );
  });
};

const format: Command<"format"> = (session) => (controller, namespace, ses) => {
  const command = `${tool} format ${controller} -n ${namespace} -s ${ses} -f`;
  return ask(
    session,
    controller,
    command,
    (drive) => formatted(session, drive, command, drive.format(namespace, ses)),
    step,
  );
};

const health: Command<"health"> = (session) => (controller) => {
  const command = `${tool} smart-log ${controller} -o json`;
  return ask(session, controller, command, () =>
    done(command, { criticalWarning: 0, percentageUsed: 3, mediaErrors: 0 }),
  );
};

/** The commands of nvme-cli on one host. */
export const nvmeTools = (session: ToolSession): NvmeTools => ({
  list: list(session),
  identify: identify(session),
  namespaces: namespaces(session),
  identifyNamespace: identifyNamespace(session),
  attach: attach(session),
  remove: remove(session),
  create: create(session),
  sanitize: sanitize(session),
  sanitizeAndHold: (controller, sanact) => passthru(session)(controller, 0x400 | sanact),
  exitMediaVerification: (controller) => passthru(session)(controller, 5),
  sanitizeLog: sanitizeLog(session),
  format: format(session),
  health: health(session),
});
