// hdparm as it would answer on a simulated host.
import type { DeviceStatus } from "@/server/domain/cleaning/failures/status";
import type { AtaTools } from "@/agent/tools/tools";
import { askDisk, eraseToEnd, sanitizeState, statusText } from "@/server/simulator/host/disk-tools";
import { done, refusedBy, type ToolSession } from "@/server/simulator/host/tool-call";

const tool = "/usr/sbin/hdparm";
const step = "erase_disks";
/** DRDY, DSC and ERR; ABRT. */
const aborted: DeviceStatus = { bus: "ata", status: 0x51, error: 0x04 };

/** One command of the tool: the host's answer to it. */
type Command<Name extends keyof AtaTools> = (session: ToolSession) => AtaTools[Name];

const identify: Command<"identify"> = (session) => (path) => {
  const command = `${tool} -I ${path}`;
  return askDisk(session, path, command, (drive) =>
    done(command, {
      sanitize: { crypto: drive.offers("crypto"), block: drive.offers("block") },
      security: {
        supported: true,
        enabled: drive.password !== null,
        locked: drive.locked,
        frozen: false,
        enhancedErase: true,
      },
    }),
  );
};

const sanitize: Command<"sanitize"> = (session) => (path, operation) => {
  const option = operation === "crypto" ? "crypto-scramble" : "block-erase";
  const command = `${tool} --yes-i-know-what-i-am-doing --sanitize-${option} ${path}`;
  return askDisk(
    session,
    path,
    command,
    (drive) =>
      drive.erase(operation)
        ? done<true>(command, true)
        : refusedBy<true>(command, "SG_IO: bad/missing sense data, Aborted Command", 5, aborted),
    step,
  );
};

const sanitizeStatus: Command<"sanitizeStatus"> = (session) => (path) => {
  const command = `${tool} --sanitize-status ${path}`;
  return askDisk(session, path, command, (drive) => {
    // hdparm shows the state, but not which operation it was.
    const state = sanitizeState(drive);
    const code = state.state === "failed" ? aborted : undefined;
    return done(command, { ...state, operation: "unknown" as const }, statusText(state), code);
  });
};

const unlock: Command<"unlock"> = (session) => (path, password) => {
  const command = `${tool} --user-master u --security-unlock ${password} ${path}`;
  return askDisk(session, path, command, (drive) =>
    drive.unlock(password)
      ? done<true>(command, true)
      : refusedBy<true>(command, "SECURITY_UNLOCK: Input/output error", 5),
  );
};

const setPassword: Command<"setPassword"> = (session) => (path, password) => {
  const command = `${tool} --user-master u --security-set-pass ${password} ${path}`;
  return askDisk(session, path, command, (drive) => {
    drive.password = password;
    return done<true>(command, true);
  });
};

const secureErase: Command<"secureErase"> = (session) => (path, password, enhanced) => {
  const option = `--security-erase${enhanced ? "-enhanced" : ""}`;
  const command = `${tool} --user-master u ${option} ${password} ${path}`;
  return askDisk(
    session,
    path,
    command,
    async (drive) => {
      if (drive.password !== password || drive.locked)
        return refusedBy<true>(command, "SECURITY_ERASE: Input/output error", 5, aborted);
      const answer = await eraseToEnd(session, drive, enhanced ? "crypto" : "overwrite", command, aborted);
      if (answer.value === true) drive.password = null;
      return answer;
    },
    step,
  );
};

const disableSecurity: Command<"disableSecurity"> = (session) => (path, password) => {
  const command = `${tool} --user-master u --security-disable ${password} ${path}`;
  return askDisk(session, path, command, (drive) => {
    if (drive.password !== password)
      return refusedBy<true>(command, "SECURITY_DISABLE: Input/output error", 5);
    drive.password = null;
    return done<true>(command, true);
  });
};

/** The commands of hdparm on one host. */
export const ataTools = (session: ToolSession): AtaTools => ({
  identify: identify(session),
  sanitize: sanitize(session),
  sanitizeStatus: sanitizeStatus(session),
  unlock: unlock(session),
  setPassword: setPassword(session),
  secureErase: secureErase(session),
  disableSecurity: disableSecurity(session),
});
