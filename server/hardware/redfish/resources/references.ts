// Paths in what a BMC sends: followed at that BMC only.
import { z } from "zod";

/** A link of Redfish: `{"@odata.id": "/redfish/v1/…"}`. */
export const link = z.object({ "@odata.id": z.string().min(1) });

/** A link that may be missing, null or garbled; then it leads nowhere. */
export const optionalLink = link.nullish().catch(null);

/** A string property that may be missing, null or of a wrong type. */
export const text = z.string().nullish().catch(null);

/** A list of links, of which the garbled ones are dropped. */
export const links = z
  .array(optionalLink)
  .nullish()
  .catch(null)
  .transform((items) => (items ?? []).flatMap((item) => (item == null ? [] : [item["@odata.id"]])));

const anywhere = "http://bmc.invalid";

/** The path (with query) of a link or Location: scheme and host that a BMC writes there are ignored, so we never leave it. Null when it is none. */
export function pathOf(reference: string): string | null {
  const url = URL.parse(reference, anywhere);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.pathname + url.search;
}
