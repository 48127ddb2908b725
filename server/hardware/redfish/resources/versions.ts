// A change that names the version of what it changes, in the forms in which BMCs take one (RFC 9110, 13.1.1; DSP0266, 6.5).
import type { Replied } from "@/server/hardware/redfish/client/client";
import type { Failed } from "@/server/hardware/redfish/client/errors";

/** 412: not this version. 428: name one. Either way nothing was done. */
const ofVersion = (replied: Replied): boolean =>
  !replied.ok && (replied.error.status === 412 || replied.error.status === 428);

/** Best first. Some BMCs give a weak tag and compare strong ones only; some compare what they never give. */
function formsOf(version: string | null): ReadonlyArray<string | null> {
  if (version === null) return [null];
  return version.startsWith("W/") ? [version, version.slice(2), null] : [version, null];
}

/**
 * Sends a change with the version that is known, if it is; refused for its version, it is read anew and sent in each form once, and then
 * the refusal stands.
 */
export async function changeVersioned(
  send: (version: string | null) => Promise<Replied>,
  known: { readonly version: string | null } | null,
  read: () => Promise<{ readonly ok: true; readonly version: string | null } | Failed>,
): Promise<Replied> {
  const first = known === null ? null : await send(known.version);
  if (first !== null && !ofVersion(first)) return first;
  const fresh = await read();
  if (!fresh.ok) return fresh;
  let replied = first;
  for (const version of formsOf(fresh.version)) {
    // Without a version it was refused already, or a version is what it asks for.
    if (version === null && replied !== null && !replied.ok && replied.error.status === 428) break;
    replied = await send(version);
    if (!ofVersion(replied)) return replied;
  }
  return replied ?? send(null);
}
