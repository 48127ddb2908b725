// Changes that name the version of the resource, in the forms that BMCs accept (RFC 9110, 13.1.1; DSP0266, 6.5).
import type { Replied } from "@/server/hardware/redfish/client/client";
import type { Failed } from "@/server/hardware/redfish/client/errors";

/** 412: wrong version. 428: a version is required. In both cases nothing was done. */
const ofVersion = (replied: Replied): boolean =>
  !replied.ok && (replied.error.status === 412 || replied.error.status === 428);

/** Best first. Some BMCs send a weak tag but compare only strong ones, and some compare against a tag that they never send. */
function formsOf(version: string | null): ReadonlyArray<string | null> {
  if (version === null) return [null];
  return version.startsWith("W/") ? [version, version.slice(2), null] : [version, null];
}

/**
 * Sends a change with the known version, if there is one. If the version is refused, reads it again and sends each form once; after that
 * the refusal is final.
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
    // 428 asks for a version, so sending the change without one is pointless.
    if (version === null && replied !== null && !replied.ok && replied.error.status === 428) break;
    replied = await send(version);
    if (!ofVersion(replied)) return replied;
  }
  return replied ?? send(null);
}
