// Paths in a BMC's answers. They are followed only at the same BMC.
import { z } from "zod";

/** A Redfish link: `{"@odata.id": "/redfish/v1/…"}`. */
export const link = z.object({ "@odata.id": z.string().min(1) });

/** A link that may be missing, null or malformed, and then leads nowhere. */
export const optionalLink = link.nullish().catch(null);

/** A string property that may be missing, null or of the wrong type. */
export const text = z.string().nullish().catch(null);

/** A list of links, without the malformed ones. */
export const links = z
  .array(optionalLink)
  .nullish()
  .catch(null)
  .transform((items) => (items ?? []).flatMap((item) => (item == null ? [] : [item["@odata.id"]])));

const anywhere = "http://bmc.invalid";

/** The path (with query) of a link or Location; null if it is not one. Scheme and host are ignored, so that we never leave the BMC. */
export function pathOf(reference: string): string | null {
  const url = URL.parse(reference, anywhere);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.pathname + url.search;
}
