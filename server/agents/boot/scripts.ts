// The iPXE scripts for booting hosts (https://ipxe.org/scripting). Only the first one may continue with the next boot device.
import type { ImageKind } from "@/server/domain/cleaning/images/agent-image";

/** The same for a host that is not ours and for one that nobody waits for. */
export const bootFromDisk = "#!ipxe\n# boot from disk\nexit 0\n";

const pauseSeconds = 5;

/** Asks again after a pause, indefinitely. Any failure, even a key press, leads back to the pause. */
const askAgain = (self: string): readonly string[] => [
  ":again",
  `sleep ${pauseSeconds} ||`,
  `chain --replace ${self} ||`,
  "goto again",
  "",
];

/** Starts nothing: the host waits until it is restarted or its boot is waited for. `self`: the URL that it asks again. */
export function waitScript(self: string): string {
  return ["#!ipxe", "# wait", ...askAgain(self)].join("\n");
}

export interface BootImage {
  /** Where `vmlinuz` and `initrd.img` are, each with a detached signature in `.sig` if it is signed. */
  readonly url: string;
  /** SHA-256 of `initrd.img`, in hexadecimal digits. */
  readonly sha256: string | null;
  readonly signed: boolean;
  readonly kind: ImageKind;
}

/** How an image's agent is told where to report; for Ironic's, the parameters of `ironic_python_agent/config.py`. */
const serverParameter = (kind: ImageKind, server: string): string =>
  kind === "ironic" ? `ipa-api-url=${server}` : `reclaim.server=${server}`;

/**
 * Starts the image or asks again: an image that does not load, or whose signature does not match, never leads to a disk. The digest is on the
 * kernel's command line, which measured boot covers, so that the image itself can compare it. It proves nothing about an image that does not
 * (server/domain/attestation/measured/covers-initrd.ts).
 */
export function imageScript({ url, sha256, signed, kind }: BootImage, server: string, self: string): string {
  const digest = sha256 === null ? "" : ` reclaim.initrd_sha256=${sha256}`;
  const verified = signed
    ? ["vmlinuz", "initrd.img"].map((name) => `imgverify ${name} ${url}/${name}.sig || goto again`)
    : [];
  return [
    "#!ipxe",
    "imgfree ||",
    `kernel ${url}/vmlinuz initrd=initrd.img ${serverParameter(kind, server)}${digest} || goto again`,
    `initrd ${url}/initrd.img || goto again`,
    ...verified,
    "boot || goto again",
    ...askAgain(self),
  ].join("\n");
}
