// Addresses that a BMC tells, without what may be a token or a password, for messages, evidence and reports.

/** Where events go: without user, path, query and fragment. Pure. */
export function eventPlace(destination: string | null | undefined): string {
  const url = destination == null ? null : URL.parse(destination);
  if (url === null) return destination == null ? "(no destination)" : "(not an address)";
  return url.host === "" ? url.protocol : `${url.protocol}//${url.host}`;
}

/** The image of a virtual medium: without user, query and fragment. Its path is kept, because it names the image. Pure. */
export function imagePlace(image: string): string {
  const url = URL.parse(image);
  if (url !== null && url.host !== "") return `${url.protocol}//${url.host}${url.pathname}`;
  // Such as //user:password@server/share/a.iso.
  return image.replace(/^.*@/s, "").replace(/[?#].*$/s, "");
}
