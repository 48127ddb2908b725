// The checks of the service and of the account: whether Redfish answers, whether the BMC lets us in, and what the account may do.
import { z } from "zod";
import { failed, notKnown, ofError, passed, type Made } from "@/server/hardware/redfish/check/report";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { RedfishError } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import type { Refusal, ServiceRoot } from "@/server/hardware/redfish/client/sign-in";
import { links, optionalLink, text } from "@/server/hardware/redfish/resources/references";
import { pathOfLink } from "@/server/hardware/redfish/resources/resources";
import type { ComputerSystem } from "@/server/hardware/redfish/resources/system";
import type { SystemReading } from "@/server/hardware/interfaces";
import { accountsPath } from "@/server/hardware/redfish/steps/baseline";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";

export function service(root: ServiceRoot): Made {
  const { RedfishVersion: version, Vendor: vendor } = root;
  if (pathOfLink(root.Systems) === null)
    return failed("the service root has no Systems", "Enter the address of a server's BMC.");
  return passed(
    `the service root answers${version == null ? "" : `, Redfish ${version}`}${vendor == null ? "" : `, of ${vendor}`}`,
  );
}

const newPassword =
  "Change BMC: user and password. A refused credential is tried only once, so that no account is locked.";

/** Base registry: the account must get another password before it may do anything else. A session may open nevertheless. */
const wantsNewPassword = ({ messageIds }: RedfishError): boolean =>
  messageIds.some((id) => id.endsWith(".PasswordChangeRequired"));

function refusedSignIn(error: RedfishError): Made {
  if (wantsNewPassword(error))
    return failed(error.message, "Set a new password at the BMC, and then enter it with Change BMC.");
  return error.status === 401 || error.status === 403
    ? failed(error.message, newPassword)
    : ofError(error, newPassword);
}

/** Nothing is asked of a BMC that refused the credential earlier, so whether it still does is not known. */
function refusedEarlier(client: RedfishClient, { until }: Refusal): Made {
  const { date, now } = client.settings;
  if (until === null)
    return notKnown(
      "the BMC refused this credential earlier, and it is not sent again before it is changed",
      newPassword,
    );
  const at = new Date(date().getTime() + until - now()).toISOString();
  return notKnown(
    `the BMC refused this credential in an earlier test, and a test sends it again after ${at.slice(0, 16).replace("T", " ")} UTC`,
    newPassword,
  );
}

/**
 * Reads the list of systems, which needs a sign-in.
 * @param refused before the call began
 */
export async function signIn(
  client: RedfishClient,
  call: Call,
  root: ServiceRoot,
  refused: Refusal | null,
): Promise<Made> {
  if (refused !== null) return refusedEarlier(client, refused);
  const path = pathOfLink(root.Systems);
  if (path === null) return notKnown("the service root has no Systems");
  const replied = await client.get(call, path);
  const access = call.bmc.accesses.get(call.credential);
  const isUsable = replied.ok || (replied.error.status !== 401 && !wantsNewPassword(replied.error));
  if (access?.kind === "token" && isUsable) return passed(`${call.target.username} signed in with a session`);
  if (!replied.ok) return refusedSignIn(replied.error);
  return passed(`${call.target.username} signed in with basic authentication: the BMC has no sessions`);
}

const account = z.object({
  UserName: text,
  RoleId: text,
  Links: z.object({ Role: optionalLink }).nullish().catch(null),
});
const role = z.object({ AssignedPrivileges: z.array(z.string()).nullish().catch(null) });
const withRoles = z.object({ Roles: optionalLink });
const collection = z.object({ Members: links });

/** What Reclaim does needs these (Redfish's PrivilegeType): power, boot and BIOS; the BMC's own settings; accounts. */
const neededPrivileges = ["Login", "ConfigureComponents", "ConfigureManager", "ConfigureUsers"] as const;

const giveRole = "Give the account the role Administrator at the BMC.";

/** The path of the role that an account names by its id. */
async function roleNamed(session: StepClient, id: string): Promise<string | null> {
  const accounts = pathOfLink((await session.root()).AccountService);
  const roles = accounts === null ? null : pathOfLink((await session.get(accounts, withRoles)).body.Roles);
  if (roles === null) return null;
  const { Members } = (await session.get(roles, collection)).body;
  return Members.find((path) => path.replace(/\/$/, "").split("/").at(-1) === id) ?? null;
}

/** The role of the account, and what it permits. An account of a directory is not listed, so its rights show only when they are used. */
export async function rights(session: StepClient): Promise<Made> {
  const { username } = session.call.target;
  const found = (await session.all(await accountsPath(session), account)).find(
    ({ body }) => body.UserName === username,
  )?.body;
  if (found === undefined)
    return notKnown(
      `the BMC does not list the account ${username}`,
      "Look at the BMC whether it may administer it.",
    );
  const name = found.RoleId ?? "(none)";
  const path = pathOfLink(found.Links?.Role) ?? (await roleNamed(session, name));
  const privileges =
    path === null ? null : ((await session.look(path, role))?.body.AssignedPrivileges ?? null);
  // The standard's own role, which no service may change (DSP0266, predefined roles).
  if (privileges === null && name === "Administrator") return passed(`${username} has the role ${name}`);
  if (privileges === null)
    return notKnown(`${username} has the role ${name}, and the BMC does not tell what it permits`, giveRole);
  const missing = neededPrivileges.filter((privilege) => !privileges.includes(privilege));
  return missing.length === 0
    ? passed(`${username} has the role ${name}, which permits ${privileges.join(", ")}`)
    : failed(`${username} has the role ${name}, which does not permit ${missing.join(", ")}`, giveRole);
}

/** Certificates, sessions and event logs go by the clock; more than this is not the way of an answer through the network. */
const maxOffMs = 120_000;

/** By the time that the BMC's web server sent with the system. */
export function time({ markClock }: SystemReading): Made {
  if (markClock?.bmcTime == null)
    return notKnown("the BMC's answers have no time", "Compare the BMC's clock with this server's.");
  const offMs = Date.parse(markClock.bmcTime) - Date.parse(markClock.readAt);
  const seconds = Math.round(Math.abs(offMs) / 1_000);
  const words = `the BMC's clock is ${seconds} s ${offMs < 0 ? "behind" : "ahead of"} this machine's`;
  return Math.abs(offMs) <= maxOffMs
    ? passed(words)
    : failed(words, "Set the BMC's clock, or its time servers (NTP).");
}

/** Which system it is, of how many. */
export function system(found: {
  readonly system: ComputerSystem;
  readonly reading: SystemReading;
  readonly systems: readonly string[];
}): Made {
  const { manufacturer, model, serial, uuid } = found.reading;
  const path = found.system["@odata.id"];
  const which = found.systems.length > 1 ? `, one of ${found.systems.length} systems` : "";
  const words = `${path}${which}: ${[manufacturer, model].filter((part) => part !== "").join(" ") || "of an unknown maker"}, serial ${serial || "(none)"}, system UUID ${uuid || "(none)"}`;
  if (serial === "" && uuid === "")
    return failed(
      words,
      "Set the serial number or the system UUID at the BMC: nothing tells this machine from another.",
    );
  return passed(
    words,
    serial === ""
      ? "Give the serial number that the firmware reports to the operating system (Change BMC: expected serial)."
      : null,
  );
}
